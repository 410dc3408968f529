import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, it } from 'vitest';
import type { Status } from '../../src/shared/status';
import { type Household, until } from '../sim/household';
import type { StashSim } from '../sim/stash/stash-sim';
import { home } from '../support/home';
import { jobsOnDisk, plexIn, workerEnded } from '../support/worker-life';

const ask = <T = string>(stash: StashSim, mode: string, args: Record<string, unknown> = {}): Promise<T> =>
  stash.runOperation<T>('sluice', { mode, ...args });

/** Runs a task by its name on Stash's Tasks page. What it answers is in Stash's log only. */
async function runTask({ stash }: Household, name: string, args?: Record<string, unknown>): Promise<string> {
  const before = stash.log.entries.length;
  const job = await stash.runTask('sluice', name, args);
  if (job.status !== 'FINISHED') throw new Error(`"${name}" ended as ${job.status}: ${job.error}`);
  const said = stash.log.entries.slice(before).map(({ message }) => message);
  return said.find((message) => message.startsWith('Plugin returned')) ?? '';
}

const hoursAgo = (hours: number): string =>
  `${new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19)}Z`;

/** A value with each leaf replaced by its kind; an instant is a `time`. */
function shapeOf(value: unknown): unknown {
  if (value === null) return 'null';
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
  return isTime ? 'time' : typeof value;
}

/** Null when nothing happened in the window. */
const errorRate = (status: Status) => shapeOf(status.targets.plex?.breaker.errorRate ?? null);

/** As the issue describes it, for a worker that lives and a Plex that is well. */
const statusShape = {
  version: 'string',
  paused: 'boolean',
  worker: { alive: 'boolean', pid: 'number', since: 'time' },
  stash: { reachable: 'boolean', since: 'time', error: 'null' },
  inbox: 'number',
  queue: {
    waiting: 'number',
    due: 'number',
    inFlight: 'number',
    parked: 'number',
    retrying: 'number',
    fanOuts: 'number',
  },
  deadLetters: 'number',
  passes: {},
  targets: {
    plex: {
      url: 'string',
      reason: 'string',
      breaker: {
        state: 'string',
        cause: 'null',
        since: 'null',
        retryAt: 'null',
        failuresInARow: 'number',
        overloadsInARow: 'number',
        errorRate: 'number',
      },
      recovery: {
        active: 'boolean',
        startedAt: 'null',
        endsAt: 'null',
        progress: 'null',
        multiplier: 'number',
      },
      rate: { perSecond: 'null', limitedBy: 'string', achieved: 'number', tokens: 'null', cap: 'null' },
      cooldown: {
        until: 'null',
        retryAfter: 'null',
        generations: 'number',
        participants: 'number',
        parked: 'number',
        released: 'number',
      },
      latency: Object.fromEntries(
        ['read', 'edit', 'upload', 'listing'].map((kind) => [
          kind,
          { smoothedMs: 'number', normalMs: 'number', p95Ms: 'number' },
        ]),
      ),
      queue: { waiting: 'number', due: 'number', inFlight: 'number', retrying: 'number', parked: 'number' },
      done: 'number',
      retried: 'number',
      failed: 'number',
      filtered: {},
    },
  },
};

