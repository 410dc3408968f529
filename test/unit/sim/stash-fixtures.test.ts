import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../sim/stash/fixtures';
import { type HookType, hookInput } from '../../sim/stash/hook-input';
import { ask } from '../../sim/stash/person';
import { serverConnection } from '../../sim/stash/server-connection';
import type { StashSim } from '../../sim/stash/stash-sim';
import { tempDir } from '../../support/temp-dir';
import { hookTypes, startStash, writeRecorder } from './stash-helpers';

const folder = dirname(fixture('api-types.txt'));
const names = (prefix: string) => readdirSync(folder).filter((name) => name.startsWith(prefix));
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');

interface Recorded {
  query: string;
  variables: object;
  response: unknown;
}

/** The recorded queries also ask for a counter that is not part of the project's types. */
function recorded(name: string): Recorded {
  const all: Recorded = JSON.parse(textOf(name), (key, value) => (key === 'o_counter' ? undefined : value));
  return { ...all, query: all.query.replace(' o_counter', '') };
}

const at = (time: string) => `2026-11-16T00:${time}Z`;

/** The library that the answers were recorded from. */
function fill(stash: StashSim): void {
  const studioId = stash.addStudio({ name: 'Northern Lights', updatedAt: at('47:30') });
  const tagIds = ['Wild life', 'Slow, quiet', 'Winter'].map((name) => stash.addTag(name));
  const groupId = stash.addGroup({ name: 'Northern Rivers', updatedAt: at('47:31') });
  const performerIds = ['Ada Lindqvist-Berg', 'Bo "The Guide" Ødegård, Jr.'].map((name) =>
    stash.addPerformer({ name, updatedAt: at('47:30') }),
  );
  const video = { width: 320, height: 180, frameRate: 10, format: 'mp4' };
  stash.addScene({
    title: 'Kelp Forest',
    code: 'NLF-001',
    details: 'An hour under water.\nSecond line with “quotes”.',
    director: 'Ida Holm',
    urls: ['https://example.org/kelp'],
    date: '2024-05-17',
    rating100: 80,
    organized: true,
    playDates: [at('47:32')],
    createdAt: at('47:23'),
    updatedAt: at('47:29'),
    studioId,
    performerIds,
    tagIds,
    groups: [{ groupId, sceneIndex: 2 }],
    markers: [{ title: 'surface', seconds: 1.5, primaryTagId: tagIds[2] ?? 0 }],
    files: [
      {
        ...video,
        path: '/data/nature/Kelp Forest.mp4',
        size: 51019,
        duration: 4,
        bitRate: 102038,
        modTime: at('46:24'),
        oshash: '09427305b5bbeb10',
      },
    ],
  });
  for (const id of [2, 3, 4])
    stash.addScene({ studioId, tagIds: tagIds.slice(0, 1), updatedAt: at(id === 2 ? '47:28' : '47:24') });
  stash.addScene({ updatedAt: at('47:24') });
  stash.addScene({
    createdAt: at('47:24'),
    updatedAt: at('47:24'),
    files: [
      {
        ...video,
        path: '/data/talks/Tiny Boats.mp4',
        size: 97152,
        duration: 8,
        bitRate: 97152,
        modTime: at('46:25'),
        oshash: '9c43d294120ce96f',
      },
    ],
  });
}

