/** What others learned the hard way, in a whole home: real processes between a Stash and a Plex. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { until } from '../sim/household';
import { parseManifest } from '../sim/stash/manifest';
import { home } from '../support/home';
import { repository } from '../support/plugin-folder';
import { workerEnded } from '../support/worker-life';

describe.concurrent('a home', () => {
  it('keeps what an edit did not name, though its hook says null of it [lesson 15: what a hook says of a scene is not its metadata, which is fetched]', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    const { stash } = household;
    await stash.edit(household.someEdit(1, 13));
    await household.drained();
    const before = household.inPlex(1);
    expect(before).toMatchObject({ summary: expect.stringContaining('Notes 13'), actors: { length: 3 } });

    const { args } = stash.hookInput('Scene.Update.Post', 1, { id: '1', title: 'Only the title' });
    expect(args).toMatchObject({
      hookContext: { input: { details: null, date: null, performer_ids: null } },
    });
    await stash.edit({ id: 1, title: 'Only the title' });
    await household.drained();
    expect(household.inPlex(1)).toEqual({ ...before, title: 'Only the title', sortTitle: 'Only the title' });
  });

  it('brings an edit to Plex while a job of Stash runs, and does not ask for the jobs [lesson 16: nothing waits for the jobs of Stash]', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    const { stash } = household;
    const over = join(household.dir, 'over');
    const folder = join(household.pluginDir, '..', 'slow');
    mkdirSync(folder);
    writeFileSync(join(folder, 'slow.sh'), `until [ -e '${over}' ]; do sleep 0.1; done; echo '{}'\n`);
    writeFileSync(
      join(folder, 'slow.yml'),
      'name: Slow\ninterface: raw\nexec:\n  - sh\n  - "{pluginDir}/slow.sh"\ntasks:\n  - name: Take long\n',
    );
    stash.host.reload();
    let ended = false;
    const job = stash.runTask('slow', 'Take long').finally(() => {
      ended = true;
    });
    await until('the job runs', () => stash.runs.entries.length > 0);
    await stash.edit({ id: 1, title: 'In the middle of a scan' });
    await household.drained();
    expect(await household.differences()).toEqual([]);
    expect(ended).toBe(false);
    expect([stash.count('jobQueue'), stash.count('findJob')]).toEqual([0, 0]);
    writeFileSync(over, '');
    expect(await job).toMatchObject({ status: 'FINISHED', error: null });
  });

  it('writes again what did not arrive at the first try [lesson 17: success is recorded last]', async ({
    expect,
    onTestFinished,
  }) => {
    const env = { SLUICE_FLOW_TRANSIENT_BASE_SECONDS: '0.1', SLUICE_FLOW_TRANSIENT_MAX_SECONDS: '0.1' };
    const household = await home({ scenes: 2, env }, onTestFinished);
    const { stash, plex } = household;
    plex.setFault({ kind: 'server-error', on: 'edit', times: 1 });
    await stash.edit({ id: 1, title: 'Refused at first' });
    await household.drained();
    expect(plex.requests.filter(({ kind }) => kind === 'edit').map(({ status }) => status)).toEqual([
      500, 200,
    ]);
    expect(await household.differences([1])).toEqual([]);

    // Not even known to have failed: the worker dies while Plex has not answered.
    plex.clearRecords();
    plex.setFault({ kind: 'hang', on: 'edit', times: 1 });
    await stash.edit({ id: 2, title: 'Interrupted' });
    await until('Plex is asked', () => plex.counts.edit === 1);
    household.killWorkers();
    await workerEnded(household);
    household.startWorker();
    await household.drained();
    expect(await household.differences()).toEqual([]);
  });

  it('is the same device to Plex in every life of the worker [lesson 23: the client identifier is stable]', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 3 }, onTestFinished);
    const names = () =>
      household.plex.requests.map(({ headers }) => String(headers['x-plex-client-identifier']));
    for (const scene of household.scenes) {
      await household.stash.edit({ id: scene, title: `Life ${scene}` });
      await household.drained();
      household.killWorkers();
      await workerEnded(household);
    }
    expect(household.log().match(/at work \(process/g)?.length).toBeGreaterThanOrEqual(3);
    expect(new Set(names()).size).toBe(1);
    expect(names()[0]).toMatch(/^[\da-f-]{36}$/);
  });

  it('says what a task found where Stash shows it by default [lesson 26: nothing that a person should read is below info]', async ({
    expect,
    onTestFinished,
  }) => {
    const household = await home({ scenes: 1 }, onTestFinished);
    const { stash } = household;
    const path = join(repository, 'plugin.yml');
    const manifest = parseManifest(path, readFileSync(path, 'utf8'));
    expect(manifest.errLog).toBe('info'); // what has no level of its own, such as the last words of a crash
    await stash.edit({ id: 1, title: 'First' });
    await household.drained();
    // The one that only answers whoever asked, in a form for machines.
    const spoken = manifest.tasks.filter(({ defaultArgs }) => defaultArgs.mode !== 'metrics');
    for (const { name } of spoken) {
      const before = stash.log.entries.length;
      await stash.runTask('sluice', name);
      const said = stash.log.entries
        .slice(before)
        .filter(({ message }) => message.startsWith('[Plugin / Sluice]'));
      expect(said.length, name).toBeGreaterThan(0);
      expect(
        said.filter(({ level }) => level === 'debug' || level === 'trace'),
        name,
      ).toEqual([]);
    }
  });
});
