import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import type { Scene } from '../../../src/stash/scene';
import { readSettings, type Settings } from '../../../src/stash/settings';
import { StoredLedger } from '../../../src/sync/ledger';
import { Target } from '../../../src/worker/target';
import { PlexSim } from '../../sim/plex/plex-sim';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

const { signal } = new AbortController();

const scene = (id: number): Scene => ({
  id,
  title: 'Otters',
  details: '',
  date: null,
  files: [`/media/${id}.mp4`],
  studio: null,
  performers: [],
  tags: [],
  groups: [],
});
const stash = { scene: async (id: number) => scene(id) };

describe('a target', () => {
  let folder: string;
  let clock: VirtualClock;
  let log: MemoryLog;
  let plex: PlexSim;

  beforeEach(async () => {
    folder = join(tempDir(), 'targets', 'plex');
    clock = new VirtualClock();
    log = new MemoryLog();
    plex = await PlexSim.start({ libraries: [{ title: 'Films', locations: ['/media'] }] });
    onTestFinished(() => plex.stop());
    plex.addItem({ library: 'Films', file: '/media/1.mp4' });
  });

  const open = () =>
    new Target('plex', folder, new StoredLedger(new MemoryStore()), 'sluice-test', clock, log);
  const settings = (more: Record<string, unknown> = {}): Settings =>
    readSettings({ plexUrl: plex.url, plexToken: plex.token, ...more }, {}).settings;
  const onDisk = () => JSON.parse(readFileSync(join(folder, 'gate.json'), 'utf8'));
  const sync = (target: Target) => target.sync({ scene: 1, asked: false }, stash, signal);
  const statusOf = (target: Target, paused = false) => target.status(paused, { done: 3, failed: 1 });
  const opened = async () => {
    const target = open();
    plex.setFault({ kind: 'maintenance' });
    await target.configure(settings());
    await target.probe(signal);
    return target;
  };

  it('without settings sends nothing and says what is missing', async () => {
    const target = open();
    expect(statusOf(target)).toEqual({
      url: null,
      breaker: {
        state: 'CLOSED',
        cause: 'The settings have not been read yet.',
        since: null,
        retryAt: null,
        failuresInARow: 0,
      },
      recovery: { active: false, startedAt: null, progress: null },
      rate: { perSecond: null, limitedBy: 'none' },
      done: 3,
      failed: 1,
    });
    await target.configure(settings());
    expect(target.missing).toBeNull();
    await target.configure(settings({ plexToken: '' }));
    expect(target.missing).toContain('"Plex token"');
    expect(statusOf(target)).toMatchObject({ url: null, breaker: { cause: target.missing } });
    expect(await sync(target)).toMatchObject({ kind: 'misconfigured' });
    expect(plex.requests).toEqual([]);
  });

  it('is asked how it is before the first job, and again only when the settings have changed', async () => {
    const target = open();
    await target.configure(settings());
    expect(target.wantsProbe).toBe(true);
    expect(target.ask(clock.now())).toEqual({ admit: 'probe' });
    await target.probe(signal);
    expect(target.wantsProbe).toBe(false);
    expect(target.ask(clock.now())).toEqual({ admit: 'job' });

    const next = open();
    await next.configure(settings());
    expect(next.ask(clock.now())).toEqual({ admit: 'job' });
    await next.configure(settings({ plexLibraries: 'Filme' }));
    expect(next.ask(clock.now())).toEqual({ admit: 'probe' });
    await next.probe(signal);
    expect(next.gate).toMatchObject({ state: 'OPEN' });
    expect(next.gate.cause).toContain('"Films"');
    expect(next.libraryProblem).toContain('"Filme"');
  });

  it('that failed its probe is left alone for flowOpenSeconds, also by the next process', async () => {
    const target = open();
    plex.setFault({ kind: 'maintenance' });
    await target.configure(settings({ flowOpenSeconds: 300 }));
    await target.probe(signal);
    const retryAt = clock.now() + 300_000;
    expect(onDisk()).toMatchObject({ version: 1, state: 'OPEN', retryAt, failuresInARow: 1 });

    await clock.advance(100_000);
    const next = open();
    await next.configure(settings({ flowOpenSeconds: 300 }));
    expect(next.ask(clock.now())).toMatchObject({ admit: 'nothing', nextAt: retryAt });
    expect(statusOf(next)).toMatchObject({
      breaker: { state: 'OPEN', retryAt: new Date(retryAt).toISOString() },
      rate: { perSecond: 0, limitedBy: 'breaker' },
    });
    expect(statusOf(next, true).rate).toEqual({ perSecond: 0, limitedBy: 'paused' });
    await clock.advance(200_000);
    expect(next.ask(clock.now())).toEqual({ admit: 'probe' });
    expect(statusOf(next).breaker).toMatchObject({ state: 'HALF_OPEN', retryAt: null });
    plex.setFault(null);
    await next.probe(signal);
    expect(onDisk()).toMatchObject({ state: 'CLOSED', cause: null, retryAt: null, failuresInARow: 0 });
    expect(log.lines.map(({ message }) => message)).toContain('Plex is well again; going on.');
  });

  it('is tried at once when its settings have changed, and says "now", not 1970', async () => {
    const target = await opened();
    await target.configure(settings());
    expect(target.ask(clock.now())).toMatchObject({ admit: 'nothing' });
    await target.configure(settings({ plexToken: 'another-token' }));
    expect(statusOf(target).breaker).toMatchObject({ state: 'OPEN', retryAt: null });
    expect(target.ask(clock.now())).toEqual({ admit: 'probe' });
  });

  it('has the change of its gate on disk before anything else can be sent', async () => {
    const target = open();
    await target.configure(settings());
    await target.probe(signal);
    plex.setFault({ kind: 'reset' });
    expect(await sync(target)).toMatchObject({ kind: 'server-down' });
    expect(onDisk()).toMatchObject({ state: 'OPEN', failuresInARow: 1 });
  });

  it('does not count against the server what one item did wrong', async () => {
    const target = open();
    await target.configure(settings());
    await target.probe(signal);
    plex.removeItem(1);
    expect(await sync(target)).toMatchObject({ kind: 'not-in-plex' });
    plex.setFault({ kind: 'server-error' });
    expect(await sync(target)).toMatchObject({ kind: 'transient' });
    expect(target.gate.state).toBe('CLOSED');
  });

  it('whose gate cannot be read is asked how it is before anything is sent', async () => {
    const target = open();
    await target.configure(settings());
    await target.probe(signal);
    for (const name of ['gate.json', 'gate.json.prev']) writeFileSync(join(folder, name), 'garbage');
    const next = open();
    expect(next.gate.state).toBe('OPEN');
    await next.configure(settings());
    expect(next.wantsProbe).toBe(true);
    expect(next.ask(clock.now())).toEqual({ admit: 'probe' });
    expect(log.warnings.join()).toContain('Plex is asked whether it is well before anything is sent.');
    await next.probe(signal);
    expect(next.ask(clock.now())).toEqual({ admit: 'job' });
  });
});
