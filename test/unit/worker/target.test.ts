import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import { missingSettings, readSettings } from '../../../src/stash/settings';
import { StoredLedger } from '../../../src/sync/ledger';
import { Target } from '../../../src/worker/target';
import { PlexSim } from '../../sim/plex/plex-sim';
import { MemoryLog } from '../../support/memory-log';
import { aScene } from '../../support/scenes';
import { quietTarget } from '../../support/target-status';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

const { signal } = new AbortController();

const stash = {
  scene: async (id: number) => aScene({ id, title: 'Otters', files: [`/media/${id}.mp4`] }),
  cover: async () => null,
};

describe('a target', () => {
  let folder: string;
  let clock: VirtualClock;
  let log: MemoryLog;
  let plex: PlexSim;
  let due: number;

  beforeEach(async () => {
    folder = join(tempDir(), 'targets', 'plex');
    clock = new VirtualClock();
    due = 0;
    log = new MemoryLog();
    plex = await PlexSim.start({ libraries: [{ title: 'Films', locations: ['/media'] }] });
    onTestFinished(() => plex.stop());
    plex.addItem({ library: 'Films', file: '/media/1.mp4' });
  });

  const open = () =>
    new Target({
      name: 'plex',
      folder,
      ledger: new StoredLedger(new MemoryStore()),
      clientIdentifier: 'sluice-test',
      clock,
      random: () => 0,
      log,
      due: () => due,
      keep: async () => {},
    });
  const configure = (target: Target, more: Record<string, unknown> = {}) => {
    const { settings } = readSettings({ plexUrl: plex.url, plexToken: plex.token, ...more }, {});
    target.configure(settings, settings, settings.flow, missingSettings(settings));
  };
  const onDisk = () => JSON.parse(readFileSync(join(folder, 'gate.json'), 'utf8'));
  const probe = async (target: Target, hasDueJob = false) => {
    await target.probe(hasDueJob, signal);
    await target.kept();
  };
  const sync = async (target: Target) => {
    const pass = target.ask(clock.now());
    if (pass.admit !== 'job') throw new Error(`no job was admitted: ${JSON.stringify(pass)}`);
    return await target.sync({ scene: 1, asked: false }, pass.ticket, stash, signal);
  };
  const empty = { waiting: 0, due: 0, inFlight: 0, retrying: 0 };
  const statusOf = (target: Target, paused = false) =>
    target.status(paused, empty, { done: 3, failed: 1, retried: 2, filtered: {} });
  const opened = async () => {
    const target = open();
    plex.setFault({ kind: 'maintenance' });
    configure(target);
    await probe(target);
    return target;
  };
  const well = async () => {
    const target = open();
    configure(target);
    await probe(target);
    return target;
  };

  it('without settings sends nothing and says what is missing', async () => {
    const target = open();
    const missing = 'The settings have not been read yet.';
    expect(statusOf(target)).toEqual({
      ...quietTarget,
      url: null,
      reason: missing,
      breaker: { ...quietTarget.breaker, cause: missing },
      rate: { ...quietTarget.rate, perSecond: 0, limitedBy: 'not configured' },
      done: 3,
      failed: 1,
      retried: 2,
    });
    configure(target);
    expect(target.missing).toBeNull();
    configure(target, { plexToken: '' });
    expect(target.missing).toContain('"Plex token"');
    expect(statusOf(target)).toMatchObject({ url: null, breaker: { cause: target.missing } });
    expect(await sync(target)).toMatchObject({ kind: 'misconfigured' });
    expect(target.isClosed).toBe(true);
    expect(plex.requests).toEqual([]);
  });

  it('is asked how it is before the first job, and again only when the settings have changed', async () => {
    const target = open();
    configure(target);
    expect(target.wantsProbe).toBe(true);
    expect(target.ask(clock.now())).toEqual({ admit: 'probe' });
    await probe(target);
    expect(target.wantsProbe).toBe(false);
    expect(target.ask(clock.now())).toMatchObject({ admit: 'job' });

    const next = open();
    configure(next, { flowLanes: 3 });
    expect(next.flow.lanes).toBe(3);
    expect(next.ask(clock.now())).toMatchObject({ admit: 'job' });
    configure(next, { plexLibraries: 'Filme' });
    expect(next.ask(clock.now())).toEqual({ admit: 'probe' });
    await probe(next);
    expect(next.outage?.cause).toContain('"Films"');
    expect(next.libraryProblem).toContain('"Filme"');
  });

  it('that failed its probe is left alone for flowOpenSeconds, also by the next process', async () => {
    const target = open();
    plex.setFault({ kind: 'maintenance' });
    configure(target, { flowOpenSeconds: 200 });
    await probe(target);
    const retryAt = clock.now() + 200_000;
    expect(onDisk()).toMatchObject({ version: 2, breaker: { state: 'OPEN', wait: { until: retryAt } } });

    await clock.advance(100_000);
    const next = open();
    configure(next, { flowOpenSeconds: 200 });
    expect(next.ask(clock.now())).toMatchObject({ admit: 'nothing', limitedBy: 'breaker', nextAt: retryAt });
    expect(statusOf(next)).toMatchObject({
      breaker: { state: 'OPEN', retryAt: new Date(retryAt).toISOString() },
      rate: { perSecond: 0, limitedBy: 'breaker' },
    });
    expect(statusOf(next, true).rate).toMatchObject({ perSecond: 0, limitedBy: 'paused' });
    await clock.advance(100_000);
    expect(next.ask(clock.now())).toEqual({ admit: 'probe' });
    expect(statusOf(next).breaker).toMatchObject({ state: 'HALF_OPEN', retryAt: null });
    plex.setFault(null);
    await probe(next);
    const recoveryStartedAt = clock.now();
    expect(onDisk()).toMatchObject({ breaker: { state: 'CLOSED', cause: null }, recoveryStartedAt });
    expect(log.lines.map(({ message }) => message).join()).toContain('Plex is well again.');
  });

  it('keeps to its place in the recovery period when the next process takes over', async () => {
    const target = await opened();
    plex.setFault(null);
    await clock.advance(60_000);
    target.ask(clock.now());
    await probe(target);
    await clock.advance(150_000);
    const next = open();
    configure(next);
    expect(next.isRecovering).toBe(true);
    expect(statusOf(next)).toMatchObject({
      recovery: { active: true, progress: 0.5 },
      rate: { perSecond: 12.5, limitedBy: 'ramp' },
    });
    expect(next.ask(clock.now())).toMatchObject({ admit: 'nothing', nextAt: clock.now() + 80 });
    await clock.advance(150_000);
    await next.tick();
    expect(onDisk()).toMatchObject({ recoveryStartedAt: 0 });
    expect(statusOf(next).rate).toMatchObject({ perSecond: null, limitedBy: 'none' });
  });

  it('does not end a long recovery before it knows how long it is set to be', async () => {
    const target = await opened();
    plex.setFault(null);
    await clock.advance(60_000);
    target.ask(clock.now());
    await probe(target);
    await clock.advance(400_000);
    const next = open();
    await next.tick();
    configure(next, { flowRecoverySeconds: 900 });
    await next.tick();
    expect(next.isRecovering).toBe(true);
    await clock.advance(500_000);
    await next.tick();
    expect(next.isRecovering).toBe(false);
    expect(onDisk()).toMatchObject({ recoveryStartedAt: 0 });
  });

  it('is tried at once when its settings have changed, and says "now", not 1970', async () => {
    const target = await opened();
    configure(target);
    expect(target.ask(clock.now())).toMatchObject({ admit: 'nothing' });
    configure(target, { plexToken: 'another-token' });
    expect(statusOf(target).breaker).toMatchObject({ state: 'OPEN', retryAt: null });
    expect(target.ask(clock.now())).toEqual({ admit: 'probe' });
  });

  it('has a transition of its gate on disk before anything else can be sent, or nothing is sent', async () => {
    const target = await well();
    plex.setFault({ kind: 'unauthorised' });
    expect(await sync(target)).toMatchObject({ kind: 'not-authorised' });
    expect(onDisk()).toMatchObject({ breaker: { state: 'CLOSED' } });
    chmodSync(folder, 0o500);
    if (process.getuid?.() !== 0) await expect(target.kept()).rejects.toThrow();
    chmodSync(folder, 0o700);
    await target.kept();
    expect(onDisk()).toMatchObject({ breaker: { state: 'OPEN', failuresInARow: 1 } });
  });

  it('opens when so many jobs in a row have failed as the settings say', async () => {
    const target = open();
    configure(target, { flowFailuresInARow: 3 });
    await probe(target);
    plex.setFault({ kind: 'reset' });
    for (const isClosed of [true, true, false]) {
      expect(await sync(target)).toMatchObject({ kind: 'server-down' });
      expect(target.isClosed).toBe(isClosed);
    }
  });

  it('learns how long its calls take, and writes that down once a second', async () => {
    const target = await well();
    await sync(target);
    expect(Object.keys(statusOf(target).latency)).toEqual(['read', 'edit', 'listing']);
    expect(Object.keys(onDisk().latency)).toEqual(['read']);
    await target.tick();
    expect(Object.keys(onDisk().latency).sort()).toEqual(['edit', 'listing', 'read']);
  });

  it('does not count against the server what one item did wrong', async () => {
    const target = await well();
    plex.removeItem(1);
    for (let n = 0; n < 20; n++) expect(await sync(target)).toMatchObject({ kind: 'not-in-plex' });
    expect(target.isClosed).toBe(true);
  });

  it('whose gate cannot be read begins with a question, a trial and a recovery period', async () => {
    await well();
    for (const name of ['gate.json', 'gate.json.prev']) writeFileSync(join(folder, name), 'garbage');
    const next = open();
    expect(next.isClosed).toBe(false);
    configure(next);
    expect(next.wantsProbe).toBe(true);
    expect(next.ask(clock.now())).toEqual({ admit: 'probe' });
    expect(log.warnings.join()).toContain('Plex is asked whether it is well before anything is sent.');
    await probe(next, true);
    expect(next.isClosed).toBe(false);
    expect(next.wantsTrial).toBe(true);
    expect(await sync(next)).toMatchObject({ kind: 'ok' });
    expect(next.isRecovering).toBe(true);
  });

  it('tells of an outage once, also when another process takes over', async () => {
    const target = await opened();
    expect(target.announcement('Plex', 12)).toContain('12 scenes wait');
    expect(target.announcement('Plex', 13)).toBeNull();
    await target.tick();
    const next = open();
    configure(next);
    expect(next.announcement('Plex', 13)).toBeNull();
    await clock.advance(15 * 60_000);
    expect(next.announcement('Plex', 13)).toContain('15 min');
  });

  it('whose health is asked for is tried again at once if it is well', async () => {
    const target = await opened();
    expect((await target.health(signal)).join()).toContain('503');
    expect(target.ask(clock.now())).toMatchObject({ admit: 'nothing' });
    plex.setFault(null);
    expect((await target.health(signal)).join('\n')).toMatch(/Films[\s\S]*tried again now/);
    expect(target.ask(clock.now())).toEqual({ admit: 'probe' });
    expect(existsSync(join(folder, 'gate.json'))).toBe(true);
  });

  it('can be read from while it is well, and by nobody while it is not or is on trial', async () => {
    const target = await well();
    expect(target.reading(stash, signal)).not.toBeNull();
    plex.setFault({ kind: 'unauthorised' });
    await sync(target);
    expect(target.reading(stash, signal)).toBeNull();
    plex.setFault(null);
    target.tryNow();
    expect(target.ask(clock.now())).toEqual({ admit: 'probe' });
    expect(target.reading(stash, signal)).toBeNull();
    await probe(target, true);
    expect(target.wantsTrial).toBe(true);
    expect(target.reading(stash, signal)).toBeNull();
    await sync(target);
    expect(target.reading(stash, signal)).not.toBeNull();
    configure(target, { plexToken: '' });
    expect(target.reading(stash, signal)).toBeNull();
  });

  it('is at ease only when it is well, known, and did not ask to be left alone', async () => {
    const target = open();
    configure(target);
    expect(target.isAtEase).toBe(false);
    await probe(target);
    expect(target.isAtEase).toBe(true);
    plex.setFault({ kind: 'too-many-requests', retryAfter: 30 });
    expect(await sync(target)).toMatchObject({ kind: 'overloaded' });
    expect(target.isClosed).toBe(true);
    expect(target.isAtEase).toBe(false);
    await clock.advance(31_000);
    expect(target.isAtEase).toBe(true);
    expect((await opened()).isAtEase).toBe(false);
  });

  it('lists its libraries first when many jobs of bulk work are due, and only then', async () => {
    const target = await well();
    const bulk = async () => {
      const pass = target.ask(clock.now());
      if (pass.admit !== 'job') throw new Error('no job was admitted');
      const job = { scene: 1, asked: true, bulk: true, attempts: 0 };
      return await target.sync(job, pass.ticket, stash, signal);
    };
    due = 99;
    expect(await bulk()).toMatchObject({ kind: 'ok' });
    due = 100;
    expect(await sync(target)).toMatchObject({ kind: 'unchanged' });
    expect(await bulk()).toMatchObject({ kind: 'listing' });
    for (let n = 0; n < 5 && (await bulk()).kind === 'listing'; n++);
    // The listing that is there is used, and a new pass does not believe it.
    due = 1;
    plex.clearRecords();
    await bulk();
    expect(plex.counts.find).toBe(0);
    target.relist();
    expect(target.reading(stash, signal)?.finder.index.isReady()).toBe(false);
  });

  it('syncs by the settings of now', async () => {
    const target = await well();
    configure(target, { syncSkipFields: 'title, sortTitle' });
    await sync(target);
    expect(plex.shown('/media/1.mp4').title).toBe('1');
    configure(target);
    await sync(target);
    expect(plex.shown('/media/1.mp4').title).toBe('Otters');
  });
});