describe.concurrent('the task "Status"', () => {
  it('answers with the object that status.json holds, of exactly the shape that is promised', {
    retry: 2,
  }, async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 2 }, onTestFinished);
    const { stash, plex, state } = household;
    const before = await ask<Status>(stash, 'status');
    expect(before).toMatchObject({ worker: { alive: false, pid: null, since: null }, targets: {}, inbox: 0 });
    await stash.edit({ id: 1, title: 'Something' });
    await household.drained();

    const status = await ask<Status>(stash, 'status');
    expect(shapeOf(status)).toEqual(statusShape);
    expect(shapeOf(household.status())).toEqual(statusShape);
    expect(status).toMatchObject({
      version: '0.1.0',
      paused: false,
      worker: { alive: true, pid: household.worker() },
      stash: { reachable: true },
      inbox: 0,
      queue: { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0, fanOuts: 0 },
      deadLetters: 0,
      targets: {
        plex: {
          url: plex.url,
          breaker: { state: 'CLOSED', failuresInARow: 0 },
          recovery: { active: false },
          rate: { limitedBy: 'none' },
          done: 1,
          failed: 0,
        },
      },
    });
    await runTask(household, 'Status');
    const words = stash.log.messages('info').join('\n');
    expect(words).toContain(`The worker runs (process ${household.worker()}`);
    expect(words).toContain('0 scenes wait');
    expect(words).toContain(`plex (${plex.url}): Scenes go to Plex without a limit. 1 done, 0 given up.`);

    const times = new Set<number>();
    await until('it was written five times', () => times.add(statSync(state.status).mtimeMs).size === 5);
    const gaps = [...times].slice(1).map((at, index) => at - ([...times][index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2_000);
  });

  it('tells of an outage, and of a worker that was killed, which it starts when something waits', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    const { stash, plex } = household;
    await ask(stash, 'process');
    household.killWorkers();
    await workerEnded(household);
    expect(household.status()?.worker.alive).toBe(true); // it could not say that it was killed
    const dead = await ask<Status>(stash, 'status');
    expect(dead.worker).toEqual({ alive: false, pid: null, since: null });
    expect(household.workers()).toEqual([]); // nothing waits

    plex.setFault({ kind: 'maintenance' });
    await stash.edit({ id: 1, title: 'Waits' });
    await until('Plex is held back', () => plexIn(household)?.breaker.state === 'OPEN');
    household.killWorkers();
    await workerEnded(household);
    const status = await ask<Status>(stash, 'status');
    expect(status.worker).toMatchObject({ alive: true, pid: household.worker() });
    const { breaker, rate, ...plexShape } = statusShape.targets.plex;
    expect(shapeOf(status)).toEqual({
      ...statusShape,
      stash: shapeOf(status.stash), // perhaps not asked yet
      targets: {
        plex: {
          ...plexShape,
          latency: shapeOf(status.targets.plex?.latency), // as far as it was called
          url: shapeOf(status.targets.plex?.url),
          breaker: {
            ...breaker,
            cause: 'string',
            since: 'time',
            retryAt: 'time',
            errorRate: errorRate(status),
          },
          rate: { ...rate, perSecond: 'number', cap: 'number' },
        },
      },
    });
    expect(status.targets.plex?.rate).toMatchObject({ perSecond: 0 });
    await runTask(household, 'Status');
    expect(stash.log.messages('info').join('\n')).toMatch(
      /\(HTTP 503\)\. So it is since \d\d:\d\d\. 1 scene waits\. Next try in /,
    );
  });
});

it('a mode that nobody knows is answered with those that there are', async ({ expect, onTestFinished }) => {
  const { stash } = await home({ scenes: 0 }, onTestFinished);
  await expect(ask(stash, 'sync_everything')).rejects.toThrow(
    '"mode" is "sync_everything", but must be one of process, sync_all, sync_recent, pause, resume, clear_queue, health, reset_breaker, reconcile, explain, dry_run, dead_letters, retry_dead_letters, discard_dead_letters, status, outages, metrics',
  );
  await expect(stash.runOperation('sluice', {})).rejects.toThrow('"mode" is ""');
  await expect(ask(stash, 'toString')).rejects.toThrow('must be one of');
});

