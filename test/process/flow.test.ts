/** The regulated flow as a person meets it: real workers, a Plex with troubles, a second one, and what is told. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'vitest';
import { type Household, until } from '../sim/household';
import { PlexSim } from '../sim/plex/plex-sim';
import { home } from '../support/home';
import { attentive, jobsOnDisk, plexIn, workerEnded } from '../support/worker-life';

const ask = <T = string>({ stash }: Household, mode: string): Promise<T> =>
  stash.runOperation<T>('sluice', { mode });

const notice = ({ state }: Household): string =>
  existsSync(state.notice) ? readFileSync(state.notice, 'utf8') : '';

interface OutageRecord {
  target: string;
  start: string;
  end: string | null;
  cause: string;
  jobsWaiting: number;
}

const outagesOf = ({ state }: Household): OutageRecord[] =>
  (JSON.parse(readFileSync(state.outages, 'utf8')) as { outages: OutageRecord[] }).outages;

/** A second Plex with the same files, beside a household that has a state folder and a worker. */
async function attic(household: Household, onTestFinished: TestContext['onTestFinished']): Promise<PlexSim> {
  const plex = await PlexSim.start({
    token: 'the-token-of-the-attic',
    libraries: [{ title: 'Films', locations: ['/media'] }],
  });
  onTestFinished(() => plex.stop());
  for (const scene of household.scenes) plex.addItem({ library: 'Films', file: household.file(scene) });
  await household.stash.edit({ id: 1, title: 'Makes the folder' });
  await household.drained();
  return plex;
}

function writeServers({ state }: Household, servers: unknown): void {
  writeFileSync(state.servers, JSON.stringify(servers), { mode: 0o600 });
}

const entryOf = (plex: PlexSim) => ({ url: plex.url, token: plex.token, pathMap: '/data => /media' });

const titleIn = (plex: PlexSim, household: Household, scene: number) =>
  plex.itemByFile(household.file(scene))?.title;

