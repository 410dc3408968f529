import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import type { TargetStatus } from '../../src/shared/status';
import { type Household, until } from '../sim/household';
import type { Fault } from '../sim/plex/faults';
import { home } from '../support/home';
import { attentive, jobsOnDisk, livesOn, plexIn, workerEnded } from '../support/worker-life';

const notice = ({ state }: Household): string =>
  existsSync(state.notice) ? readFileSync(state.notice, 'utf8') : '';

const isOpen = (household: Household) => () => plexIn(household)?.breaker.state === 'OPEN';

const at = (time: string | null | undefined): number => (time ? Date.parse(time) : Number.NaN);

/** Nobody should have to wait for a cooldown, or for half a minute until a server counts as hung. */
const impatient = (fault: Fault | null) => ({
  SLUICE_FLOW_COOLDOWN_SECONDS: '0.1',
  ...(fault?.kind === 'hang' && { SLUICE_FLOW_REQUEST_SECONDS: '2' }),
});

type Trouble = [what: string, fault: Fault | null, cause: string, inARow: Partial<TargetStatus['breaker']>];

const failures = { failuresInARow: 5 };
const overloads = { overloadsInARow: 3 };

/** Null: Plex is not there at all. */
const troubles: Trouble[] = [
  ['is gone', null, 'Plex is not answering (connection refused).', failures],
  ['starts', { kind: 'maintenance' }, 'Plex is overloaded or still starting (HTTP 503).', overloads],
  [
    'has too much to do',
    { kind: 'too-many-requests' },
    'Plex is overloaded or still starting (HTTP 429).',
    overloads,
  ],
  ['cuts connections', { kind: 'reset' }, 'Plex is not answering (connection lost).', failures],
  ['hangs', { kind: 'hang' }, 'Plex is not answering (no answer within 2 s).', failures],
  ['breaks off', { kind: 'truncate' }, 'Plex is not answering (connection lost).', failures],
  [
    'takes no token',
    { kind: 'unauthorised' },
    'Plex does not accept the token (HTTP 401).',
    { failuresInARow: 1 },
  ],
  [
    'fails on writes only',
    { kind: 'reset', on: 'edit' },
    'Plex is not answering (connection lost).',
    failures,
  ],
];

describe.concurrent('while Plex', () => {
  it.for(troubles)(
    '%s, edits are kept, nothing is charged, and all is in step afterwards',
    async ([, fault, cause, inARow], { expect, onTestFinished }) => {
      const env = { ...attentive, ...impatient(fault) };
      const household = await home({ scenes: 3, env }, onTestFinished);
      const { stash, plex } = household;
      await stash.edit({ id: 1, title: 'Before' });
      await household.drained();
      const from = Date.now();
      if (fault) plex.setFault(fault);
      else await plex.goDown();
      await stash.edit({ id: 1, title: 'The first to find out', tag_ids: household.tags.map(String) });
      await until('nothing is sent', isOpen(household));
      await stash.edit({ id: 2, title: 'During' });
      await stash.edit({ id: 2, title: 'During, once more' });
      await until('both wait', () => household.status()?.queue.waiting === 2);
      await until('it is said', () => notice(household).includes(cause));

      const { breaker, rate, failed } = plexIn(household) ?? {};
      expect(breaker).toMatchObject({ state: 'OPEN', ...inARow });
      expect(breaker?.cause).toContain(cause);
      expect(at(breaker?.since)).toBeGreaterThanOrEqual(from);
      expect(at(breaker?.since)).toBeLessThanOrEqual(Date.now());
      const openMs = at(breaker?.retryAt) - at(breaker?.since);
      expect(openMs).toBeGreaterThanOrEqual(60_000);
      expect(openMs).toBeLessThanOrEqual(72_001);
      expect(rate).toMatchObject({ perSecond: 0, limitedBy: 'breaker' });
      expect(failed).toBe(0);
      expect(
        jobsOnDisk(household).map(({ scene, attempts, reason }) => ({ scene, attempts, reason })),
      ).toEqual([1, 2].map((scene) => ({ scene, attempts: 0, reason: null })));
      expect(household.status()).toMatchObject({ deadLetters: 0, queue: { due: 2, retrying: 0 } });
      expect(notice(household)).toContain(`Nothing is sent to Plex: ${breaker?.cause}`);

      // Whoever saves reads in Stash's log what is the matter, once.
      for (const title of ['During, a third time', 'During, a fourth time'])
        await stash.edit({ id: 2, title });
      expect(stash.log.messages('warning').filter((message) => message.includes(cause))).toHaveLength(1);

      if (fault) plex.setFault(null);
      else await plex.comeBack();
      await household.tryPlexNow();
      await stash.edit({ id: 3, title: 'After' });
      await household.drained();
      expect(await household.differences()).toEqual([]);
      expect(plexIn(household)?.breaker).toMatchObject({ state: 'CLOSED', cause: null, retryAt: null });
      expect(plexIn(household)).toMatchObject({ failed: 0, breaker: { failuresInARow: 0 } });
      await until('the notice is gone', () => !notice(household).includes('Nothing is sent'));
    },
  );

  it('stays away, it is asked once per period, and the count goes up', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 1, settings: { flowOpenSeconds: 1 } }, onTestFinished);
    const { stash, plex } = household;
    plex.setFault({ kind: 'maintenance' });
    await stash.edit({ id: 1, title: 'Patience' });
    await until('it was asked', isOpen(household));
    const first = plexIn(household)?.breaker;
    plex.clearRecords();
    await until('it was asked again', () => (plexIn(household)?.breaker.failuresInARow ?? 0) >= 3);
    const later = plexIn(household)?.breaker;
    expect(later?.since).toBe(first?.since);
    expect(at(later?.retryAt)).toBeGreaterThan(at(first?.retryAt));
    // Questions whether it is well, never a job.
    expect(new Set(plex.requests.map(({ path }) => path))).toEqual(new Set(['/']));
    expect(plex.requests.length).toBeLessThanOrEqual(4);
    plex.setFault(null);
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });

  it('is held back, a worker that takes over asks no sooner than the one that was killed would have', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 2, env: attentive }, onTestFinished);
    const { stash, plex } = household;
    plex.setFault({ kind: 'maintenance' });
    await stash.edit({ id: 1, title: 'Waits' });
    await until('nothing is sent', isOpen(household));
    const before = plexIn(household)?.breaker;
    household.killWorkers();
    await workerEnded(household);
    plex.clearRecords();
    await stash.edit({ id: 2, title: 'Starts another' });
    await until(
      'it has read the settings',
      () => household.status()?.queue.waiting === 2 && plexIn(household)?.url === plex.url,
    );
    const now = (await livesOn(household, 500)).targets.plex?.breaker;
    expect(now).toMatchObject({ state: 'OPEN', since: before?.since, retryAt: before?.retryAt });
    expect(plex.requests).toEqual([]);
    plex.setFault(null);
    await household.tryPlexNow();
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });
});

