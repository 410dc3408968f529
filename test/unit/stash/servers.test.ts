import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/shared/secrets';
import { readServers } from '../../../src/stash/servers';

const read = (value: unknown) => readServers(JSON.stringify(value));
const attic = { url: 'http://192.168.1.11:32400', token: 'attic-token-1' };
const unusable = {
  plexUrl: null,
  plexToken: null,
  plexLibraries: [],
  plexPathMap: [],
  plexTrustAnyCertificate: false,
};

/** The one problem of the one server. */
function problemOf(server: unknown): string {
  const { servers, problems } = read({ attic: server });
  const { settings, problem } = servers.get('attic') ?? {};
  expect(settings).toEqual(unusable);
  expect(problems).toEqual([problem]);
  return problem ?? '';
}

describe('servers.json', () => {
  it('names servers with their settings, in its order', () => {
    const { servers, problems } = read({
      attic,
      'cabin_2-b': {
        url: 'cabin',
        token: ' cabin-token ',
        libraries: 'Talks, "Concerts, live"',
        pathMap: '/data => /media; C:\\v => /v',
        trustAnyCertificate: true,
      },
    });
    expect(problems).toEqual([]);
    expect([...servers]).toEqual([
      ['attic', { settings: { ...unusable, plexUrl: attic.url, plexToken: 'attic-token-1' }, problem: null }],
      [
        'cabin_2-b',
        {
          settings: {
            plexUrl: 'http://cabin:32400',
            plexToken: 'cabin-token',
            plexLibraries: ['Talks', 'Concerts, live'],
            plexPathMap: [
              { from: '/data', to: '/media' },
              { from: 'C:\\v', to: '/v' },
            ],
            plexTrustAnyCertificate: true,
          },
          problem: null,
        },
      ],
    ]);
  });

  it('may be empty, and may have what editors on Windows put at its beginning', () => {
    expect(read({})).toEqual({ servers: new Map(), problems: [] });
    expect(readServers(`\ufeff${JSON.stringify({ attic })}`).servers.has('attic')).toBe(true);
  });

  it.each([
    [
      ['Talks', ' Concerts, live ', 'Talks'],
      ['Talks', 'Concerts, live'],
    ],
    ['', []],
    [null, []],
    [[], []],
  ])('takes the libraries %j', (libraries, names) => {
    expect(read({ attic: { ...attic, libraries } }).servers.get('attic')?.settings.plexLibraries).toEqual(
      names,
    );
  });

  it.each([
    [{ '/data/': '/media', '/a; b => c': 'D:\\' }, ['/data => /media', '/a; b => c => D:']],
    [{}, []],
    ['', []],
    [null, []],
  ])('takes the path map %j', (pathMap, rules) => {
    const { settings } = read({ attic: { ...attic, pathMap } }).servers.get('attic') ?? {};
    expect(settings?.plexPathMap.map(({ from, to }) => `${from} => ${to}`)).toEqual(rules);
  });

  it.each([
    [true, true],
    ['yes', true],
    [false, false],
    ['off', false],
    [null, false],
  ])('takes trustAnyCertificate %j', (trustAnyCertificate, trusted) => {
    const { settings } = read({ attic: { ...attic, trustAnyCertificate } }).servers.get('attic') ?? {};
    expect(settings?.plexTrustAnyCertificate).toBe(trusted);
  });
});

