import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Status } from '../../../src/shared/status';
import { currentStatus, readStatus, statusInWords } from '../../../src/tasks/status';
import { deadProcess } from '../../support/processes';
import { quietTarget } from '../../support/target-status';
import { type StatusChange, TaskRig } from './rig';

const nobody = { alive: false, pid: null, since: null };
const pass: Status['passes'][number] = {
  name: 'reconcile',
  startedAt: '2026-01-02T03:00:00.000Z',
  looked: 250,
  queued: 3,
  total: 1_000,
};

describe('the status', () => {
  let rig: TaskRig;

  beforeEach(() => {
    rig = new TaskRig();
  });

  it.each(['', 'garbage', 'null', '[]', '{"version":"1"}'])(
    'is that of a new beginning when its file is %j',
    async (text) => {
      if (text) writeFileSync(rig.paths.status, text);
      rmSync(rig.paths.inbox, { recursive: true });
      expect(await currentStatus(rig.context)).toEqual({
        version: '0.0.0',
        paused: false,
        worker: nobody,
        stash: { reachable: false, since: null, error: 'not asked yet' },
        inbox: 0,
        queue: { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0, fanOuts: 0 },
        deadLetters: 0,
        passes: [],
        targets: {},
      });
    },
  );

  it.each<[string, object]>([
    ['does not know passes', { passes: undefined }],
    ['does not count what is left out', { targets: { plex: { ...quietTarget, filtered: undefined } } }],
  ])('is not taken from a worker that %s', (_, older) => {
    writeFileSync(rig.paths.status, JSON.stringify({ ...rig.status(), ...older }));
    expect(readStatus(rig.context).targets).toEqual({});
  });

  it('is what the worker says, with the inbox as it is now', () => {
    rig.workerLives();
    rig.says({ inbox: 7 });
    for (const name of ['a.json', 'b.part', 'c.txt']) writeFileSync(join(rig.paths.inbox, name), '');
    expect(readStatus(rig.context)).toEqual({ ...rig.status(), inbox: 2 });
  });

  it('does not believe a worker that was killed, or that is another one', async () => {
    const { pid, ticks } = await deadProcess();
    rig.pid = pid;
    rig.says();
    writeFileSync(rig.paths.alive, `${pid} ${ticks}\n`);
    expect(readStatus(rig.context).worker).toEqual(nobody);
    rig.workerLives();
    expect(readStatus(rig.context).worker).toEqual(nobody); // the file is of the one before
    rig.says();
    expect(readStatus(rig.context).worker).toMatchObject({ alive: true, pid: rig.pid });
    rmSync(rig.paths.alive);
    expect(readStatus(rig.context).worker).toEqual(nobody);
  });

  it('leaves a worker that is not needed asleep', async () => {
    rig.says({ worker: nobody });
    await currentStatus(rig.context);
    expect(rig.commands()).toEqual([]);
  });

  it.each<[string, StatusChange]>([
    ['scenes wait', { queue: { waiting: 1 } }],
    ['the scenes of a change are still to be queued', { queue: { fanOuts: 1 } }],
    ['a pass is under way', { passes: [pass] }],
  ])('wakes a worker when %s', async (_, change) => {
    rig.says({ worker: nobody, ...change });
    rig.workerLives(); // nothing is started because of it, but its status is not that of this one
    const status = currentStatus(rig.context);
    expect(rig.commands()).toMatchObject([{ command: 'process' }]);
    await rig.clock.advance(5_000);
    const { paths } = rig.context;
    expect(statusInWords(await status, rig.context)[0]).toBe(
      `No worker runs although something waits, and none could be started; ${paths.log} may say why.`,
    );
  });

  describe('in words', () => {
    const words = (change: StatusChange) => statusInWords(rig.status(change), rig.context).join('\n');

    it('tells who works, what waits, and how Plex is', () => {
      rig.pid = 42;
      expect(words({ queue: { waiting: 1, due: 1 }, plex: { done: 5, failed: 2 } })).toMatch(
        /^The worker runs \(process 42, since .*\)\.\n1 scene waits: 1 due now, 0 on the way; 0 failed before\. 0 files not yet read from the inbox\.\nplex \(http:\/\/plex\): Scenes go to Plex without a limit\. 5 done, 2 given up\.$/,
      );
      expect(words({ worker: nobody })).toContain('No worker runs: there is nothing to do.');
      expect(words({ queue: { waiting: 2 } })).toContain('2 scenes wait');
    });

    it('tells what a person should know', () => {
      const text = words({
        paused: true,
        deadLetters: 1,
        queue: { fanOuts: 2 },
        stash: { reachable: false, error: 'Stash is not answering.' },
        plex: { queue: { ...quietTarget.queue, waiting: 128 } },
        breaker: {
          state: 'OPEN',
          cause: 'Plex is away.',
          since: '2026-01-02T03:00:00.000Z',
          retryAt: new Date(rig.clock.now() + 130_000).toISOString(),
        },
      });
      expect(text).toContain('Paused: nothing is sent to Plex until you run "Resume".');
      expect(text).toContain(
        'The scenes of 2 changes of performers, studios, tags or groups are still to be queued.',
      );
      expect(text).toContain('1 scene was given up. The task "Dead letters" says why and what to do.');
      expect(text).toContain('Stash: Stash is not answering.');
      expect(text).toMatch(
        /plex \(http:\/\/plex\): Plex is away\. So it is since \d\d:00\. 128 scenes wait\. Next try in 2 min 10 s\./,
      );
      expect(words({ plex: { url: null, reason: 'Set "Plex address".' } })).toContain(
        'plex (not set up): Set "Plex address". 0 done',
      );
    });

    it('tells how far each pass over Stash has come', () => {
      const early = { ...pass, name: 'sync_all' as const, looked: 0, queued: 0, total: null };
      expect(words({ passes: [pass, early] }).split('\n')).toEqual(
        expect.arrayContaining([
          'reconcile is under way: 250 of 1000 scenes looked at, 3 queued.',
          'sync_all is under way: 0 scenes looked at, 0 queued.',
        ]),
      );
      expect(words({})).not.toContain('under way');
    });

    it('tells how many scenes each server was spared, and by which setting', () => {
      const filtered = { 'not-in-plex': 4, 'no-file': 1, syncOnlyOrganized: 8, syncGone: 2 };
      const attic = { ...quietTarget, filtered: { syncNeverTags: 1 } };
      const lines = words({ plex: { filtered }, others: { attic } }).split('\n');
      expect(lines[3]).toBe(
        'plex: 15 scenes were left out (8 by "Only organised scenes", 4 not in Plex, 2 by "syncGone", 1 without a file).',
      );
      expect(lines[5]).toBe('attic: 1 scene was left out (1 by "Never with tags").');
      expect(words({})).not.toContain('left out');
    });

    it('ends with what the worker has to say', () => {
      writeFileSync(rig.paths.notice, 'Set this.\nDo that.\n');
      expect(words({}).split('\n').slice(-2)).toEqual(['Set this.', 'Do that.']);
    });
  });
});