describe.concurrent('the task "Process queue"', () => {
  it('shows the progress until nothing is left, and says so', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 10 }, onTestFinished);
    const { stash, plex } = household;
    await ask(stash, 'pause');
    await stash.editMany(household.scenes, { studio_id: String(household.studios[0]) });
    await until('all wait', () => household.status()?.queue.waiting === 10);
    expect(await runTask(household, 'Process queue')).toContain(
      '10 wait. Paused: run \\"Resume\\" to go on.',
    );
    plex.latencyMs = 150;
    await ask(stash, 'resume');
    const query = 'mutation { runPluginTask(plugin_id: "sluice", task_name: "Process queue") }';
    const { runPluginTask: id } = await stash.gql<{ runPluginTask: string }>(query);
    const progress = async () => {
      const asked = 'query($id: ID!) { findJob(input: { id: $id }) { progress } }';
      const { findJob } = await stash.gql<{ findJob: { progress: number } | null }>(asked, { id });
      return findJob?.progress ?? 0;
    };
    await until('a part is done', async () => (await progress()) > 0);
    expect(await progress()).toBeLessThan(1);
    plex.latencyMs = 0;
    const job = await stash.jobEnded(id);
    expect(job).toMatchObject({ status: 'FINISHED', progress: 1 });
    expect(await household.differences()).toEqual([]);
    expect(stash.log.messages('debug').join('\n')).toMatch(
      /Plugin returned: "\d+ scenes? processed, 0 wait\. Nothing is left to do\."/,
    );
  });

  it('starts a worker when there is none, and counts what that does at once', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 3 }, onTestFinished);
    household.scenes.forEach((scene) => {
      household.changeSilently(scene, { title: `Scene ${scene}` });
      household.leaveEvent(scene);
    });
    expect(household.workers()).toEqual([]);
    expect(await ask(household.stash, 'process')).toBe('3 scenes processed, 0 wait. Nothing is left to do.');
    expect(await household.differences()).toEqual([]);
  });

  it('does not sit out an outage, and says when the next try is', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 1, settings: { flowOpenSeconds: 60 } }, onTestFinished);
    const { stash, plex } = household;
    await plex.goDown();
    await stash.edit({ id: 1, title: 'Later' });
    const from = Date.now();
    const answer = await runTask(household, 'Process queue');
    expect(Date.now() - from).toBeLessThan(15_000);
    expect(answer).toMatch(
      /0 scenes processed, 1 waits\. Plex is not answering \(connection refused\)\. The next try is in (1 min )?\d+ ?s?/,
    );
  });

  it('says what is missing when nothing is configured', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 1, configured: false }, onTestFinished);
    const { stash } = household;
    await stash.edit({ id: 1, title: 'Waits' });
    expect(await ask(stash, 'process')).toMatch(/1 waits\. .*set "Plex address" and "Plex token"/);
  });
});

describe.concurrent('the task "Sync all scenes"', () => {
  it('costs a scene that agrees one look, and finds what nobody told of [lesson 20: an empty queue is a queue]', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 4 }, onTestFinished);
    const { stash, plex } = household;
    for (const scene of [1, 2]) await stash.edit({ id: scene, title: `Known ${scene}` });
    await household.drained();
    household.changeSilently(3, { title: 'Nobody told' });
    plex.clearRecords();
    expect(await ask(stash, 'sync_all')).toBe('4 scenes are queued.');
    await household.drained();
    expect(await household.differences()).toEqual([]);
    for (const scene of [1, 2]) {
      const key = plex.itemByFile(household.file(scene))?.ratingKey;
      const about = plex.requests.filter(({ path }) => path === `/library/metadata/${key}`);
      expect(about.map(({ method }) => method)).toEqual(['GET']);
    }
    // The other two had to be found first, and both got their picture.
    expect(plex.counts).toMatchObject({ find: 2, item: 4, images: 4, upload: 4, edit: 2 });
  });

  it('goes through 3,000 scenes page by page, and "Clear queue" forgets them when it was a mistake', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 3_000 }, onTestFinished);
    const { stash, plex } = household;
    await plex.goDown();
    const answer = await runTask(household, 'Sync all scenes');
    expect(answer).toContain('3000 scenes are queued.');
    expect(stash.count('findScenes')).toBe(3);
    const pages = stash.requests.entries.filter(
      ({ byPerson, fields }) => !byPerson && fields.includes('findScenes'),
    );
    expect(pages.map(({ variables }) => variables)).toMatchObject(
      [0, 1_000, 2_000].map((after) => ({ scenes: { id: { value: after } }, page: { per_page: 1_000 } })),
    );
    await until('all wait', () => household.status()?.queue.waiting === 3_000);
    expect(jobsOnDisk(household)).toHaveLength(3_000);
    expect(jobsOnDisk(household).every(({ bulk, asked, attempts }) => bulk && asked && attempts === 0)).toBe(
      true,
    );

    expect(await runTask(household, 'Clear queue')).toContain('3000 waiting jobs were forgotten.');
    await until('nothing waits', () => household.status()?.queue.waiting === 0);
    expect(jobsOnDisk(household)).toEqual([]);
    await plex.comeBack();
    await household.tryPlexNow();
    await stash.edit({ id: 7, title: 'Only this one' });
    await household.drained();
    expect(plex.counts).toMatchObject({ find: 1, edit: 1 });
    expect(await household.differences([7])).toEqual([]);
  });

  it('is what the person is told of once after the first configuration, until they ran it', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1, configured: false }, onTestFinished);
    const { stash, state } = household;
    const told = () =>
      stash.log.messages('warning').filter((message) => message.includes('Sync all scenes')).length;
    const notice = () => (existsSync(state.notice) ? readFileSync(state.notice, 'utf8') : '');
    const save = () => stash.edit({ id: 1, title: `Take ${stash.runs.entries.length}` });
    await save();
    await until('it waits', () => household.status()?.queue.waiting === 1);
    expect(told()).toBe(0);
    await household.configure();
    await until('there is something to say', () => notice().includes('Sync all scenes'));
    expect(notice()).not.toContain('Plex address');
    for (let n = 0; n < 3; n++) await save();
    expect(told()).toBe(1);
    // Nor does the next worker repeat it.
    household.killWorkers();
    await workerEnded(household);
    await save();
    await household.drained();
    await until('the settings were read', () => plexIn(household)?.url !== null);
    await save();
    expect(told()).toBe(1);
    expect(notice()).toContain('Sync all scenes');

    await runTask(household, 'Sync all scenes');
    await until('nothing is to be said', () => !existsSync(state.notice));
    await save();
    expect(told()).toBe(1);
  });
});

