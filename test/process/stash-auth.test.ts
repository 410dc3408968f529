import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { type Household, until } from '../sim/household';
import { modeOf } from '../support/files';
import { home } from '../support/home';
import { attentive, workerEnded } from '../support/worker-life';

const username = 'somebody';

/** Stash's time, which stands still unless the test lets it pass: no session expires because a machine is slow. */
function stashClock(): { now(): number; pass(seconds: number): void } {
  let now = Date.now();
  return {
    now: () => now,
    pass: (seconds) => {
      now += seconds * 1_000;
    },
  };
}

const ofWorker = ({ stash }: Household) => stash.requests.entries.filter(({ byPerson }) => !byPerson);

/** Resolves when the worker has been let in `times` more. */
async function letIn(household: Household, times = 1): Promise<void> {
  const answered = () => ofWorker(household).filter(({ status }) => status === 200).length;
  const before = answered();
  await until('Stash answers', () => answered() >= before + times);
}

/** The text of every file that Sluice keeps. */
function everyFile({ state }: Household): string {
  const files = readdirSync(state.root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map(({ parentPath, name }) => `${name}: ${readFileSync(join(parentPath, name), 'utf8')}`)
    .join('\n');
}

describe.concurrent('a Stash with a password', () => {
  it('and no API key is asked with the cookie of the last hook, which is renewed as long as the worker lives', async ({
    expect,
    onTestFinished,
  }) => {
    const clock = stashClock();
    const household = await home(
      { scenes: 2, env: attentive, stash: { username, clock, maxSessionAge: 1 } },
      onTestFinished,
    );
    const { stash } = household;
    await stash.edit({ id: 1, title: 'With a cookie' });
    await household.drained();
    const first = stash.runs.entries.at(-1)?.input.server_connection.SessionCookie.Value;
    // Each second makes another cookie necessary.
    for (let second = 0; second < 4; second++) {
      clock.pass(1);
      await letIn(household, 2);
    }
    const requests = ofWorker(household);
    expect(requests.every(({ headers }) => headers.cookie && !headers.apikey)).toBe(true);
    expect(requests.map(({ status }) => status)).not.toContain(401);
    expect(requests.at(-1)?.headers.cookie).not.toContain(first);

    await stash.restart();
    household.changeSilently(2, { title: 'After the restart' });
    household.leaveEvent(2);
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(modeOf(household.state.connection)).toBe('600');
  });

  it('whose session has expired is told in plain words, and the next save heals it', async ({
    expect,
    onTestFinished,
  }) => {
    const clock = stashClock();
    const household = await home({ scenes: 2, env: attentive, stash: { username, clock } }, onTestFinished);
    const { stash } = household;
    await stash.edit({ id: 1, title: 'Before' });
    await household.drained();
    clock.pass(2 * 3_600);
    await until('it is not let in', () => household.status()?.stash.reachable === false);
    const { stash: health } = household.status() ?? {};
    expect(health?.error).toContain('Stash no longer lets Sluice in: the session has expired.');
    expect(health?.error).toContain('Save something in Stash while you are logged in');
    expect(household.status()?.targets.plex?.breaker.state).toBe('CLOSED');
    await until('the person is told', () =>
      household.log().includes('Sluice cannot read from Stash: Stash no longer'),
    );

    await stash.edit({ id: 2, title: 'Logged in again' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(household.status()?.stash).toMatchObject({ reachable: true, error: null });
  });

  it('and an API key is asked with that, which is kept nowhere, and learned anew when it is replaced', async ({
    expect,
    onTestFinished,
  }) => {
    const clock = stashClock();
    const keys = ['the-first-api-key-of-stash', 'the-second-api-key-of-stash'] as const;
    const household = await home(
      { scenes: 3, env: attentive, stash: { username, apiKey: keys[0], clock } },
      onTestFinished,
    );
    const { stash } = household;
    const scenesAskedWith = () =>
      ofWorker(household)
        .filter(({ fields }) => fields.includes('findScene'))
        .map(({ headers }) => headers.apikey);
    await stash.edit({ id: 1, title: 'With a key' });
    await household.drained();
    expect(scenesAskedWith()).toEqual([keys[0]]);
    expect(ofWorker(household)[0]).toMatchObject({ fields: ['configuration'], status: 200 });
    expect(ofWorker(household)[0]?.headers.apikey).toBeUndefined();
    clock.pass(2 * 3_600); // the key outlives the session
    await letIn(household, 2);

    stash.credentials.apiKey = keys[1];
    await stash.edit({ id: 2, title: 'With another key' }); // and a new session
    await household.drained();
    household.changeSilently(3, { title: 'Once more' });
    household.leaveEvent(3);
    await household.drained();
    expect(scenesAskedWith().at(-1)).toBe(keys[1]);
    expect(household.status()?.stash).toMatchObject({ reachable: true });
    expect(await household.differences()).toEqual([]);

    stash.credentials.apiKey = ''; // the person removed it
    await until('the cookie has to do', () => ofWorker(household).at(-1)?.headers.cookie !== undefined);
    await letIn(household);
    for (const key of keys) expect(everyFile(household)).not.toContain(key);
    // The next worker has the cookie only, and reads the key again.
    stash.credentials.apiKey = keys[1];
    household.killWorkers();
    await workerEnded(household);
    household.changeSilently(1, { title: 'By the next worker' });
    household.leaveEvent(1);
    household.startWorker();
    await household.drained();
    expect(scenesAskedWith().at(-1)).toBe(keys[1]);
    expect(await household.differences()).toEqual([]);
  });
});

describe.concurrent('a Stash that', () => {
  it.for([
    ['listens everywhere, with a certificate that nobody signed', { https: true, host: '0.0.0.0', username }],
    ['listens everywhere, by IPv6', { host: '::', username }],
    ['has neither a password nor an address', { host: '' }],
  ] as const)('%s is reached on loopback', async ([, stash], { expect, onTestFinished }) => {
    const household = await home({ scenes: 1, stash }, onTestFinished);
    await household.stash.edit({ id: 1, title: 'From here' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(household.status()?.stash).toMatchObject({ reachable: true, error: null });
    expect(household.stash.runs.entries[0]?.input.server_connection).toMatchObject({
      Scheme: household.stash.url.split(':')[0],
      Host: stash.host,
    });
  });
});
