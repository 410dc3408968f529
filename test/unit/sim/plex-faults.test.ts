import { createHash } from 'node:crypto';
import { request } from 'node:https';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client, failureCode } from '../../sim/plex/client';
import type { FaultKind } from '../../sim/plex/faults';
import { PlexSim } from '../../sim/plex/plex-sim';
import { settle, VirtualClock } from '../../support/virtual-clock';

let plex: PlexSim;
let client: Client;
let clock: VirtualClock;

beforeEach(async () => {
  clock = new VirtualClock();
  plex = await PlexSim.start({ clock });
  client = new Client(plex);
  plex.addItem({ file: '/media/a.mp4', title: 'A' });
});

afterEach(() => plex.stop());

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');

const edit = (title: string) => client.ask(`/library/metadata/1?title.value=${title}`, { method: 'PUT' });

describe('answers', () => {
  test('maintenance is 503 with Plex’s XML, also when JSON was asked for, and nothing is done', async () => {
    plex.setFault({ kind: 'maintenance' });
    const { status, headers, text } = await edit('X');
    expect(status).toBe(503);
    expect(headers.get('content-type')).toBe('text/xml;charset=utf-8');
    expect(text).toContain('<Response code="503" title="Maintenance"');
    expect(plex.item(1)?.title).toBe('A');
  });

  test.each([
    [120, '120'],
    [new Date('2026-01-02T03:04:05Z'), 'Fri, 02 Jan 2026 03:04:05 GMT'],
  ])('429 says when to come again: %s', async (retryAfter, header) => {
    plex.setFault({ kind: 'too-many-requests', retryAfter });
    const { status, headers } = await client.ask('/');
    expect([status, headers.get('retry-after')]).toEqual([429, header]);
  });

  test('500, other errors of a server, and 401 for a token that was good', async () => {
    const faults: [FaultKind, number][] = [
      [{ kind: 'server-error' }, 500],
      [{ kind: 'server-error', status: 502 }, 502],
      [{ kind: 'unauthorised' }, 401],
    ];
    for (const [fault, status] of faults) {
      plex.setFault(fault);
      const answer = await edit('X');
      expect(answer.status).toBe(status);
      expect(answer.text).toContain(`<h1>${status}`);
    }
    expect(plex.item(1)?.title).toBe('A');
  });

  test('414 only for URLs above 8 KB', async () => {
    plex.setFault({ kind: 'uri-too-long' });
    expect((await edit('x'.repeat(8000))).status).toBe(200);
    expect((await edit('y'.repeat(8200))).status).toBe(414);
    expect(plex.item(1)?.title).toMatch(/^x+$/);
  });
});

test('a limit of addresses counts bytes, and holds beside the faults', async () => {
  plex.behaviour.addressLimitBytes = 100;
  plex.setFault({ kind: 'server-error', times: 1 });
  const path = '/library/metadata/1?title.value=';
  expect((await edit('x'.repeat(101 - path.length))).status).toBe(414);
  expect((await edit('%C3%BC'.repeat(12))).status).toBe(414);
  expect(plex.requests.map(({ status, applied }) => [status, applied])).toEqual([
    [414, false],
    [414, false],
  ]);
  expect((await edit('x'.repeat(100 - path.length))).status).toBe(500);
  expect((await edit('x'.repeat(100 - path.length))).status).toBe(200);
});

describe.each([
  ['edit', () => edit('X'), () => plex.item(1)?.title, ['A', 'X']],
  [
    'upload',
    () => client.ask('/library/metadata/1/arts', { method: 'POST', body: Buffer.from('new') }),
    () => plex.item(1)?.art,
    [`upload://art/${sha1('newer')}`, `upload://art/${sha1('new')}`],
  ],
  [
    'select-image',
    () => client.ask(`/library/metadata/1/art?url=upload://art/${sha1('older')}`, { method: 'PUT' }),
    () => plex.item(1)?.art,
    [`upload://art/${sha1('newer')}`, `upload://art/${sha1('older')}`],
  ],
] as const)('trouble with %s only', (on, write, shown, [before, after]) => {
  beforeEach(async () => {
    for (const name of ['older', 'newer']) {
      await client.ask('/library/metadata/1/arts', { method: 'POST', body: Buffer.from(name) });
    }
    plex.clearRecords();
  });

  const troubles = [
    ['a 504', (applied: boolean): FaultKind => ({ kind: 'server-error', status: 504, applied })],
    ['a cut', (applied: boolean): FaultKind => ({ kind: 'reset', applied })],
  ] as const;

  test.each(troubles)('%s before it takes effect, or after it', async (_, fault) => {
    plex.setFault({ ...fault(false), on });
    await write().catch(() => {});
    expect([shown(), plex.writes[on], plex.requests[0]?.applied]).toEqual([before, 0, false]);
    plex.setFault({ ...fault(true), on });
    await write().catch(() => {});
    expect([shown(), plex.writes[on], plex.requests[1]?.applied]).toEqual([after, 1, true]);
    expect(plex.requests.filter(({ status }) => status === 200)).toEqual([]);
    expect((await client.ask('/library/metadata/1')).status).toBe(200);
  });
});

