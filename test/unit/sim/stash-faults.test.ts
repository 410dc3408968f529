import { describe, expect, it } from 'vitest';
import { ask } from '../../sim/stash/person';
import type { StashSim } from '../../sim/stash/stash-sim';
import { tempDir } from '../../support/temp-dir';
import { startStash, writePlugin } from './stash-helpers';

const asPlugin = (stash: StashSim, query = '{version{version}}', signal?: AbortSignal) =>
  ask(`${stash.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    ...(signal ? { signal } : {}),
  });
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: NodeJS.ErrnoException) => error.code,
  );

describe('a Stash that is stopped', () => {
  it('refuses connections, and comes back on the same port with its library and settings', async () => {
    const stash = await startStash();
    const { port } = stash;
    stash.addScene({ title: 'Kelp' });
    await stash.configure('sluice', { plexUrl: 'x' });
    await stash.stop();
    expect(await codeOf(asPlugin(stash))).toBe('ECONNREFUSED');
    await stash.restart();
    expect(stash.port).toBe(port);
    expect(await stash.gql('{findScene(id:"1"){title} configuration{plugins}}')).toEqual({
      findScene: { title: 'Kelp' },
      configuration: { plugins: { sluice: { plexUrl: 'x' } } },
    });
  });

  it('ends the requests that are open, and the hooks that run', async () => {
    const dir = tempDir('stash');
    writePlugin(dir, 'probe', { script: 'exec sleep 60', hooks: ['Scene.Update.Post'] });
    const stash = await startStash({ dir });
    const saved = codeOf(stash.edit({ id: stash.addScene() }));
    const { pid } = await stash.runs.waitFor(() => true);
    await stash.stop();
    expect(await saved).toBe('ECONNRESET');
    expect(() => process.kill(pid, 0)).toThrow();
  });

  it('runs nothing of what still waits', async () => {
    const dir = tempDir('stash');
    writePlugin(dir, 'probe', {
      script: 'exec sleep 60',
      hooks: ['Scene.Create.Post'],
      manifest: 'tasks:\n  - name: T\n',
    });
    const stash = await startStash({ dir });
    for (const path of ['/data/1.mp4', '/data/2.mp4']) stash.disk.add(path);
    await stash.gql('mutation{metadataScan(input:{}) runPluginTask(plugin_id:"probe",task_name:"T")}');
    await stash.runs.waitFor(() => true);
    await stash.stop();
    await stash.restart();
    expect(await stash.gql('{jobQueue{id}}')).toEqual({ jobQueue: null });
    expect(stash.runs.entries.length).toBe(1);
  });

  it('forgets its jobs and reads its plugins anew', async () => {
    const dir = tempDir('stash');
    const stash = await startStash({ dir });
    await stash.scan();
    writePlugin(dir, 'probe', { script: ':' });
    expect(await stash.gql('{plugins{id}}')).toEqual({ plugins: null });
    await stash.restart();
    expect(await stash.gql('{plugins{id version enabled} findJob(input:{id:"1"}){id}}')).toEqual({
      plugins: [{ id: 'probe', version: '0.1.0', enabled: true }],
      findJob: null,
    });
  });
});

describe('a fault', () => {
  it('of a status meets as many requests as it should, and not the person’s', async () => {
    const stash = await startStash();
    stash.inject({ kind: 'status', status: 502, body: 'Bad Gateway', times: 2 });
    await stash.gql('{version{version}}');
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await asPlugin(stash)).status);
    expect(statuses).toEqual([502, 502, 200]);
  });

  it('meets only the requests that it is meant for, until it is cleared', async () => {
    const stash = await startStash();
    stash.inject({ kind: 'status', status: 500, when: ({ fields }) => fields.includes('findScene') });
    expect((await asPlugin(stash, '{findScene(id:"1"){id}}')).status).toBe(500);
    expect((await asPlugin(stash)).status).toBe(200);
    stash.clearFaults();
    expect((await asPlugin(stash, '{findScene(id:"1"){id}}')).status).toBe(200);
  });

  it('of hanging gives no answer', async () => {
    const stash = await startStash();
    stash.inject({ kind: 'hang', times: 1 });
    const patience = new AbortController();
    const asked = codeOf(asPlugin(stash, undefined, patience.signal));
    await stash.requests.waitFor(() => true);
    patience.abort();
    expect(await asked).toBe('ABORT_ERR');
    expect(stash.requests.entries[0]?.status).toBeNull();
  });

  it('of being cut ends the connection in the middle of the body', async () => {
    const stash = await startStash();
    stash.inject({ kind: 'cut', times: 1 });
    expect(await codeOf(asPlugin(stash))).toBe('ECONNRESET');
    expect((await asPlugin(stash)).status).toBe(200);
  });

  it('of delay only takes its time', async () => {
    const stash = await startStash();
    stash.inject({ kind: 'delay', ms: 50, times: 1 });
    const before = performance.now();
    expect((await asPlugin(stash)).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(45);
  });
});

describe('requests', () => {
  it('are recorded with what they asked for, and who asked', async () => {
    const stash = await startStash();
    stash.addScene();
    await stash.gql('query Mine($id: ID!) { findScene(id: $id) { id } version { version } }', { id: 1 });
    await asPlugin(stash, 'mutation{sceneUpdate(input:{id:"1"}){id}}');
    const seen = stash.requests.entries.map(({ method, path, fields, byPerson, status }) => [
      method,
      path,
      fields,
      byPerson,
      status,
    ]);
    expect(seen).toEqual([
      ['POST', '/graphql', ['findScene', 'version'], true, 200],
      ['POST', '/graphql', ['sceneUpdate'], false, 200],
    ]);
    expect([stash.count(), stash.count('sceneUpdate'), stash.count('findScene')]).toEqual([1, 1, 0]);
  });
});

describe('https', () => {
  it('has a certificate that nobody signed, and says so to plugins', async () => {
    const stash = await startStash({ https: true });
    stash.addScene();
    expect(await stash.gql('{findScene(id:"1"){paths{screenshot}}}')).toEqual({
      findScene: { paths: { screenshot: expect.stringMatching(/^https:\/\/127\.0\.0\.1:/) } },
    });
    expect(stash.serverConnection()).toMatchObject({ Scheme: 'https', Host: '0.0.0.0', Port: stash.port });
    await expect(fetch(`${stash.url}/graphql`)).rejects.toMatchObject({
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
  });
});