describe.concurrent('a token that', () => {
  it('Plex does not accept is said, and another one is tried as soon as it is entered', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1, settings: { plexToken: 'the-wrong-token' } }, onTestFinished);
    const { stash, plex } = household;
    await stash.edit({ id: 1, title: 'With the right token' });
    await until('it is said', () => notice(household).includes('Plex does not accept the token (HTTP 401)'));
    await until('nothing is sent', isOpen(household));
    expect(plexIn(household)?.breaker.failuresInARow).toBe(1);
    expect(jobsOnDisk(household)).toMatchObject([{ attempts: 0 }]);
    expect(plex.requests.every(({ path }) => path === '/')).toBe(true);
    const from = Date.now();
    await household.configure();
    await until('it is tried', () =>
      plex.requests.some(({ status, kind }) => kind === 'edit' && status === 200),
    );
    expect(Date.now() - from).toBeLessThan(10_000); // it would be a minute
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });

  it('may read but not edit is said as such, costs no attempt, and is over with that of the owner', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home(
      {
        scenes: 2,
        plex: { guestToken: 'the-token-of-a-guest' },
        settings: { plexToken: 'the-token-of-a-guest' },
      },
      onTestFinished,
    );
    const { stash, plex } = household;
    await stash.edit({ id: 1, title: 'Refused' });
    await until('it is said', () =>
      notice(household).includes('The token may read from Plex but not edit (HTTP 403)'),
    );
    await stash.edit({ id: 2, title: 'Not even tried' });
    await until('both wait', () => household.status()?.queue.waiting === 2);
    expect(plexIn(household)?.breaker.state).toBe('OPEN');
    expect(jobsOnDisk(household)).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
    expect(plex.counts).toMatchObject({ upload: 1, edit: 0 }); // the picture goes first
    expect(household.status()?.deadLetters).toBe(0);
    await household.configure();
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });
});

describe.concurrent('while Stash is away', () => {
  it('that is said as such, Plex is not blamed, and all is in step when it is back', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 2, env: attentive }, onTestFinished);
    const { stash, plex } = household;
    await stash.edit({ id: 1, title: 'Before' });
    await household.drained();
    const wellSince = household.status()?.stash.since;
    household.changeSilently(1, { title: 'The hook was the last thing that it did' });
    household.changeSilently(2, { title: 'This, too' });
    await stash.stop();
    plex.clearRecords();
    const from = Date.now();
    for (const scene of [1, 2]) household.leaveEvent(scene);
    await until('it is noticed', () => household.status()?.stash.reachable === false);
    await until('it is said', () => notice(household).includes('Sluice cannot read from Stash'));
    const { stash: health, queue, deadLetters } = household.status() ?? {};
    expect(health).toEqual({
      reachable: false,
      since: health?.since,
      error: 'Stash is not answering (connection refused).',
    });
    expect(health?.since).not.toBe(wellSince);
    expect(at(health?.since)).toBeGreaterThanOrEqual(from - 1_000); // a poll may have come first
    expect(queue).toMatchObject({ waiting: 2, due: 2 });
    expect(deadLetters).toBe(0);
    expect(jobsOnDisk(household)).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
    expect(plexIn(household)?.breaker).toMatchObject({ state: 'CLOSED', failuresInARow: 0, cause: null });
    expect(plex.requests).toEqual([]);

    await stash.restart();
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(household.status()?.stash).toMatchObject({ reachable: true, error: null });
    expect(at(household.status()?.stash.since)).toBeGreaterThan(at(health?.since));
    await until('the notice is gone', () => !notice(household).includes('cannot read from Stash'));
    expect(household.log()).toContain('Stash answers again.');
  });

  it('a worker that starts then goes on as soon as Stash is back, without any hook', async ({
    expect,
    onTestFinished,
  }) => {
    // Settings are asked for every 15 s, as in real life: the wait for Stash must not be as long as that.
    const household = await home({ scenes: 1, env: { SLUICE_POLL_SECONDS: '15' } }, onTestFinished);
    household.changeSilently(1, { title: 'While it was being restarted' });
    household.leaveEvent(1);
    await household.stash.stop();
    household.startWorker({ SLUICE_POLL_SECONDS: '15' });
    await until('it is noticed', () => household.status()?.stash.reachable === false);
    await household.stash.restart();
    await household.drained(10_000);
    expect(await household.differences()).toEqual([]);
  });
});