describe.concurrent('the flow', () => {
  it.for<[form: string, retryAfter: () => number | Date]>([
    ['seconds', () => 4],
    ['a date', () => new Date(Date.now() + 10_000)],
  ])(
    'keeps to a Retry-After in %s, charges nobody, and goes on by itself',
    async ([, retryAfter], { expect, onTestFinished }) => {
      const household = await home({ scenes: 2, env: attentive }, onTestFinished);
      const { stash, plex } = household;
      await stash.edit({ id: 1, title: 'Before' });
      await household.drained();
      plex.setFault({ kind: 'too-many-requests', retryAfter: retryAfter(), times: 1 });
      await stash.edit({ id: 2, title: 'Too soon' });
      await until('it waits as asked', () => plexIn(household)?.cooldown.retryAfter !== null);
      const refused = plex.requests.find(({ status }) => status === 429)?.at ?? Number.NaN;
      const { breaker, cooldown, rate } = plexIn(household) ?? {};
      expect(breaker?.state).toBe('CLOSED');
      expect(rate?.perSecond).toBe(0);
      const askedUntil = Date.parse(cooldown?.retryAfter ?? '');
      expect(askedUntil).toBeGreaterThan(refused);
      expect(jobsOnDisk(household)).toMatchObject([{ scene: 2, attempts: 0 }]);
      await household.drained();
      const next = plex.requests.find(({ at, status }) => at > refused && status === 200);
      expect(next?.at).toBeGreaterThanOrEqual(askedUntil);
      expect(await household.differences()).toEqual([]);
      expect(plexIn(household)).toMatchObject({
        retried: 0,
        failed: 0,
        cooldown: { generations: 1, parked: 0 },
      });
    },
  );

  it('goes on by itself when a Plex that was starting is ready, and the outage is in the list, once', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home(
      {
        scenes: 4,
        env: { ...attentive, SLUICE_FLOW_COOLDOWN_SECONDS: '0.1' },
        settings: { flowOpenSeconds: 1, flowRecoverySeconds: 2 },
      },
      onTestFinished,
    );
    const { stash, plex } = household;
    await stash.edit({ id: 1, title: 'Before' });
    await household.drained();
    plex.setFault({ kind: 'maintenance' });
    for (const id of [1, 2, 3]) await stash.edit({ id, title: `While it starts ${id}` });
    await until('nothing is sent', () => plexIn(household)?.breaker.state === 'OPEN');
    await until('the outage is noted', () => existsSync(household.state.outages));
    household.killWorkers();
    await workerEnded(household);
    plex.setFault(null);
    await stash.edit({ id: 4, title: 'Starts the next worker' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
    await until('the outage is over', () => outagesOf(household).every(({ end }) => end !== null));
    const outages = outagesOf(household);
    expect(outages).toHaveLength(1);
    expect(outages[0]).toMatchObject({ target: 'plex', cause: expect.stringContaining('HTTP 503') });
    expect(outages[0]?.jobsWaiting).toBeGreaterThanOrEqual(3);
    const told = await ask<{ targets: Record<string, { availability: number }> }>(household, 'outages');
    expect(JSON.stringify(told)).toContain('availability');
    expect(plexIn(household)?.failed).toBe(0);
  });

  it('tells a person of an outage and its end at the address that they gave, and keeps that secret', async ({
    expect,
    onTestFinished,
  }) => {
    const texts: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const { text, content } = JSON.parse(body) as { text: string; content: string };
        expect(content).toBe(text);
        texts.push(text);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const notifyUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/nobody-may-see-this`;
    const settings = { notifyUrl, flowOpenSeconds: 1, flowRecoverySeconds: 2 };
    const household = await home({ scenes: 2, env: attentive, settings }, onTestFinished);
    const { stash, plex } = household;
    await plex.goDown();
    await stash.edit({ id: 1, title: 'Waits' });
    await until('it is told', () => texts.length === 1);
    await plex.comeBack();
    await until('all is told', () => texts.length === 3);
    expect(texts[0]).toMatch(/^Sluice has sent nothing to Plex since .*connection refused.* 1 scene waits\./);
    expect(texts[1]).toMatch(/^Plex is well again\./);
    expect(texts[2]).toMatch(/^The recovery of Plex is over/);
    await household.drained();
    const files = ['worker.log', 'status.json', 'metrics.prom', 'outages.json'];
    const written = files.map((name) => readFileSync(join(household.state.root, name), 'utf8')).join();
    expect(written + notice(household)).not.toContain('nobody-may-see-this');
  });

  it('answers what health, metrics and the breaker are asked for', async ({ expect, onTestFinished }) => {
    const household = await home({ scenes: 3, env: attentive }, onTestFinished);
    const { stash, plex } = household;
    await stash.edit({ id: 1, title: 'Before' });
    await household.drained();
    const well = await ask(household, 'health');
    expect(well).toContain('Films');
    expect(well).toMatch(/3 /);
    expect(await ask(household, 'reset_breaker')).toContain('nothing to hurry');
    const metrics = await ask(household, 'metrics');
    expect(metrics).toMatch(/^sluice_.*target="plex".* \d/m);
    expect(readFileSync(household.state.metrics, 'utf8')).toContain('sluice_info{');
    await plex.goDown();
    await stash.edit({ id: 1, title: 'Waits' });
    await until('nothing is sent', () => plexIn(household)?.breaker.state === 'OPEN');
    expect(await ask(household, 'health')).toContain('connection refused');
    expect(plexIn(household)?.breaker.state).toBe('OPEN');
    await plex.comeBack();
    expect(await ask(household, 'reset_breaker')).toContain('The next try is now (plex).');
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });
});

describe.concurrent('of two servers', () => {
  it('one that is down holds up the other in nothing, and is brought in step when it is back', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 20, env: attentive }, onTestFinished);
    const { plex, scenes } = household;
    const second = await attic(household, onTestFinished);
    writeServers(household, { attic: entryOf(second) });
    await until('it is known', () => household.status()?.targets.attic?.url === second.url);
    await second.goDown();
    for (const scene of scenes) household.changeSilently(scene, { title: `For both ${scene}` });
    household.leaveEvent(1, { ids: scenes.map(String) });
    await until('one is in step', async () => (await household.differences()).length === 0);
    await until(
      'the other is given a rest',
      () => household.status()?.targets.attic?.breaker.state === 'OPEN',
    );
    await until('nothing waits for the one', () => plexIn(household)?.queue.waiting === 0);
    const { targets, queue } = household.status() ?? {};
    expect(targets?.plex).toMatchObject({ breaker: { state: 'CLOSED' }, queue: { waiting: 0 } });
    expect(targets?.attic).toMatchObject({ done: 0, queue: { waiting: 20 } });
    expect(queue?.waiting).toBe(20);
    expect(notice(household)).toContain('attic: ');
    await second.comeBack();
    expect(await household.tryPlexNow()).toContain('(attic)');
    await household.drained();
    for (const scene of scenes) expect(titleIn(second, household, scene)).toBe(`For both ${scene}`);
    expect(plex.violations).toEqual([]);
    expect(second.violations).toEqual([]);
    expect(existsSync(join(household.state.targets, 'attic', 'ledger.ndjson'))).toBe(true);
  });

  it('one with a mistake in the file is named with its field, and the other works on', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 2, env: attentive }, onTestFinished);
    const { stash } = household;
    const second = await attic(household, onTestFinished);
    writeServers(household, { attic: { ...entryOf(second), url: 'ftp://nowhere' } });
    await until('it is said', () => /"url" of "attic"/.test(notice(household)));
    await stash.edit({ id: 2, title: 'Reaches the one' });
    await until('it arrives', () => household.inPlex(2)?.title === 'Reaches the one');
    const kept = () => household.status()?.targets.attic;
    await until('it waits for the other', () => kept()?.queue.waiting === 1);
    expect(kept()?.url).toBeNull();
    writeServers(household, { attic: entryOf(second) });
    await household.drained();
    expect(titleIn(second, household, 2)).toBe('Reaches the one');
    expect(household.log()).not.toContain(second.token);
  });

  it('one that leaves the file is sent nothing more, and what waits for it is there when it comes back', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 2, env: attentive }, onTestFinished);
    const { stash } = household;
    const second = await attic(household, onTestFinished);
    writeServers(household, { attic: entryOf(second) });
    await until('it is known', () => household.status()?.targets.attic?.url === second.url);
    await second.goDown();
    await stash.edit({ id: 1, title: 'Waits for the attic' });
    await until('it waits', () => household.status()?.targets.attic?.queue.waiting === 1);
    writeServers(household, {});
    await until('it is gone', () => household.status()?.targets.attic === undefined);
    await household.drained();
    await second.comeBack();
    await stash.edit({ id: 2, title: 'Not for the attic' });
    await household.drained();
    household.killWorkers();
    await workerEnded(household);
    writeServers(household, { attic: entryOf(second) });
    household.startWorker(attentive);
    await until('it is back', () => household.status()?.targets.attic?.url === second.url);
    await household.tryPlexNow();
    await household.drained();
    expect(titleIn(second, household, 1)).toBe('Waits for the attic');
    expect(titleIn(second, household, 2)).not.toBe('Not for the attic');
  });
});