describe.concurrent('the task "Sync recent scenes"', () => {
  it('queues the scenes that changed in the last hours, 24 unless told, and refuses what is no number', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 4 }, onTestFinished);
    const { stash } = household;
    await ask(stash, 'pause');
    for (const [scene, hours] of [1, 23, 30, 24 * 365].entries()) {
      const record = stash.store.scenes.get(scene + 1);
      if (record) record.updatedAt = hoursAgo(hours);
    }
    const queued = async () => {
      await until('all are queued', () => household.status()?.queue.waiting === jobsOnDisk(household).length);
      const scenes = jobsOnDisk(household).map(({ scene }) => scene);
      await ask(stash, 'clear_queue');
      return scenes.sort((a, b) => a - b);
    };
    expect(await runTask(household, 'Sync recent scenes')).toContain('2 scenes are queued.');
    expect(await queued()).toEqual([1, 2]);
    expect(await ask(stash, 'sync_recent', { hours: 48 })).toBe('3 scenes are queued.');
    expect(await queued()).toEqual([1, 2, 3]);
    expect(await runTask(household, 'Sync recent scenes', { hours: '48' })).toContain('3 scenes are queued.');
    expect(await queued()).toEqual([1, 2, 3]);
    expect(await ask(stash, 'sync_recent', { hours: '0.5' })).toBe('0 scenes are queued.');
    for (const hours of ['soon', 0]) {
      await expect(ask(stash, 'sync_recent', { hours })).rejects.toThrow(
        `"hours" is ${JSON.stringify(hours)}, but must be a number above 0 and at most `,
      );
    }
    expect(await queued()).toEqual([]);
  });
});

describe.concurrent('the tasks "Pause" and "Resume"', () => {
  it('keep what is saved meanwhile, also over a crash, and send it then', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 2 }, onTestFinished);
    const { stash, plex } = household;
    await stash.edit({ id: 1, title: 'Before' });
    await household.drained();
    expect(await runTask(household, 'Pause')).toContain('Paused: edits are recorded');
    plex.clearRecords();
    await stash.edit({ id: 1, title: 'Meanwhile' });
    household.killWorkers();
    await workerEnded(household);
    await stash.edit({ id: 2, title: 'Meanwhile, too' });
    await until(
      'both wait',
      () => household.status()?.queue.waiting === 2 && plexIn(household)?.url !== null,
    );
    expect(household.status()).toMatchObject({
      paused: true,
      targets: { plex: { rate: { perSecond: 0, limitedBy: 'paused' }, breaker: { state: 'CLOSED' } } },
    });
    expect(plex.requests).toEqual([]);
    expect(await ask(stash, 'resume')).toBe('Going on.');
    await household.drained();
    expect(household.status()).toMatchObject({
      paused: false,
      targets: { plex: { rate: { perSecond: null, limitedBy: 'none' } } },
    });
    expect(await household.differences()).toEqual([]);
  });
});
