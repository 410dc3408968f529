import { describe, expect, it } from 'vitest';
import { ask, type RawAnswer } from '../../sim/stash/person';
import { pictureOf } from '../../sim/stash/pictures';
import type { StashSim } from '../../sim/stash/stash-sim';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';
import { startStash, writeRecorder } from './stash-helpers';

const graphql = (stash: StashSim, headers: Record<string, string> = {}): Promise<RawAnswer> =>
  ask(`${stash.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"query":"{configuration{general{apiKey username}}}"}',
  });
const picture = (stash: StashSim, headers: Record<string, string> = {}, path = '/scene/1/screenshot?t=5') =>
  ask(stash.url + path, { headers });
const cookieOf = (stash: StashSim) => `session=${stash.serverConnection().SessionCookie.Value}`;
const renewed = ({ headers }: RawAnswer) => headers['set-cookie']?.[0] ?? '';

describe('without a username', () => {
  it('everybody may come in, but a wrong API key may not', async () => {
    const stash = await startStash();
    expect((await graphql(stash)).status).toBe(200);
    const refused = await graphql(stash, { ApiKey: 'wrong' });
    expect([refused.status, refused.body.length]).toEqual([401, 0]);
  });

  it('a hook’s cookie is renewed all the same', async () => {
    const stash = await startStash();
    expect(renewed(await graphql(stash, { cookie: cookieOf(stash) }))).toMatch(/^session=/);
    expect(renewed(await graphql(stash, { cookie: 'session=nonsense' }))).toBe('');
  });

  it('the API key is an empty text until there is one', async () => {
    const stash = await startStash();
    const general = async () => JSON.parse((await graphql(stash)).body.toString()).data.configuration.general;
    expect(await general()).toEqual({ apiKey: '', username: '' });
    stash.credentials.apiKey = 'generated';
    expect(await general()).toEqual({ apiKey: 'generated', username: '' });
  });
});

describe('with a username', () => {
  const secured = async (options = {}) => {
    const stash = await startStash({ username: 'ann', apiKey: 'key', ...options });
    stash.addScene();
    return stash;
  };

  it('GraphQL without a credential is 401 with nothing in it', async () => {
    const stash = await secured();
    for (const headers of [{}, { cookie: 'session=nonsense' }, { cookie: 'session=' }]) {
      const answer = await graphql(stash, headers as Record<string, string>);
      expect([answer.status, answer.body.length, answer.headers['www-authenticate']]).toEqual([
        401,
        0,
        'FormBased',
      ]);
    }
  });

  it('a picture without a credential leads to the login', async () => {
    const answer = await picture(await secured());
    expect([answer.status, answer.headers.location]).toEqual([
      302,
      '/login?returnURL=%2Fscene%2F1%2Fscreenshot%3Ft%3D5',
    ]);
    expect(answer.headers['content-type']).toContain('text/html');
  });

  it('the API key opens both, as a header and in the address, and wins over a good cookie', async () => {
    const stash = await secured();
    expect((await graphql(stash, { ApiKey: 'key' })).status).toBe(200);
    expect((await picture(stash, {}, '/scene/1/screenshot?apikey=key')).status).toBe(200);
    expect((await graphql(stash, { ApiKey: 'wrong', cookie: cookieOf(stash) })).status).toBe(401);
    expect((await picture(stash, { ApiKey: 'wrong' })).status).toBe(401);
  });

  it('a cookie opens both until its time is over, and each answer has a new one', async () => {
    const clock = new VirtualClock();
    const stash = await secured({ clock, maxSessionAge: 60 });
    const first = cookieOf(stash);
    await clock.advance(60_000);
    const answer = await graphql(stash, { cookie: first });
    expect(answer.status).toBe(200);
    expect(renewed(answer)).toMatch(/^session=[^;]+; Path=\/; Expires=[^;]+ GMT; Max-Age=60; SameSite=Lax$/);
    expect((await picture(stash, { cookie: first })).status).toBe(200);

    await clock.advance(1_000);
    expect((await graphql(stash, { cookie: first })).status).toBe(401);
    expect((await picture(stash, { cookie: first })).status).toBe(302);
    const second = renewed(answer).split(';')[0] ?? '';
    expect((await graphql(stash, { cookie: second })).status).toBe(200);
  });

  it('a cookie outlives a restart, but not another Stash', async () => {
    const dir = tempDir('stash');
    const stash = await secured({ dir });
    const cookie = cookieOf(stash);
    await stash.restart();
    expect((await graphql(stash, { cookie })).status).toBe(200);
    await stash.stop();
    expect((await graphql(await secured({ dir }), { cookie })).status).toBe(200);
    expect((await graphql(await secured(), { cookie })).status).toBe(401);
  });

  it('a cookie from before there was a username opens nothing', async () => {
    const stash = await startStash();
    const cookie = cookieOf(stash);
    stash.credentials.username = 'ann';
    expect((await graphql(stash, { cookie })).status).toBe(401);
  });

  it('hooks of edits and of scans get a cookie of the person who caused them', async () => {
    const dir = tempDir('stash');
    const calls = writeRecorder(dir, 'probe', ['Scene.Update.Post', 'Scene.Create.Post']);
    const stash = await secured({ dir });
    await stash.edit({ id: 1 });
    stash.disk.add('/data/new.mp4');
    await stash.scan();
    expect(calls().length).toBe(2);
    for (const call of calls()) {
      const { Name, Value } = JSON.parse(call).server_connection.SessionCookie;
      expect((await graphql(stash, { cookie: `${Name}=${Value}` })).status).toBe(200);
    }
  });
});

describe('pictures', () => {
  it('are the scene’s own, and the same every time', async () => {
    const stash = await startStash();
    stash.addScene();
    stash.addScene();
    const answer = await picture(stash);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/png']);
    expect(answer.body.equals(pictureOf(1))).toBe(true);
    expect((await picture(stash, {}, '/scene/2/screenshot')).body.equals(answer.body)).toBe(false);
    expect((await picture(stash, { 'if-none-match': String(answer.headers.etag) })).status).toBe(304);
  });

  it('are the one that was uploaded', async () => {
    const stash = await startStash();
    const id = stash.addScene();
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3]);
    await stash.edit({ id, cover_image: `data:image/jpeg;base64,${jpeg.toString('base64')}` });
    const answer = await picture(stash);
    expect([answer.headers['content-type'], answer.body.equals(jpeg)]).toEqual(['image/jpeg', true]);
  });

  it('are a stock drawing with 200 where there is none', async () => {
    const stash = await startStash();
    stash.addScene({ cover: null });
    stash.addPerformer('Ada');
    for (const path of ['/scene/1/screenshot', '/performer/1/image']) {
      const answer = await picture(stash, {}, path);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    }
    const { findPerformer } = await stash.gql<{ findPerformer: { image_path: string } }>(
      '{findPerformer(id:"1"){image_path}}',
    );
    expect(findPerformer.image_path).toMatch(/\/performer\/1\/image\?t=\d+&default=true$/);
  });

  it('of what does not exist are 404', async () => {
    expect((await picture(await startStash())).status).toBe(404);
  });

  it('have the address under which Stash was asked', async () => {
    const stash = await startStash();
    stash.addScene();
    const { findScene } = await stash.gql<{ findScene: { paths: { screenshot: string } } }>(
      '{findScene(id:"1"){paths{screenshot}}}',
    );
    expect((await ask(findScene.paths.screenshot)).status).toBe(200);
  });
});