describe('a mistake in servers.json', () => {
  it.each([
    [{ token: 'attic-token-1' }, '"url" of "attic" is missing, but must be an address such as http://'],
    [{ ...attic, url: ' ' }, '"url" of "attic" is "", but must be an address such as http://'],
    [{ ...attic, url: 5 }, '"url" of "attic" is "5", but must be an address such as http://'],
    [{ ...attic, url: 'ftp://attic' }, '"url" of "attic" is "ftp://attic", but must be an address such as'],
    [
      { ...attic, url: 'http://me:hushhush@attic:32400/?a=hushhush' },
      '"url" of "attic" is "http://***@attic:32400/", but must not hold a user name or a password',
    ],
    [
      { url: attic.url },
      '"token" of "attic" is missing, but must be the X-Plex-Token of that server\'s owner',
    ],
    [{ ...attic, token: 'hushhush and more' }, '"token" of "attic" must be one word of plain letters'],
    [{ ...attic, token: ['hushhush'] }, '"token" of "attic" must be the X-Plex-Token'],
    [{ ...attic, libraries: 7 }, '"libraries" of "attic" is "7", but must be names with commas'],
    [
      { ...attic, libraries: ['Talks', 7] },
      '"libraries" of "attic" is a list, but must be names with commas',
    ],
    [{ ...attic, libraries: '"Talks' }, '"libraries" of "attic" is ""Talks", but must be names with commas'],
    [{ ...attic, pathMap: '/data' }, '"pathMap" of "attic" is "/data", but must be rules like'],
    [{ ...attic, pathMap: ['/data'] }, '"pathMap" of "attic" is a list, but must be rules like'],
    [{ ...attic, pathMap: { '/data': 1 } }, '"pathMap" of "attic" is an object, but must be rules like'],
    [
      { ...attic, pathMap: { data: '/m' } },
      'an object, but must name whole paths, and "data" begins neither',
    ],
    [
      { ...attic, trustAnyCertificate: 1 },
      '"trustAnyCertificate" of "attic" is "1", but must be true or false',
    ],
    ['http://attic', '"attic" must be an object with "url" and "token"'],
    [null, '"attic" must be an object with "url" and "token"'],
    [[attic], '"attic" must be an object with "url" and "token"'],
  ])('is named with server, field and what is allowed: %j', (server, sentence) => {
    const said = problemOf(server);
    expect(said).toMatch(/^In servers\.json, "/);
    expect(said).toContain(sentence);
    expect(said).toMatch(/; until it is corrected, nothing is sent to "attic"\.$/);
    expect(said).not.toContain('hushhush');
  });

  it('does not hide the next one in the same server', () => {
    const said = problemOf({ url: 'ftp://x', libraries: 7 });
    for (const name of ['"url"', '"token"', '"libraries"']) expect(said).toContain(`, ${name} of "attic"`);
  });

  it('costs the others nothing', () => {
    const { servers, problems } = read({ attic, cabin: {}, shed: attic });
    expect([...servers].map(([name, { problem }]) => [name, problem === null])).toEqual([
      ['attic', true],
      ['cabin', false],
      ['shed', true],
    ]);
    expect(problems).toEqual([servers.get('cabin')?.problem]);
  });

  it('that is only a field too many is told, and the server is used', () => {
    const { servers, problems } = read({ attic: { ...attic, libary: 'hushhush' } });
    expect(servers.get('attic')).toMatchObject({ settings: { plexUrl: attic.url }, problem: null });
    expect(problems).toEqual([
      'In servers.json, the field "libary" of "attic" is ignored; there are "url", "token", "libraries", ' +
        '"pathMap", "trustAnyCertificate".',
    ]);
  });

  it.each([
    ['Attic', 'it must be 1 to 40 of the characters a-z, 0-9, "_" and "-"'],
    ['', 'it must be 1 to 40'],
    ['a/b', 'it must be 1 to 40'],
    ['..', 'it must be 1 to 40'],
    ['a'.repeat(41), 'it must be 1 to 40'],
    ['plex', 'that is the server of the settings page'],
    ['archived', 'that name is reserved'],
    ['con', 'that name is reserved'],
    ['com1', 'that name is reserved'],
    ['lpt9', 'that name is reserved'],
    ['__proto__', 'that name is reserved'],
  ])('that is the name %j leaves that server out, and says why', (name, why) => {
    const text = `{${JSON.stringify(name)}: ${JSON.stringify(attic)}, "shed": ${JSON.stringify(attic)}}`;
    const { servers, problems } = readServers(text);
    expect([...servers.keys()]).toEqual(['shed']);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`"${name}" cannot be the name of a server: ${why}`);
  });

  it.each(['constructor', 'tostring', 'a'.repeat(40), '0', 'con2', '-'])('is not the name %s', (name) => {
    expect(read({ [name]: attic })).toMatchObject({ problems: [] });
    expect([...read({ [name]: attic }).servers.keys()]).toEqual([name]);
  });

  it.each([
    ['{\n  "attic": {\n    "token": "hushhush"\n    "url": ""\n  }\n}', ' (line 4, column 5)'],
    ['{"attic": {"token": "hushhush",}}', ' (line 1, column 32)'],
    ['{"attic": {"token": hushhush}}', ''],
    ['{"attic": {"token": "hushhush', / \(line 1, column \d+\)|/],
    ['// hushhush\n{}', ''],
    ['', ''],
  ])('as a whole is said with its place where that is known, and nothing is shown: %j', (text, place) => {
    const source = typeof place === 'string' ? place.replace(/[()]/g, '\\$&') : place.source;
    expect(() => readServers(text)).toThrow(
      new RegExp(`^servers\\.json is not valid JSON(${source})\\. It must look like \\{"attic": `),
    );
    expect(() => readServers(text)).not.toThrow('hushhush');
  });

  it.each(['[]', '7', 'null', '"attic"'])('is anything but an object: %s', (text) => {
    expect(() => readServers(text)).toThrow(/^servers\.json is not a JSON object\. It must look like/);
  });
});

describe('tokens', () => {
  it('are known as secrets, also those of a file that cannot be parsed', () => {
    read({ attic: { ...attic, token: 'whole-file-token' }, plex: { token: 'left-out-token' } });
    expect(() => readServers('{"attic": {"token" : "broken-file-token"')).toThrow();
    expect(redact('whole-file-token, left-out-token, broken-file-token')).toBe('***, ***, ***');
  });

  it('are known as secrets however they are written', () => {
    readServers('{"attic": {"tok\\u0065n": "  escaped-\\u0074oken "}}');
    expect(redact('escaped-token')).toBe('***');
  });
});
