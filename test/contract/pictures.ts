import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, longAgo, onBench } from './bench';

const file = '/media/a.mp4';
const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest('hex');

const kinds = [
  ['poster', 'thumb', 'posterSha1', 'posters', 1],
  ['art', 'art', 'artSha1', 'art', 0],
] as const;

export async function checkPictures(tools: Pick<Bench, 'api' | 'report'>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-contract-'));
  const [first, second] = [Buffer.from([0xff, 0xd8, 0xff, 0, 1, 2]), Buffer.from('\x89PNG second')];
  const path = join(folder, 'first.jpg');
  writeFileSync(path, first);
  try {
    for (const [kind, address, shownAs, keyFolder, found] of kinds) {
      await onBench(`pictures (${kind})`, tools, {}, async ({ plex, api, report }) => {
        plex.addItem({ file, addedAt: longAgo });
        const keys = [first, second].map((bytes) => `upload://${keyFolder}/${sha1(bytes)}`);
        const selected = async () =>
          (await api.images(1, kind)).filter((image) => image.selected).map(({ key }) => key);
        report.same('what the scan found', (await api.images(1, kind)).length, found);

        const addresses = [(await api.item(1))[address]];
        await api.uploadFile(1, kind, path);
        report.same('a file: named after its SHA-1, and shown', await selected(), [keys[0]]);
        report.same('a file: stored', plex.shown(file)[shownAs], sha1(first));
        addresses.push((await api.item(1))[address]);
        await api.uploadBytes(1, kind, second);
        report.same('bytes: named after their SHA-1, and shown', await selected(), [keys[1]]);
        addresses.push((await api.item(1))[address]);
        report.same('both are listed', (await api.images(1, kind)).length, found + 2);
        await api.select(1, kind, keys[0] ?? '');
        report.same('the older one is chosen again', await selected(), [keys[0]]);
        report.same('the older one is stored', plex.shown(file)[shownAs], sha1(first));
        addresses.push((await api.item(1))[address]);
        report.same('each has another address', new Set(addresses).size, addresses.length);
        await api.uploadFile(1, kind, path);
        report.same('the same again is listed once', (await api.images(1, kind)).length, found + 2);
        report.same('updatedAt moved', (await api.item(1)).updatedAt > longAgo, true);
        report.same('nothing is locked', (await api.item(1)).locked, []);
        const name = kind === 'poster' ? 'Poster' : 'Art';
        await api.edit(1, [[`lock${name}`, []]]);
        report.same('locked', (await api.item(1)).locked, [address]);
        await api.edit(1, [[`unlock${name}`, []]]);
        report.same('unlocked', (await api.item(1)).locked, []);
        plex.behaviour.uploadLocks = true;
        await api.uploadBytes(1, kind, second);
        report.same('an upload locks where the server is like that', (await api.item(1)).locked, [address]);
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
