import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { redact } from '../../../src/shared/secrets';
import { StashClient } from '../../../src/stash/client';
import type { StashConnection } from '../../../src/stash/connection';
import { StashTrouble, type StashTroubleKind } from '../../../src/stash/trouble';
import { VirtualClock } from '../../support/virtual-clock';
import { type Answer, type Asked, isKeyQuery, keyAnswer, type SmallStash, smallStash } from './small-stash';

const fixture = (name: string): { response: unknown } =>
  JSON.parse(readFileSync(join(__dirname, '../../fixtures/stash', `graphql-${name}.json`), 'utf8'));

let stash: SmallStash;
let clock: VirtualClock;

beforeEach(async () => {
  stash = await smallStash();
  clock = new VirtualClock();
});
afterEach(() => stash.close());

const clientOf = (connection: StashConnection = stash.connection) =>
  new StashClient({ connection, pluginId: 'sluice', clock });

/** Answers the first question, the one for the API key, and leaves the others to `answer`. */
const answering = (answer: (asked: Asked) => Answer) => {
  stash.answer = (asked) => (isKeyQuery(asked) ? keyAnswer('') : answer(asked));
};

async function troubleOf(work: Promise<unknown>, kind: StashTroubleKind): Promise<string> {
  const error = await work.then(
    () => expect.unreachable('it should have failed'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StashTrouble);
  if (!(error instanceof StashTrouble)) throw error;
  expect(error.kind).toBe(kind);
  return error.message;
}

describe('a scene', () => {
  it('is what a real Stash answered, parsed', async () => {
    answering(() => ({ body: fixture('findScene').response }));
    expect(await clientOf().scene(1)).toEqual({
      id: 1,
      title: 'Kelp Forest',
      code: 'NLF-001',
      details: 'An hour under water.\nSecond line with “quotes”.',
      date: '2024-05-17',
      director: 'Ida Holm',
      rating100: 80,
      organized: true,
      cover: expect.stringMatching(/^\/scene\/1\/screenshot\?t=\d+$/),
      files: ['/data/nature/Kelp Forest.mp4'],
      studio: { id: '1', name: 'Northern Lights', parent: null },
      performers: [
        { id: '1', name: 'Ada Lindqvist-Berg' },
        { id: '2', name: 'Bo "The Guide" Ødegård, Jr.' },
      ],
      tags: [
        { id: '2', name: 'Slow, quiet' },
        { id: '1', name: 'Wild life' },
        { id: '3', name: 'Winter' },
      ],
      groups: [{ id: '1', name: 'Northern Rivers' }],
    });
    expect(stash.asked.at(-1)?.variables).toEqual({ id: '1' });
  });

  it('may have next to nothing', async () => {
    answering(() => ({ body: fixture('findScene-bare').response }));
    expect(await clientOf().scene(6)).toEqual({
      id: 6,
      title: '',
      code: '',
      details: '',
      date: null,
      director: '',
      rating100: null,
      organized: false,
      cover: '/scene/6/screenshot?t=1794790044',
      files: ['/data/talks/Tiny Boats.mp4'],
      studio: null,
      performers: [],
      tags: [],
      groups: [],
    });
  });

  it('whose studio is part of another tells both', async () => {
    const { response } = fixture('findScene') as { response: { data: { findScene: object } } };
    const studio = { id: '2', name: 'Reef Films', parent_studio: { id: '1', name: 'Northern Lights' } };
    answering(() => ({ body: { data: { findScene: { ...response.data.findScene, studio } } } }));
    expect((await clientOf().scene(1))?.studio).toEqual({
      id: '2',
      name: 'Reef Films',
      parent: { id: '1', name: 'Northern Lights' },
    });
  });

  it('that is gone is null', async () => {
    answering(() => ({ body: fixture('findScene-missing').response }));
    expect(await clientOf().scene(99_999)).toBeNull();
  });
});

describe('the ids of scenes', () => {
  it('come page by page after the last one', async () => {
    answering(() => ({
      body: {
        data: {
          findScenes: {
            count: 4,
            scenes: ['3', '4', '5'].map((id) => ({ id, updated_at: '2026-11-16T00:47:24Z' })),
          },
        },
      },
    }));
    expect(await clientOf().sceneIds({ after: 2, updatedSince: null, limit: 3 })).toEqual({
      total: 4,
      ids: [3, 4, 5],
      last: 5,
    });
    expect(stash.asked.at(-1)?.variables).toEqual({
      scenes: { id: { value: 2, modifier: 'GREATER_THAN' } },
      page: { page: 1, per_page: 3, sort: 'id', direction: 'ASC' },
    });
  });

  it('end with the page that holds all that are left', async () => {
    answering(() => ({ body: { data: { findScenes: { count: 0, scenes: [] } } } }));
    expect(await clientOf().sceneIds({ after: 7, updatedSince: null, limit: 3 })).toEqual({
      total: 0,
      ids: [],
      last: null,
    });
    answering(() => ({
      body: { data: { findScenes: { count: 1, scenes: [{ id: '8', updated_at: '2026-11-16T00:47:24Z' }] } } },
    }));
    expect((await clientOf().sceneIds({ after: 7, updatedSince: null, limit: 1 })).last).toBeNull();
  });

  it('changed since a moment are asked for a day earlier and compared as instants, in any time zone', async () => {
    const updated = [
      ['1', '2026-11-16T11:59:59Z'],
      ['2', '2026-11-16T12:00:00Z'],
      ['3', '2026-11-16T02:00:00-10:00'],
      ['4', '2026-11-17T01:59:59+14:00'],
      ['5', '2026-11-17T02:00:00+14:00'],
      ['6', 'nonsense'],
      ['7', '2026-11-15T12:00:00Z'],
    ];
    answering(() => ({
      body: {
        data: {
          findScenes: { count: 9, scenes: updated.map(([id, updated_at]) => ({ id, updated_at })) },
        },
      },
    }));
    const updatedSince = new Date('2026-11-16T12:00:00.700Z');
    expect(await clientOf().sceneIds({ after: 0, updatedSince, limit: 7 })).toEqual({
      total: 9,
      ids: [2, 3, 5, 6],
      last: 7,
    });
    expect(stash.asked.at(-1)?.variables.scenes).toEqual({
      id: { value: 0, modifier: 'GREATER_THAN' },
      updated_at: { value: '2026-11-15T10:00:00Z', modifier: 'GREATER_THAN' },
    });
  });
});

describe('whole scenes', () => {
  it('come page by page like the ids, and only those changed since a moment', async () => {
    const { response } = fixture('findScene') as { response: { data: { findScene: object } } };
    const row = (id: string, updated_at: string) => ({ ...response.data.findScene, id, updated_at });
    const rows = [row('3', '2026-11-16T11:59:59Z'), row('4', '2026-11-16T12:00:00Z')];
    answering(() => ({ body: { data: { findScenes: { count: 9, scenes: rows } } } }));
    const updatedSince = new Date('2026-11-16T12:00:00Z');
    const { total, scenes, last } = await clientOf().scenes({ after: 2, updatedSince, limit: 2 });
    expect([total, last]).toEqual([9, 4]);
    answering(() => ({ body: fixture('findScene').response }));
    expect(scenes).toEqual([{ ...(await clientOf().scene(1)), id: 4 }]);
  });
});

describe('the scenes of another object', () => {
  it.each([
    ['Performer', false, { performers: { value: ['7'], modifier: 'INCLUDES' } }],
    ['Studio', false, { studios: { value: ['7'], modifier: 'INCLUDES', depth: 0 } }],
    ['Studio', true, { studios: { value: ['7'], modifier: 'INCLUDES', depth: 1 } }],
    ['Tag', false, { tags: { value: ['7'], modifier: 'INCLUDES', depth: 0 } }],
    ['Group', false, { groups: { value: ['7'], modifier: 'INCLUDES', depth: 0 } }],
  ] as const)('are asked for by id: %s, with those below it: %s', async (object, withChildren, filter) => {
    const scenes = [{ id: '12', updated_at: '2026-11-16T00:47:24Z' }];
    answering(() => ({ body: { data: { findScenes: { count: 3, scenes } } } }));
    expect(await clientOf().relatedSceneIds({ object, id: 7, withChildren }, 11, 1)).toEqual({
      total: 3,
      ids: [12],
      last: 12,
    });
    expect(stash.asked.at(-1)?.variables).toEqual({
      scenes: { id: { value: 11, modifier: 'GREATER_THAN' }, ...filter },
      page: { page: 1, per_page: 1, sort: 'id', direction: 'ASC' },
    });
  });
});

describe("the plugin's state", () => {
  const answer = (plugins: unknown, rows: unknown): Answer => ({
    body: { data: { configuration: { general: { apiKey: '' }, plugins }, plugins: rows } },
  });

  it('is its own settings and its own row', async () => {
    const { response } = fixture('configuration-set') as {
      response: { data: { configuration: { plugins: unknown } } };
    };
    answering(() =>
      answer(response.data.configuration.plugins, [
        { id: 'other', enabled: false, version: '9' },
        { id: 'sluice', enabled: true, version: '0.1.0' },
      ]),
    );
    expect(await clientOf().pluginState()).toEqual({
      settings: { dry: true, maxTags: 5, plexUrl: 'http://plex.example:32400' },
      enabled: true,
      version: '0.1.0',
    });
    expect(stash.asked.at(-1)?.variables).toEqual({ ids: ['sluice'] });
  });

  it('is empty when nothing was set, and unknown when the plugin was removed', async () => {
    answering(() => answer({}, [{ id: 'other', enabled: true, version: '' }]));
    expect(await clientOf().pluginState()).toEqual({ settings: {}, enabled: null, version: null });
    answering(() => answer({}, null));
    expect(await clientOf().pluginState()).toEqual({ settings: {}, enabled: null, version: null });
  });
});

describe('being let in', () => {
  const scene: Answer = { body: { data: { findScene: null } } };
  const passes = () => stash.asked.map(({ headers }) => headers.apikey ?? headers.cookie ?? 'nothing');
  const refused: Answer = { status: 401 };

  it('begins with the cookie of the hook, and goes on with the API key if there is one', async () => {
    stash.answer = (asked) => (isKeyQuery(asked) ? keyAnswer('the-api-key-1') : scene);
    const client = clientOf();
    await client.scene(1);
    await client.scene(2);
    expect(passes()).toEqual(['session=cookie-from-the-hook', 'the-api-key-1', 'the-api-key-1']);
    expect(stash.asked[1]?.headers.cookie).toBeUndefined();
    expect(JSON.stringify(client.connection)).not.toContain('the-api-key-1');
    expect(redact('the-api-key-1 cookie-from-the-hook')).toBe('*** ***');
  });

  it('goes on with the cookie when there is no API key, and without any when there is no cookie', async () => {
    answering(() => scene);
    await clientOf().scene(1);
    await clientOf({ ...stash.connection, cookie: null }).scene(1);
    expect(passes()).toEqual([
      'session=cookie-from-the-hook',
      'session=cookie-from-the-hook',
      'nothing',
      'nothing',
    ]);
  });

  it('notices an API key that the person generates later', async () => {
    let key = '';
    stash.answer = (asked) => {
      if (isKeyQuery(asked)) return keyAnswer(key);
      if (!asked.query.includes('SluicePluginState')) return scene;
      return { body: { data: { configuration: { general: { apiKey: key }, plugins: {} }, plugins: [] } } };
    };
    const client = clientOf();
    await client.scene(1);
    key = 'the-api-key-2';
    await client.pluginState();
    await client.scene(1);
    expect(passes().at(-1)).toBe('the-api-key-2');
  });

  it('forgets a key that is refused, reads the new one with the cookie, and asks again', async () => {
    let key = 'the-api-key-3';
    stash.answer = ({ headers, query }) => {
      if (headers.apikey !== undefined && headers.apikey !== key) return refused;
      return query.includes('SluiceApiKey') ? keyAnswer(key) : scene;
    };
    const client = clientOf();
    await client.scene(1);
    key = 'the-api-key-4';
    expect(await client.scene(2)).toBeNull();
    expect(passes().slice(-3)).toEqual(['the-api-key-3', 'session=cookie-from-the-hook', 'the-api-key-4']);
    key = '';
    expect(await client.scene(3)).toBeNull();
    expect(passes().at(-1)).toBe('session=cookie-from-the-hook');
  });

  it('does not show a refused key again while the cookie is refused too', async () => {
    let open = true;
    stash.answer = (asked) => (!open ? refused : isKeyQuery(asked) ? keyAnswer('the-api-key-9') : scene);
    const client = clientOf();
    await client.scene(1);
    open = false;
    await troubleOf(client.scene(1), 'unauthorised');
    await troubleOf(client.scene(1), 'unauthorised');
    expect(passes().slice(2)).toEqual([
      'the-api-key-9',
      'session=cookie-from-the-hook',
      'session=cookie-from-the-hook',
    ]);
  });

  it('rolls the cookie that each answer renews, and shows it for keeping', async () => {
    let count = 0;
    stash.answer = (asked) => ({
      ...(isKeyQuery(asked) ? keyAnswer('') : scene),
      headers: { 'set-cookie': ['x=y', `session=renewed-cookie-${++count}; Path=/; Max-Age=3600; HttpOnly`] },
    });
    const client = clientOf();
    await client.scene(1);
    expect(client.connection).toEqual({
      ...stash.connection,
      cookie: { name: 'session', value: 'renewed-cookie-1' },
    });
    expect(passes().at(-1)).toBe('session=renewed-cookie-1');
    // Not with every answer, but in time: an hour is Stash's default, and a shorter life counts.
    await client.scene(1);
    expect(client.connection.cookie?.value).toBe('renewed-cookie-1');
    await clock.advance(61_000);
    await client.scene(1);
    expect(client.connection.cookie?.value).toBe('renewed-cookie-4');
    expect(redact('renewed-cookie-4')).toBe('***');
  });

  it('rolls a short-lived cookie as often as it must', async () => {
    let count = 0;
    stash.answer = (asked) => ({
      ...(isKeyQuery(asked) ? keyAnswer('') : scene),
      headers: { 'set-cookie': `session=short-cookie-${++count}; Max-Age=20` },
    });
    const client = clientOf();
    for (let i = 0; i < 5; i++) {
      await client.scene(1);
      await clock.advance(6_000);
    }
    expect(client.connection.cookie?.value).toBe('short-cookie-6');
  });

  it('takes no cookie from a refusal, from another name, or an emptied one', async () => {
    stash.answer = () => ({ ...refused, headers: { 'set-cookie': 'session=from-a-refusal' } });
    const client = clientOf();
    await troubleOf(client.scene(1), 'unauthorised');
    stash.answer = (asked) => ({
      ...(isKeyQuery(asked) ? keyAnswer('') : scene),
      headers: { 'set-cookie': ['session2=other-name', 'session=; Max-Age=0'] },
    });
    await client.scene(1);
    expect(client.connection).toEqual(stash.connection);
  });

  it('keeps the cookie alive beside an API key, for the day the key is replaced', async () => {
    let validUntil = clock.now() + 3_600_000;
    let count = 0;
    let cookie = 'session=cookie-from-the-hook';
    let key = 'the-api-key-5';
    stash.answer = ({ headers, query }) => {
      const byKey = headers.apikey === key;
      const byCookie = headers.cookie === cookie && clock.now() < validUntil;
      if (!byKey && (headers.apikey !== undefined || !byCookie)) return refused;
      const renewed: Answer = {};
      if (byCookie) {
        validUntil = clock.now() + 3_600_000;
        cookie = `session=kept-alive-${++count}`;
        renewed.headers = { 'set-cookie': `${cookie}; Max-Age=3600` };
      }
      if (query.includes('SluiceApiKey')) return { ...renewed, ...keyAnswer(key) };
      return {
        ...renewed,
        body: { data: { configuration: { general: { apiKey: key }, plugins: {} }, plugins: [] } },
      };
    };
    const client = clientOf();
    for (let minutes = 0; minutes < 180; minutes += 5) {
      await client.pluginState();
      await clock.advance(300_000);
    }
    expect(count).toBeLessThan(25);
    key = 'the-api-key-6';
    await client.pluginState();
    expect(passes().at(-1)).toBe('the-api-key-6');
  });

  it('goes on with the key when the cookie beside it is refused', async () => {
    stash.answer = ({ headers, query }) => {
      if (headers.apikey === undefined && stash.asked.length > 1) return refused;
      if (query.includes('SluiceApiKey')) return keyAnswer('the-api-key-7');
      return {
        body: { data: { configuration: { general: { apiKey: 'the-api-key-7' }, plugins: {} }, plugins: [] } },
      };
    };
    const client = clientOf();
    await client.pluginState();
    await clock.advance(3_600_000);
    expect((await client.pluginState()).enabled).toBeNull();
  });

  it('says what the person can do when nothing helps, and works again with the cookie of the next hook', async () => {
    stash.answer = ({ headers, query }) => {
      if (headers.cookie !== 'session=cookie-of-today') return refused;
      return query.includes('SluiceApiKey') ? keyAnswer('') : scene;
    };
    const client = clientOf();
    const message = await troubleOf(client.scene(1), 'unauthorised');
    expect(message).toContain('Save something in Stash while you are logged in');
    expect(message).toContain('generate an API key in Stash under Settings > Security');
    client.useConnection({ ...stash.connection, cookie: { name: 'session', value: 'cookie-of-today' } });
    expect(await client.scene(1)).toBeNull();
  });

  it('keeps the cookie of a newer hook when an older answer renews the one before', async () => {
    const client = clientOf();
    stash.answer = (asked) => {
      if (!isKeyQuery(asked)) return scene;
      client.useConnection({ ...stash.connection, cookie: { name: 'session', value: 'cookie-of-today' } });
      return {
        ...keyAnswer(''),
        headers: { 'set-cookie': 'session=renewed-of-old' },
      };
    };
    await client.scene(1);
    expect(client.connection.cookie?.value).toBe('cookie-of-today');
  });

  it('shows the API key to no other Stash', async () => {
    const other = await smallStash();
    try {
      stash.answer = (asked) => (isKeyQuery(asked) ? keyAnswer('the-api-key-8') : scene);
      other.answer = (asked) => (isKeyQuery(asked) ? keyAnswer('') : scene);
      const client = clientOf();
      await client.scene(1);
      client.useConnection(other.connection);
      await client.scene(1);
      expect(other.asked.map(({ headers }) => headers.apikey)).toEqual([undefined, undefined]);
    } finally {
      await other.close();
    }
  });
});

describe('trouble with Stash', () => {
  it('is "away" when it cannot be reached', async () => {
    await stash.close();
    expect(await troubleOf(clientOf().scene(1), 'away')).toBe('Stash is not answering (connection refused).');
  });

  it('is "away" when no answer comes within 30 s', async () => {
    stash.answer = () => {
      void clock.advance(30_000);
      return { silent: true };
    };
    expect(await troubleOf(clientOf().scene(1), 'away')).toBe(
      'Stash is not answering (no answer within 30 s).',
    );
  });

  it.each([
    [{ status: 502, body: '<html>bad gateway</html>' }, 'Stash answered with an error (HTTP 502).'],
    [{ status: 500, body: { errors: [{ message: 'x' }] } }, 'Stash answered with an error (HTTP 500).'],
    [{ status: 302, headers: { location: '/login' } }, 'another address (HTTP 302)'],
    [{ status: 404, body: 'no such page' }, 'Stash refused the request (HTTP 404).'],
    [
      { status: 400, body: 'Client sent an HTTP request to an HTTPS server.' },
      'Stash refused the request (HTTP 400).',
    ],
    [{ status: 200, body: '<html>a login page</html>' }, 'an answer that is not JSON'],
    [
      { status: 200, body: '{"data":', headers: { 'content-type': 'application/json' } },
      'an answer that is not JSON',
    ],
    [
      { body: { errors: [{ message: 'database is locked', path: ['findScene'] }], data: null } },
      'database is locked.',
    ],
  ] satisfies [Answer, string][])('is "away" when the answer is of no use: %#', async (answer, words) => {
    answering(() => answer);
    const message = await troubleOf(clientOf().scene(1), 'away');
    expect(message).toContain(words);
    expect(message).not.toContain('html');
  });

  it('is "away" for what a query ran into, as a real Stash tells it', async () => {
    answering(() => ({ body: fixture('findScenes-ids-one-missing').response }));
    expect(await troubleOf(clientOf().scene(1), 'away')).toBe(
      'Stash could not answer: scene with id 99999 not found.',
    );
  });

  it('does not follow a redirect', async () => {
    stash.answer = () => ({ status: 307, headers: { location: '/elsewhere' } });
    await troubleOf(clientOf().scene(1), 'away');
    expect(stash.asked).toHaveLength(1);
  });

  it.each([400, 422, 200])('is "incompatible" when Stash does not know a field (HTTP %d)', async (status) => {
    answering(() => ({ status, body: fixture('error-unknown-field').response }));
    expect(await troubleOf(clientOf().scene(1), 'incompatible')).toBe(
      'Stash does not understand Sluice: Cannot query field "nope" on type "Scene". Did you mean "code"? ' +
        'Sluice needs Stash 0.27 or newer.',
    );
  });

  it('is "incompatible" when Stash does not take a variable', async () => {
    const errors = [{ message: 'unknown field', path: ['variable', 'scenes', 'id'] }];
    answering(() => ({ status: 422, body: { errors, data: null } }));
    expect(await troubleOf(clientOf().scene(1), 'incompatible')).toContain('unknown field. Sluice needs');
  });

  it('is "incompatible" when the answer has another shape, naming the place and not the value', async () => {
    const { response } = fixture('findScene') as { response: { data: { findScene: object } } };
    answering(() => ({
      body: { data: { findScene: { ...response.data.findScene, files: [{ path: 77 }] } } },
    }));
    const message = await troubleOf(clientOf().scene(1), 'incompatible');
    expect(message).toContain('(findScene.files.0.path: string expected, number found)');
    stash.answer = () => ({ body: { data: { configuration: { general: { apiKey: ['hidden'] } } } } });
    const keyMessage = await troubleOf(clientOf().scene(1), 'incompatible');
    expect(keyMessage).toContain('configuration.general.apiKey');
    expect(keyMessage).not.toContain('hidden');
  });

  it('never shows the request, the headers or a secret, wherever one looks', async () => {
    const answers: Answer[] = [
      { status: 401, body: 'cookie-from-the-hook' },
      { status: 500, headers: { 'set-cookie': 'session=new-and-secret' } },
      { status: 400, body: { errors: [{ message: 'bad session=cookie-from-the-hook' }], data: null } },
      { body: { errors: [{ message: 'bad cookie-from-the-hook', path: ['x'] }], data: null } },
      { body: 'cookie-from-the-hook' },
    ];
    for (const answer of answers) {
      stash.answer = () => answer;
      const error = await clientOf()
        .scene(4711)
        .catch((thrown: unknown) => thrown);
      const everything = inspect(error, { depth: 10, showHidden: true });
      expect(everything).not.toMatch(/cookie-from|new-and-secret|query Sluice|4711|variables/);
    }
  });

  it('is not what a caller gets who gave up: the reason comes back as it is', async () => {
    const mine = new AbortController();
    const reason = new Error('the worker stops');
    stash.answer = () => {
      mine.abort(reason);
      return { silent: true };
    };
    await expect(clientOf().scene(1, mine.signal)).rejects.toBe(reason);
    await expect(clientOf().scene(1, mine.signal)).rejects.toBe(reason);
  });

  it('leaves no listener on a signal that lives as long as the worker', async () => {
    answering(() => ({ body: { data: { findScene: null } } }));
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    await clientOf().scene(1, signal);
    expect(add.mock.calls.length).toBe(2);
    expect(remove.mock.calls.length).toBe(2);
  });
});

describe('https', () => {
  let secure: SmallStash;
  beforeEach(async () => {
    secure = await smallStash('https');
    secure.answer = (asked) => (isKeyQuery(asked) ? keyAnswer('') : { body: { data: { findScene: null } } });
  });
  afterEach(() => secure.close());

  it('works on loopback with a certificate that nobody signed, and the cookie is rolled there too', async () => {
    secure.answer = (asked) => ({
      ...(isKeyQuery(asked) ? keyAnswer('') : { body: { data: { findScene: null } } }),
      headers: { 'set-cookie': 'session=renewed-over-tls' },
    });
    const client = clientOf({ ...secure.connection, host: '0.0.0.0' });
    expect(await client.scene(1)).toBeNull();
    expect(client.connection.cookie?.value).toBe('renewed-over-tls');
  });

  it('is verified everywhere else', async () => {
    // 127.0.0.1 as one number: it leads to this server, and is none of the names that count as loopback.
    const client = clientOf({ ...secure.connection, host: String(0x7f_00_00_01) });
    expect(await troubleOf(client.scene(1), 'away')).toBe(
      'Stash is not answering (the certificate is not trusted).',
    );
    expect(secure.asked).toEqual([]);
  });
});
