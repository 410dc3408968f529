import { describe, expect, it } from 'vitest';
import { ask } from '../../sim/stash/person';
import type { StashSim } from '../../sim/stash/stash-sim';
import { VirtualClock } from '../../support/virtual-clock';
import { startStash } from './stash-helpers';

interface Found {
  findScenes: { count: number; scenes: { id: string }[] };
}

async function find(
  stash: StashSim,
  sceneFilter: object,
  filter: object = { per_page: -1 },
): Promise<string> {
  const query =
    'query($s: SceneFilterType, $f: FindFilterType) { findScenes(scene_filter: $s, filter: $f) { count scenes { id } } }';
  const { findScenes } = await stash.gql<Found>(query, { s: sceneFilter, f: filter });
  return `${findScenes.scenes.map(({ id }) => id).join(' ')} of ${findScenes.count}`;
}

async function rejection(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'nothing was wrong',
    (error: Error) => error.message,
  );
}

async function field(stash: StashSim, scene: number, name: string): Promise<unknown> {
  const query = `query($id: ID!) { findScene(id: $id) { ${name} } }`;
  const { findScene } = await stash.gql<{ findScene: Record<string, unknown> }>(query, { id: scene });
  return findScene[name];
}

describe('a request that is wrong in itself', () => {
  const post = (stash: StashSim, body: string, headers: Record<string, string> = {}) =>
    ask(`${stash.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const wrong = JSON.stringify({ query: '{findScene(id:"1"){nope}}' });

  it('gets 422 as JSON, and 400 where GraphQL’s own type is accepted', async () => {
    const stash = await startStash();
    const accepts: [string | null, number, string][] = [
      [null, 422, 'application/json'],
      ['application/json', 422, 'application/json'],
      ['*/*', 400, 'application/graphql-response+json'],
      [
        'application/graphql-response+json; charset=utf-8, application/json',
        400,
        'application/graphql-response+json',
      ],
    ];
    for (const [accept, status, type] of accepts) {
      const answer = await post(stash, wrong, accept ? { accept } : {});
      expect([answer.status, answer.headers['content-type']]).toEqual([status, type]);
    }
  });

  it('names unknown fields, missing fields and nulls in variables as Stash does', async () => {
    const stash = await startStash();
    const query = 'mutation($i: SceneUpdateInput!) { sceneUpdate(input: $i) { id } }';
    const code = { code: 'GRAPHQL_VALIDATION_FAILED' };
    const cases: [object, object][] = [
      [
        { i: { id: '1', nope: 3 } },
        { message: 'unknown field', path: ['variable', 'i', 'nope'], extensions: code },
      ],
      [
        { i: { title: 'a' } },
        { message: 'must be defined', path: ['variable', 'i', 'id'], extensions: code },
      ],
      [{}, { message: 'must be defined', path: ['variable', 'i'], extensions: code }],
      [
        { i: { id: true } },
        { message: 'cannot use bool as ID', path: ['variable', 'i', 'id'], extensions: code },
      ],
      [{ i: { id: null } }, { message: 'cannot be null', path: ['variable', 'i', 'id'], extensions: code }],
      [
        { i: { id: '1', groups: [{ scene_index: 1 }] } },
        { message: 'must be defined', path: ['variable', 'i', 'groups', 0, 'group_id'], extensions: code },
      ],
    ];
    for (const [variables, error] of cases) {
      const { status, body } = await post(stash, JSON.stringify({ query, variables }), { accept: '*/*' });
      expect([status, JSON.parse(body.toString())]).toEqual([400, { errors: [error], data: null }]);
    }
  });

  it('is refused for a value of the wrong type', async () => {
    const stash = await startStash();
    stash.addScene();
    const query = 'mutation($i: SceneUpdateInput!) { sceneUpdate(input: $i) { id } }';
    for (const wrong of [
      { rating100: 'high' },
      { organized: 'yes' },
      { performer_ids: [{}] },
      { title: ['a', 'b'] },
    ]) {
      const { status } = await stash.post(query, { i: { id: '1', ...wrong } });
      expect(status).toBe(400);
    }
  });

  it('without a body, an operation or JSON is refused', async () => {
    const stash = await startStash();
    const bodies = [
      '',
      '{"query":',
      '{"query":""}',
      '{"query":"fragment S on Scene{id}"}',
      '{"query":"{findScene("}',
    ];
    for (const body of bodies) expect((await post(stash, body, { accept: '*/*' })).status).toBe(400);
    expect((await post(stash, '{"query":"{version{hash}}"}', { 'content-type': 'text/plain' })).status).toBe(
      400,
    );
    const two = JSON.stringify({ query: 'query A{version{hash}} query B{version{version}}' });
    expect((await post(stash, two, { accept: '*/*' })).body.toString()).toContain('operation  not found');
  });

  it('asks in vain for what the simulator cannot answer honestly', async () => {
    const stash = await startStash();
    stash.addScene();
    expect(
      await rejection(stash.gql('{findStudio(id:"1"){id} findScene(id:"1"){sceneStreams{url}}}')),
    ).toContain('sceneStreams');
    expect(await rejection(find(stash, { title: { value: 'a', modifier: 'EQUALS' } }))).toContain(
      'scene_filter.title',
    );
    expect(await rejection(find(stash, {}, { sort: 'random' }))).toContain('the sort "random"');
    expect(await rejection(find(stash, {}, { sort: 'nope' }))).toBe('invalid sort: nope');
  });
});

describe('finding scenes', () => {
  it('gives 25 to a page unless told otherwise, and counts all', async () => {
    const stash = await startStash();
    for (let i = 0; i < 30; i++) stash.addScene();
    expect(await find(stash, {}, {})).toMatch(/ 25 of 30$/);
    expect(await find(stash, {}, { page: 2 })).toBe('26 27 28 29 30 of 30');
    expect(await find(stash, {}, { page: 3, per_page: 12 })).toBe('25 26 27 28 29 30 of 30');
    expect(await find(stash, {}, { per_page: -1 })).toMatch(/ 30 of 30$/);
  });

  it('goes through the ids from the last one seen', async () => {
    const stash = await startStash();
    for (let i = 0; i < 5; i++) stash.addScene();
    const after = (value: number) => ({ id: { value, modifier: 'GREATER_THAN' } });
    expect(await find(stash, after(0), { per_page: 2, sort: 'id' })).toBe('1 2 of 5');
    expect(await find(stash, after(2), { per_page: 2, sort: 'id' })).toBe('3 4 of 3');
    expect(await find(stash, after(5), { per_page: 2, sort: 'id' })).toBe(' of 0');
    expect(await find(stash, {}, { per_page: 2, sort: 'id', direction: 'DESC' })).toBe('5 4 of 5');
  });

  it('without a sort gives them in an order that is not that of the ids, and that edits change', async () => {
    const stash = await startStash();
    const studioId = stash.addStudio('North');
    for (let i = 0; i < 3; i++) stash.addScene({ studioId });
    stash.addScene();
    expect(await find(stash, {})).toBe('4 1 2 3 of 4');
    await stash.edit({ id: 2, studio_id: null });
    expect(await find(stash, {})).toBe('2 4 1 3 of 4');
  });

  it('compares times as texts in the server’s time zone', async () => {
    const clock = new VirtualClock(Date.parse('2026-03-01T12:00:00Z'));
    const stash = await startStash({ clock, utcOffsetMinutes: 120 });
    stash.addScene();
    expect(await field(stash, 1, 'updated_at')).toBe('2026-03-01T14:00:00+02:00');
    const newerThan = (value: string) => find(stash, { updated_at: { value, modifier: 'GREATER_THAN' } });
    // An hour later than the edit, and yet "older": only the text counts.
    expect(await newerThan('2026-03-01T13:00:00Z')).toBe('1 of 1');
    expect(await newerThan('2026-03-01T14:00:00+02:00')).toBe(' of 0');
    expect(await newerThan('2026-03-01T13:59:59+02:00')).toBe('1 of 1');
    // A year alone is a number to the database, and smaller than any text.
    expect(await newerThan('2099')).toBe('1 of 1');
    expect(await newerThan('2099-01')).toBe(' of 0');
  });

  it('knows seconds and no less: two edits of one second look alike', async () => {
    const clock = new VirtualClock(Date.parse('2026-03-01T12:00:00.900Z'));
    const stash = await startStash({ clock });
    stash.addScene();
    expect(await field(stash, 1, 'updated_at')).toBe('2026-03-01T12:00:00Z');
  });

  it('by performer, tag, studio and group, with what is below them', async () => {
    const stash = await startStash();
    const performer = stash.addPerformer('Ada');
    const parent = stash.addStudio('North');
    const studioId = stash.addStudio({ name: 'North Films', parentId: parent });
    const birds = stash.addTag('Birds');
    const tagId = stash.addTag({ name: 'Herons', parentIds: [birds] });
    const group = stash.addGroup('Rivers');
    stash.addScene({ performerIds: [performer] });
    stash.addScene({ studioId });
    stash.addScene({ tagIds: [tagId] });
    stash.addScene({ groups: [{ groupId: group }] });
    const includes = (id: number, depth?: number) => ({ value: [id], modifier: 'INCLUDES', depth });
    expect(await find(stash, { performers: { value: [performer], modifier: 'INCLUDES' } })).toBe('1 of 1');
    expect(await find(stash, { studios: includes(parent, 0) })).toBe(' of 0');
    expect(await find(stash, { studios: includes(parent, -1) })).toBe('2 of 1');
    expect(await find(stash, { tags: includes(birds) })).toBe(' of 0');
    expect(await find(stash, { tags: includes(birds, 1) })).toBe('3 of 1');
    expect(await find(stash, { groups: includes(group) })).toBe('4 of 1');
    expect(await find(stash, { tags: { value: [tagId], modifier: 'EXCLUDES' } }, { sort: 'id' })).toBe(
      '1 2 4 of 3',
    );
  });

  it('by ids fails as a whole when one is missing or named twice', async () => {
    const stash = await startStash();
    stash.addScene();
    const byIds = (ids: string[]) =>
      stash.gql('query($ids:[ID!]){findScenes(ids:$ids){count scenes{id}}}', { ids });
    expect(await byIds(['1'])).toEqual({ findScenes: { count: 1, scenes: [{ id: '1' }] } });
    expect(await rejection(byIds(['1', '7']))).toBe('scene with id 7 not found');
    expect(await rejection(byIds(['1', '1']))).toBe('validating ids: duplicate id found: 1');
    expect(await rejection(byIds(['x']))).toBe('converting ids: strconv.Atoi: parsing "x": invalid syntax');
  });
});

describe('a scene', () => {
  it('has its performers by id, its tags by natural order of names, its groups as given', async () => {
    const stash = await startStash();
    for (const name of ['Ada', 'Bo', 'Cy']) stash.addPerformer(name);
    for (const name of ['Zeta', 'alpha 10', 'Alpha 2']) stash.addTag(name);
    for (const name of ['G1', 'G2', 'G3']) stash.addGroup(name);
    const id = stash.addScene();
    await stash.edit({
      id,
      performer_ids: ['3', '1', '2'],
      tag_ids: ['1', '2', '3'],
      groups: [{ group_id: '3' }, { group_id: '1', scene_index: 4 }, { group_id: '2' }],
    });
    const fields = 'performers{id} tags{name} groups{group{id} scene_index}';
    expect(await stash.gql(`{findScene(id:"1"){${fields}}}`)).toEqual({
      findScene: {
        performers: [{ id: '1' }, { id: '2' }, { id: '3' }],
        tags: [{ name: 'Alpha 2' }, { name: 'alpha 10' }, { name: 'Zeta' }],
        groups: [
          { group: { id: '3' }, scene_index: null },
          { group: { id: '1' }, scene_index: 4 },
          { group: { id: '2' }, scene_index: null },
        ],
      },
    });
  });

  it('is emptied by an explicit null and left alone by a key that is not there', async () => {
    const stash = await startStash();
    const tagIds = [stash.addTag('Birds')];
    const id = stash.addScene({ title: 'Kelp', date: '2024', rating100: 5, tagIds });
    await stash.edit({ id, title: null, rating100: null, tag_ids: [] });
    expect(await stash.gql(`{findScene(id:"${id}"){title date rating100 tags{id}}}`)).toEqual({
      findScene: { title: '', date: '2024', rating100: null, tags: [] },
    });
  });

  it('takes dates of a year, a month or a day, and no others', async () => {
    const stash = await startStash();
    const id = stash.addScene();
    for (const date of ['2024', '2024-05', '2024-05-17']) {
      await stash.edit({ id, date });
      expect(await field(stash, id, 'date')).toBe(date);
    }
    expect(await rejection(stash.edit({ id, date: 'soon' }))).toMatch(
      /^converting date: failed to parse date "soon"/,
    );
  });

  it('shows that it was touched after any edit of its own, and after none of others', async () => {
    const clock = new VirtualClock(Date.parse('2026-03-01T12:00:00Z'));
    const stash = await startStash({ clock });
    const ids = {
      performer: stash.addPerformer('Ada'),
      studio: stash.addStudio('North'),
      group: stash.addGroup('Rivers'),
    };
    const [tag, other] = [stash.addTag('Birds'), stash.addTag('Herons')];
    const scene = stash.addScene({
      performerIds: [ids.performer],
      studioId: ids.studio,
      tagIds: [tag],
      groups: [{ groupId: ids.group }],
    });
    const touched = async (work: () => Promise<unknown>) => {
      const before = await field(stash, scene, 'updated_at');
      await clock.advance(60_000);
      await work();
      return before !== (await field(stash, scene, 'updated_at'));
    };
    const named = (kind: string, id: number, name: string) =>
      stash.gql(`mutation{${kind}Update(input:{id:"${id}",name:"${name}"}){id}}`);
    expect(await touched(() => stash.edit({ id: scene }))).toBe(true);
    expect(await touched(() => stash.editMany([scene], { organized: true }))).toBe(true);
    expect(await touched(() => stash.gql(`mutation{sceneAddPlay(id:"${scene}"){count}}`))).toBe(false);
    for (const [kind, id] of Object.entries(ids))
      expect(await touched(() => named(kind, id, 'New'))).toBe(false);
    expect(await touched(() => named('tag', tag, 'New'))).toBe(false);
    const merge = `mutation{tagsMerge(input:{source:["${tag}"],destination:"${other}"}){id aliases}}`;
    expect(await touched(() => stash.gql(merge))).toBe(false);
    for (const [kind, id] of Object.entries(ids))
      expect(await touched(() => stash.gql(`mutation{${kind}Destroy(input:{id:"${id}"})}`))).toBe(false);
    expect(
      await stash.gql('{findScene(id:"1"){performers{id} studio{id} tags{id} groups{scene_index}}}'),
    ).toEqual({
      findScene: { performers: [], studio: null, tags: [{ id: String(other) }], groups: [] },
    });
  });

  it('that was merged has the files and the sources are gone', async () => {
    const stash = await startStash();
    stash.addScene({ path: '/data/a.mp4' });
    stash.addScene({ path: '/data/b.mp4' });
    await stash.gql(
      'mutation{sceneMerge(input:{source:["2"],destination:"1",values:{id:"1",title:"Both"}}){id}}',
    );
    expect(await stash.gql('{a:findScene(id:"1"){title files{path}} b:findScene(id:"2"){id}}')).toEqual({
      a: { title: 'Both', files: [{ path: '/data/a.mp4' }, { path: '/data/b.mp4' }] },
      b: null,
    });
  });
});

describe('an edit of several scenes', () => {
  it('sets, adds or removes', async () => {
    const stash = await startStash();
    for (const name of ['Birds', 'Fish', 'Trees']) stash.addTag(name);
    stash.addScene({ tagIds: [1] });
    stash.addScene({ tagIds: [2] });
    const tags = async () => {
      const query = '{findScenes{scenes{tags{id}}}}';
      const { findScenes } = await stash.gql<{ findScenes: { scenes: { tags: { id: string }[] }[] } }>(query);
      return findScenes.scenes.map((scene) => scene.tags.map(({ id }) => id).join(''));
    };
    await stash.editMany([1, 2], { tag_ids: { ids: ['2', '3'], mode: 'ADD' } });
    expect(await tags()).toEqual(['123', '23']);
    await stash.editMany([1, 2], { tag_ids: { ids: ['2'], mode: 'REMOVE' } });
    expect(await tags()).toEqual(['13', '3']);
    await stash.editMany([2, 1], { tag_ids: { ids: ['2'], mode: 'SET' } });
    expect(await tags()).toEqual(['2', '2']);
  });

  it('changes all or, when one of them is wrong, none', async () => {
    const stash = await startStash();
    stash.addScene({ title: 'one' });
    const many = stash.editMany([1, 7], { title: 'changed' });
    expect(await rejection(many)).toBe('sql: no rows in result set');
    const each = stash.gql(
      'mutation{scenesUpdate(input:[{id:"1",title:"changed"},{id:"1",studio_id:"9"}]){id}}',
    );
    expect(await rejection(each)).toBe('FOREIGN KEY constraint failed');
    const gone = stash.destroy([1, 7]);
    expect(await rejection(gone)).toBe('scene with id 7 not found');
    expect(await field(stash, 1, 'title')).toBe('one');
  });
});

describe('performers, studios, tags and groups', () => {
  it('cannot take the name of another, nor an empty one', async () => {
    const stash = await startStash();
    stash.addPerformer('Ada');
    stash.addPerformer('Bo');
    const rename = (name: string) =>
      rejection(stash.gql(`mutation{performerUpdate(input:{id:"1",name:"${name}"}){id}}`));
    expect(await rename('Bo')).toBe("performer with name 'Bo' already exists");
    expect(await rename('')).toBe('performer name must not be blank');
    expect(await rename('Cy')).toBe('nothing was wrong');
  });

  it('that do not exist are refused in the words of Stash', async () => {
    const stash = await startStash();
    const run = (mutation: string) => rejection(stash.gql(`mutation{${mutation}}`));
    expect(await run('performerUpdate(input:{id:"9"}){id}')).toBe('performer with id 9 not found');
    expect(await run('groupUpdate(input:{id:"9"}){id}')).toBe('not found');
    expect(await run('tagDestroy(input:{id:"9"})')).toBe('id 9 does not exist in tags');
    expect(await run('tagsMerge(input:{source:["1"],destination:"9"}){id}')).toBe('tag with id 9 not found');
  });
});

describe('settings and status', () => {
  it('configurePlugin replaces everything that was set', async () => {
    const stash = await startStash();
    await stash.configure('sluice', { plexUrl: 'http://plex.example', flowOpenSeconds: 5 });
    await stash.configure('sluice', { plexUrl: 'http://other.example' });
    expect(await stash.gql('{configuration{plugins(include:["sluice","other"])}}')).toEqual({
      configuration: { plugins: { sluice: { plexUrl: 'http://other.example' } } },
    });
  });

  it('empty lists of plugins and jobs are null', async () => {
    const stash = await startStash();
    expect(await stash.gql('{plugins{id} jobQueue{id} findJob(input:{id:"1"}){id}}')).toEqual({
      plugins: null,
      jobQueue: null,
      findJob: null,
    });
  });

  it('can be introspected', async () => {
    const stash = await startStash();
    const { __type } = await stash.gql<{ __type: { fields: { name: string }[] } }>(
      '{__type(name:"Scene"){fields{name}}}',
    );
    const names = __type.fields.map(({ name }) => name);
    expect(names).toContain('groups');
    expect(names).not.toContain('custom_fields');
  });
});