describe('connections', () => {
  test('going down refuses connections, coming back is on the same port with everything kept', async () => {
    const { url } = plex;
    await edit('B');
    await plex.goDown();
    expect(await failureCode(client.ask('/identity'))).toBe('ECONNREFUSED');
    await plex.comeBack();
    expect(plex.url).toBe(url);
    expect(await client.titles('/library/metadata/1')).toEqual(['B']);
  });

  test('going down cuts what is under way', async () => {
    plex.setFault({ kind: 'hang' });
    const asked = failureCode(client.ask('/'));
    await until(() => plex.requests.length === 1);
    await plex.goDown();
    expect(await asked).not.toBe('none');
  });

  test('a request that the server had not begun when it went down never takes effect', async () => {
    plex.setFault({ kind: 'delay', ms: 1000 });
    const asked = failureCode(edit('X'));
    await until(() => plex.requests.length === 1);
    await plex.goDown();
    await asked;
    await plex.comeBack();
    await clock.advance(2000);
    expect(plex.item(1)?.title).toBe('A');
  });

  test('reset cuts the connection before the edit, or after it', async () => {
    plex.setFault({ kind: 'reset' });
    expect(await failureCode(edit('X'))).toBe('ECONNRESET');
    expect(plex.item(1)?.title).toBe('A');
    plex.setFault({ kind: 'reset', applied: true });
    expect(await failureCode(edit('X'))).toBe('ECONNRESET');
    expect(plex.item(1)?.title).toBe('X');
    expect(plex.requests.map(({ status }) => status)).toEqual([null, null]);
  });

  test('hang never answers; the edit may have been done', async () => {
    for (const [applied, title] of [
      [false, 'A'],
      [true, 'X'],
    ] as const) {
      plex.clearRecords();
      plex.setFault({ kind: 'hang', applied });
      await giveUpOnEdit();
      expect(plex.item(1)?.title).toBe(title);
      expect(plex.requests[0]?.status).toBeNull();
    }
  });

  test('truncate announces the whole body and sends half of it', async () => {
    plex.setFault({ kind: 'truncate' });
    expect(await failureCode(client.ask('/library/metadata/1'))).toMatch(/UND_ERR_SOCKET|ECONNRESET/);
    expect(await failureCode(edit('X'))).toMatch(/UND_ERR_SOCKET|ECONNRESET/);
    expect(plex.item(1)?.title).toBe('X');
  });
});

describe('time', () => {
  test('latency and delay add up, on the clock of the test', async () => {
    plex.latencyMs = 20;
    plex.setFault({ kind: 'delay', ms: 500, times: 1 });
    let answered = 0;
    for (const [place, waitMs] of [520, 20].entries()) {
      const asked = client.ask('/').then(() => {
        answered += 1;
      });
      await until(() => plex.requests.length === place + 1);
      await clock.advance(waitMs - 1);
      expect([answered, plex.requests[place]?.status]).toEqual([place, null]);
      await clock.advance(1);
      await asked;
    }
  });

  test('a delayed edit takes effect although the client gave up', async () => {
    plex.setFault({ kind: 'delay', ms: 60_000 });
    await giveUpOnEdit();
    expect(plex.item(1)?.title).toBe('A');
    await clock.advance(60_000);
    await until(() => plex.item(1)?.title === 'X');
  });
});

describe('scope', () => {
  const statuses = async (count: number) => {
    const seen: number[] = [];
    for (let i = 0; i < count; i++) seen.push((await client.ask('/')).status);
    return seen;
  };

  test('a number of times', async () => {
    plex.setFault({ kind: 'server-error', times: 1 });
    expect(await statuses(3)).toEqual([500, 200, 200]);
  });

  test('every so-manieth request', async () => {
    plex.setFault({ kind: 'server-error', every: 3 });
    expect(await statuses(6)).toEqual([200, 200, 500, 200, 200, 500]);
  });

  test('some kinds of request, and those that a function picks', async () => {
    plex.setFault({ kind: 'server-error', on: ['edit', 'upload'] });
    expect([(await client.ask('/')).status, (await edit('X')).status]).toEqual([200, 500]);
    plex.setFault({ kind: 'server-error', on: ({ path }) => path.endsWith('/1') });
    expect([(await client.ask('/')).status, (await client.ask('/library/metadata/1')).status]).toEqual([
      200, 500,
    ]);
  });

  test('several faults: the first that is about the request strikes', async () => {
    plex.setFault([
      { kind: 'maintenance', times: 1 },
      { kind: 'server-error', times: 1 },
    ]);
    expect(await statuses(3)).toEqual([503, 500, 200]);
  });

  test('null ends them', async () => {
    plex.setFault({ kind: 'maintenance' });
    plex.setFault(null);
    expect(await statuses(1)).toEqual([200]);
  });
});

describe('https', () => {
  const ask = (url: string, token: string, rejectUnauthorized: boolean) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(url, { rejectUnauthorized, headers: { 'x-plex-token': token } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });

  test('is offered with a self-signed certificate, which a careful client refuses', async () => {
    const secure = await PlexSim.start({ https: true });
    expect(secure.url).toMatch(/^https:/);
    expect(await ask(secure.url, secure.token, false)).toBe(200);
    expect(await failureCode(ask(secure.url, secure.token, true))).toMatch(/SELF_SIGNED/);
    await secure.goDown();
    await secure.comeBack();
    secure.setFault({ kind: 'reset' });
    expect(await failureCode(ask(secure.url, secure.token, false))).toBe('ECONNRESET');
    await secure.stop();
  });
});

/** Sends an edit, and leaves once the server has it. */
async function giveUpOnEdit(): Promise<void> {
  const patience = new AbortController();
  const asked = client.ask('/library/metadata/1?title.value=X', { method: 'PUT', signal: patience.signal });
  await until(() => plex.requests.length === 1);
  for (let i = 0; i < 5; i++) await settle();
  patience.abort();
  await expect(asked).rejects.toThrow(/abort/);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await settle();
}
