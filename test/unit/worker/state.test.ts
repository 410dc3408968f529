import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type StatePaths, statePaths } from '../../../src/persist/paths';
import { systemClock } from '../../../src/shared/clock';
import { listenAtCrashPoints } from '../../../src/shared/crash-points';
import { openState } from '../../../src/worker/state';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';

async function open(paths: StatePaths, epoch: number) {
  const state = await openState(paths, { epoch, token: 'ours' }, systemClock, new MemoryLog());
  return { ...state, ledger: await state.ledger('plex') };
}

const entry = {
  ratingKey: '9',
  file: '',
  names: {},
  wrote: { title: 'x' },
  at: 1,
  studio: null,
  performers: [],
  tags: [],
  groups: [],
};

/** A queue with a job, and then garbage where it was. */
async function damaged(): Promise<StatePaths> {
  const paths = statePaths(tempDir());
  mkdirSync(paths.inbox);
  const state = await open(paths, 1);
  state.queue.add('plex', 1, { bulk: false, asked: false });
  state.ledger.put(1, entry);
  await state.close();
  writeFileSync(join(paths.root, 'queue.ndjson'), 'garbage');
  return paths;
}

afterEach(() => listenAtCrashPoints(null));

describe('a damaged queue', () => {
  it.each([
    'queue.damage.marked',
    'queue.append',
    'queue.append.written',
    'queue.snapshot',
    'queue.snapshot.written',
    'queue.rotate.journal',
    'queue.rotate.done',
    'dead-letters.append',
    'ledger.append',
  ])(
    'is made good by a sweep over everything, also when the first worker that sees it dies at "%s"',
    async (point) => {
      const paths = await damaged();
      listenAtCrashPoints((at) => {
        if (at === point) throw new Error('power cut');
      });
      await expect(open(paths, 2)).rejects.toThrow('power cut');
      listenAtCrashPoints(null);
      const state = await open(paths, 3);
      expect(state.queue.sweeps()).toMatchObject([{ name: 'all', sweep: { since: null } }]);
      await state.close();
      expect((await open(paths, 4)).damage).toEqual([]);
    },
  );
});

it('a damaged ledger is not believed any more', async () => {
  const paths = await damaged();
  writeFileSync(
    join(paths.targets, 'plex', 'ledger.ndjson'),
    `${readFileSync(join(paths.targets, 'plex', 'ledger.ndjson'), 'utf8')}garbage\n`,
  );
  const state = await open(paths, 2);
  expect(state.ledger.get(1)).toMatchObject({ ratingKey: '9', wrote: {} });
});

it('a flush writes the ledger and the dead letters before the queue', async () => {
  const paths = statePaths(tempDir());
  const state = await open(paths, 1);
  const order: string[] = [];
  state.queue.add('plex', 1, { bulk: false, asked: false });
  state.ledger.put(1, entry);
  state.deadLetters.put('plex/2', { target: 'plex', scene: 2, kind: 'x', reason: 'x', attempts: 1, at: 1 });
  listenAtCrashPoints((at) => void (at.endsWith('.append.synced') && order.push(at)));
  await state.flush();
  expect(order).toEqual(['ledger.append.synced', 'dead-letters.append.synced', 'queue.append.synced']);
});