describe('every recorded GraphQL answer is the answer of the simulator, key for key', () => {
  const before: Record<string, (stash: StashSim) => Promise<unknown>> = {
    'graphql-configuration-set.json': (stash) => stash.gql(recorded('graphql-configurePlugin.json').query),
    'graphql-runPluginTask.json': (stash) => stash.scan(),
  };
  it.each(names('graphql-'))('%s', async (name) => {
    const dir = tempDir('stash');
    writeRecorder(dir, 'sluice', [], 'tasks:\n  - name: Do it\n');
    const stash = await startStash({ dir });
    fill(stash);
    await before[name]?.(stash);
    const { query, variables, response } = recorded(name);
    const answer = await ask(`${stash.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: '*/*', host: '127.0.0.1:9999' },
      body: JSON.stringify({ query, variables }),
    });
    expect(JSON.stringify(JSON.parse(answer.body.toString()))).toBe(JSON.stringify(response));
    expect(answer.status).toBe(name.includes('unknown-field') ? 400 : 200);
  });
});

interface Context {
  id: number;
  type: HookType;
  input: Record<string, unknown> | Record<string, unknown>[] | null;
  inputFields?: string[];
}

const contextOf = (text: string): Context => JSON.parse(text).args.hookContext;

/** The document as one text, with what differs from run to run made equal: cookie, address, folders, field order. */
function comparable(text: string): string {
  return JSON.stringify(JSON.parse(text), (key, value) => {
    if (key === 'inputFields') return value.sort();
    return ['Value', 'Host', 'Port', 'Dir', 'PluginDir'].includes(key) ? '-' : value;
  });
}

/** What the person's request must have said, from what the hook got. */
function requestOf({ input, inputFields = [] }: Context): unknown {
  const pick = (from: Record<string, unknown>, keys: string[]) =>
    Object.fromEntries(keys.map((key) => [key, from[key]]));
  if (Array.isArray(input)) return input.map((one) => pick(one, inputFields));
  return input && inputFields.length > 0 ? pick(input, inputFields) : input;
}

/** How a person brings this hook about. */
async function provoke(stash: StashSim, context: Context): Promise<void> {
  const [kind = '', operation = ''] = context.type.split('.');
  const request = requestOf(context);
  const run = (mutation: string, type: string, input: unknown, fields: string) =>
    stash.gql(`mutation($input: ${type}!) { ${mutation}(input: $input) ${fields} }`, { input });
  const many = typeof request === 'object' && request !== null && 'ids' in request;
  if (request === null) await stash.scan();
  else if (operation === 'Merge') await run('tagsMerge', 'TagsMergeInput', request, '{id}');
  else if (operation === 'Destroy') {
    const { checksum, oshash, path, ...input } = request as Record<string, unknown>;
    const plural = many ? `${kind}s` : kind;
    await run(`${plural.toLowerCase()}Destroy`, `${plural}DestroyInput`, input, '');
  } else if (many) await run(`bulk${kind}Update`, `Bulk${kind}UpdateInput`, request, '{id}');
  else if (Array.isArray(request)) await run('scenesUpdate', '[SceneUpdateInput!]', request, '{id}');
  else await run(`${kind.toLowerCase()}Update`, `${kind}UpdateInput`, request, '{id}');
}

/** The hook of a scene that was destroyed tells the path and the hash of its file. */
function fileOf(id: number, { id: own, type, input }: Context): { path: string; oshash?: string } {
  if (id !== own || type !== 'Scene.Destroy.Post' || !input || Array.isArray(input))
    return { path: `/data/${id}.mp4` };
  return { path: String(input.path), oshash: String(input.oshash) };
}

/** Made by operations that the simulator does not have: it never creates through the API. */
const isOfAnotherOperation = (name: string) => name.includes('-create.') || name.includes('bulk-performer');

describe('every recorded hook input is what the same edit gives a plugin, key for key', () => {
  const hooks = names('hook-').filter(
    (name) => !/hook-(task|operation)/.test(name) && !isOfAnotherOperation(name),
  );

  it.each(hooks)('%s', async (name) => {
    const expected = textOf(name);
    const context = contextOf(expected);
    const dir = tempDir('stash');
    const calls = writeRecorder(dir, 'sluice', [context.type]);
    const stash = await startStash({ dir });
    for (const one of ['A', 'B', 'C', 'D']) {
      stash.addStudio(one);
      stash.addPerformer(one);
      stash.addTag(one);
      stash.addGroup(one);
    }
    const isNew = context.type === 'Scene.Create.Post';
    for (let id = 1; id <= 4 && !isNew; id++) stash.addScene({ files: [fileOf(id, context)] });
    if (isNew) stash.disk.add('/data/nature/Kelp Forest.mp4');
    if (name.includes('moved')) stash.disk.move('/data/1.mp4', '/data/moved/1.mp4');

    await provoke(stash, context);

    const own = calls().filter((call) => contextOf(call).id === context.id);
    expect(own.map(comparable)).toEqual([comparable(expected)]);
  });

  it.each(hooks)('%s, built without a server', (name) => {
    const expected = textOf(name);
    const context = contextOf(expected);
    const connection = serverConnection({
      host: '127.0.0.1',
      dir: '/config',
      pluginDir: '/config/plugins/sluice',
    });
    const request = requestOf(context);
    const built = hookInput(connection, context.type, context.id, request ?? undefined);
    expect(comparable(JSON.stringify(built))).toBe(comparable(expected));
    expect(built.server_connection).toEqual(JSON.parse(expected).server_connection);
  });

  it('a bulk edit of performers, built without a server', () => {
    const expected = textOf('hook-bulk-performer-update-first.json');
    const connection = serverConnection({ dir: '/config', pluginDir: '/config/plugins/sluice' });
    const built = hookInput(connection, 'Performer.Update.Post', 1, { ids: ['1', '2'], favorite: true });
    expect(comparable(JSON.stringify(built))).toBe(comparable(expected));
  });

  it('a task and an operation', async () => {
    const dir = tempDir('stash');
    const calls = writeRecorder(
      dir,
      'sluice',
      hookTypes.scene,
      'tasks:\n  - name: T\n    defaultArgs:\n      mode: process\n',
    );
    const stash = await startStash({ dir });
    await stash.runTask('sluice', 'T', { extra: 'x' });
    await stash.runOperation('sluice', { mode: 'status', n: 3, nested: { a: [1, 'b'] } });
    expect(calls().map(comparable)).toEqual(
      ['hook-task.json', 'hook-operation.json'].map((name) => comparable(textOf(name))),
    );
  });
});
