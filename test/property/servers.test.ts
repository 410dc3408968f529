import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readServers } from '../../src/stash/servers';

const secret = 'xX-hush-hush-Xx';
const anything = fc.jsonValue({ maxDepth: 3 });
const token = fc.oneof(
  fc.constantFrom<unknown>(secret, ` ${secret} `, `${secret} ${secret}`, `${secret}\n`, [secret], {
    a: secret,
  }),
  fc.string().map((text) => text + secret),
);
const url = fc.oneof(
  anything,
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom('http://plex:32400', 'plex', `http://me:${secret}@plex`, `htp://x/?X-Plex-Token=${secret}`),
);
const field = fc.oneof(fc.constantFrom('Url', 'tokem', '__proto__', 'constructor'), fc.string());
const server = fc
  .tuple(
    fc.record(
      { url, token, libraries: anything, pathMap: anything, trustAnyCertificate: anything },
      { requiredKeys: [] },
    ),
    fc.dictionary(field, anything),
  )
  .map(([known, more]) => ({ ...more, ...known }));
const name = fc.oneof(fc.constantFrom('attic', 'plex', 'con', '__proto__', 'constructor'), fc.string());
const file = fc.dictionary(
  name,
  fc.oneof({ weight: 5, arbitrary: server }, { weight: 1, arbitrary: anything }),
);

/** All that a person would read, or null when the file is refused as a whole, with the one kind of Error. */
function sentences(text: string): string[] {
  try {
    const { servers, problems } = readServers(text);
    for (const [, { settings, problem }] of servers) {
      expect((settings.plexUrl === null) === (problem !== null)).toBe(true);
      expect((settings.plexToken === null) === (problem !== null)).toBe(true);
      if (problem !== null) expect(problems).toContain(problem);
    }
    return problems;
  } catch (error) {
    if (!(error instanceof Error) || Object.getPrototypeOf(error) !== Error.prototype) throw error;
    expect(error.message).toMatch(/^servers\.json is not (valid JSON|a JSON object)/);
    return [error.message];
  }
}

describe('readServers', () => {
  it('takes any text, or refuses it with its own Error', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void sentences(text)));
  });

  it('shows no token, whatever else is wrong with a file', () => {
    fc.assert(
      fc.property(file, (servers) => {
        for (const sentence of sentences(JSON.stringify(servers))) expect(sentence).not.toContain(secret);
      }),
      { numRuns: 500 },
    );
  });

  it('shows no token of a file that a slip of the hand damaged', () => {
    fc.assert(
      fc.property(
        file,
        fc.nat(),
        fc.nat({ max: 3 }),
        fc.constantFrom('', ',', '"', '}', 'x', '\\'),
        (servers, at, cut, put) => {
          const whole = JSON.stringify(servers, null, 2);
          const place = at % (whole.length + 1);
          const text = whole.slice(0, place) + put + whole.slice(place + cut);
          for (const sentence of sentences(text)) expect(sentence).not.toContain(secret);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is not troubled by how deep something is nested', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    for (const key of ['url', 'token', 'libraries', 'pathMap', 'trustAnyCertificate', 'other']) {
      expect(sentences(`{"attic": {"url": "plex", "token": "abc", "${key}": ${deep}}}`)).toHaveLength(1);
    }
  });
});
