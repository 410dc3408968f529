import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/shared/secrets';
import { missingSettings, readSettings, settingsTable } from '../../../src/stash/settings';

const read = (raw: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) => readSettings(raw, env);
const settings = (raw: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) => {
  const result = readSettings(raw, env);
  expect(result.problems).toEqual([]);
  return result.settings;
};
const problem = (raw: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) => {
  const { problems } = readSettings(raw, env);
  expect(problems).toHaveLength(1);
  return problems[0] ?? '';
};

const defaults = {
  plexUrl: null,
  plexToken: null,
  plexLibraries: [],
  plexPathMap: [],
  plexTrustAnyCertificate: false,
  flowOpenSeconds: 60,
};

describe('settings', () => {
  it('are the defaults when unset, 0 or empty', () => {
    expect(settings({})).toEqual(defaults);
    const empty = { plexUrl: '', plexToken: '  ', plexLibraries: null, plexPathMap: '', flowOpenSeconds: 0 };
    expect(settings({ ...empty, plexTrustAnyCertificate: false, somethingElse: 7 })).toEqual(defaults);
    expect(settings({ flowOpenSeconds: '0' }, { SLUICE_FLOW_OPEN_SECONDS: '' })).toEqual(defaults);
  });

  it('come from the settings page as Stash keeps them', () => {
    expect(
      settings({
        plexUrl: 'http://plex.example:32400',
        plexToken: ' abcdefgh12345678 ',
        plexLibraries: 'Films, "Talks, long",Concerts',
        plexPathMap: '/data => /media',
        plexTrustAnyCertificate: true,
        flowOpenSeconds: 5,
      }),
    ).toEqual({
      plexUrl: 'http://plex.example:32400',
      plexToken: 'abcdefgh12345678',
      plexLibraries: ['Films', 'Talks, long', 'Concerts'],
      plexPathMap: [{ from: '/data', to: '/media' }],
      plexTrustAnyCertificate: true,
      flowOpenSeconds: 5,
    });
  });

  it('come from the environment where the page has nothing', () => {
    const env = {
      SLUICE_PLEX_URL: 'http://env:32400',
      SLUICE_PLEX_TOKEN: 'env-token',
      SLUICE_FLOW_OPEN_SECONDS: '90.5',
      SLUICE_PLEX_TRUST_ANY_CERTIFICATE: 'yes',
    };
    expect(settings({ plexUrl: 'http://page:32400', plexToken: '', flowOpenSeconds: 0 }, env)).toEqual({
      ...defaults,
      plexUrl: 'http://page:32400',
      plexToken: 'env-token',
      flowOpenSeconds: 90.5,
      plexTrustAnyCertificate: true,
    });
    expect(settings({ plexTrustAnyCertificate: false }, env).plexTrustAnyCertificate).toBe(false);
  });

  it('lose only the one that is mistaken, with one sentence that names it', () => {
    const result = read({ flowOpenSeconds: 'soon', plexUrl: 'http://plex:32400', plexToken: 'abcdefgh' });
    expect(result.settings).toEqual({ ...defaults, plexUrl: 'http://plex:32400', plexToken: 'abcdefgh' });
    expect(result.problems).toEqual([
      'The setting "Wait after Plex failed" is "soon", but must be a number from 1 to 86400; ' +
        'until it is corrected, 60 is used.',
    ]);
  });

  it('say where a mistake came from when it is not on the page', () => {
    expect(problem({}, { SLUICE_FLOW_OPEN_SECONDS: '-3' })).toContain(
      'Wait after Plex failed" (from SLUICE_FLOW_OPEN_SECONDS) is "-3", but must be',
    );
  });

  it('of a strange kind are mistakes, not crashes', () => {
    expect(problem({ plexLibraries: { a: 1 } })).toContain(
      '"Plex libraries" is "{"a":1}", but must be a text',
    );
    expect(problem({ plexTrustAnyCertificate: 'perhaps' })).toContain('must be true or false');
  });

  it('never show the token, right or wrong, and make it known as a secret', () => {
    const sentence = problem({ plexToken: 'tok en-with-space' });
    expect(sentence).toMatch(/^The setting "Plex token" must be one word .*; until it is corrected/);
    expect(sentence).not.toContain('with-space');
    settings({ plexToken: 'right-token-123' });
    expect(redact('a right-token-123 b tok en-with-space')).toBe('a *** b ***');
  });
});

describe('the settings page', () => {
  it('has exactly the settings of the table, under the names that messages use', () => {
    const manifest = readFileSync(join(__dirname, '../../../plugin.yml'), 'utf8');
    const page = manifest.slice(manifest.indexOf('\nsettings:\n'));
    const shown = [...page.matchAll(/^ {2}(\w+):\n {4}displayName: (.+)$/gm)].map(([, key, label]) => [
      key,
      label,
    ]);
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(Object.entries(settingsTable).map(([key, { label }]) => [key, label])),
    );
  });
});

describe('the Plex address', () => {
  it.each([
    ['http://plex:32400', 'http://plex:32400'],
    ['http://plex:32400/', 'http://plex:32400'],
    ['http://plex:32400/web', 'http://plex:32400'],
    ['http://plex:32400/web/index.html#!/server/abc?key=x', 'http://plex:32400'],
    ['https://home.example/plex/', 'https://home.example/plex'],
    ['https://home.example/plex/web/', 'https://home.example/plex'],
    ['HTTP://Plex:32400', 'http://plex:32400'],
    ['192.168.1.10', 'http://192.168.1.10:32400'],
    ['192.168.1.10:8080/', 'http://192.168.1.10:8080'],
    ['plex:32400', 'http://plex:32400'],
    ['[fd00::7]:32400', 'http://[fd00::7]:32400'],
    ['https://1-2-3-4.abc.plex.direct:32400', 'https://1-2-3-4.abc.plex.direct:32400'],
  ])('%s is taken as %s', (typed, url) => {
    expect(settings({ plexUrl: typed }).plexUrl).toBe(url);
  });

  it.each(['ftp://plex', 'http://', 'not an address', 'http://plex:99999', '::1'])(
    '%s is refused',
    (typed) => {
      expect(problem({ plexUrl: typed })).toBe(
        `The setting "Plex address" is "${typed}", but must be an address such as http://192.168.1.10:32400; ` +
          'until it is corrected, it counts as not set.',
      );
    },
  );

  it("is not that of Plex's web app", () => {
    expect(problem({ plexUrl: 'https://app.plex.tv/desktop/#!/' })).toContain(
      'must be the address of your own server',
    );
  });

  it.each([
    'http://me:pa/ss@word@plex:32400',
    'http://me:word@plex:32400',
    'me:word@plex:32400',
    'ftp://me:word@plex/?X-Plex-Token=word',
    'htp://plex:32400/?X-Plex-Token=word#word',
  ])('never shows a password: %s', (typed) => {
    const sentence = problem({ plexUrl: typed });
    expect(sentence).not.toContain('word@');
    expect(sentence).not.toMatch(/me:|=word|pa\/ss/);
  });
});

describe('lists', () => {
  it.each([
    ['Films', ['Films']],
    [' Films ,, Talks ,', ['Films', 'Talks']],
    ['"Talks, long" , Films', ['Talks, long', 'Films']],
    ['"The ""big"" one"', ['The "big" one']],
    ['Best "4K" films', ['Best "4K" films']],
    ['Films, Films', ['Films']],
  ])('%s', (text, names) => {
    expect(settings({ plexLibraries: text }).plexLibraries).toEqual(names);
  });

  it.each(['"Talks, long', '"Talks" long, Films'])('%s is refused', (text) => {
    expect(problem({ plexLibraries: text })).toContain('a name in double quotes has to end with one');
  });
});

describe('the path map', () => {
  it('is rules with semicolons or line breaks between them, without separators at their ends', () => {
    expect(
      settings({ plexPathMap: '/data/ => /media//; C:\\v\\ => /v\n\\\\nas\\films=>D:\\;\n' }).plexPathMap,
    ).toEqual([
      { from: '/data', to: '/media' },
      { from: 'C:\\v', to: '/v' },
      { from: '\\\\nas\\films', to: 'D:' },
    ]);
    expect(settings({ plexPathMap: '/ => /mnt/all' }).plexPathMap).toEqual([{ from: '', to: '/mnt/all' }]);
  });

  it.each([
    ['/data -> /media', '"/data -> /media" is not'],
    ['/ok => /fine; /data =>', '"/data =>" is not'],
    ['/a => /b => /c', '"/a => /b => /c" is not'],
    ['data => /media', '"data" begins neither'],
    ['/data => media', '"media" begins neither'],
    ['/data => /a; /data/ => /b', 'must not name "/data/" twice'],
  ])('%s is refused, and the faulty part named', (text, part) => {
    expect(problem({ plexPathMap: text })).toContain(part);
    expect(read({ plexPathMap: text }).settings.plexPathMap).toEqual([]);
  });
});

describe('what is not configured yet', () => {
  it('is said in one sentence', () => {
    expect(missingSettings(settings({}))).toBe(
      'Sluice keeps your edits but cannot send them yet: set "Plex address" and "Plex token" in Stash under ' +
        'Settings > Plugins > Sluice.',
    );
    expect(missingSettings(settings({ plexUrl: 'plex' }))).toContain('yet: set "Plex token" in Stash');
    expect(missingSettings(settings({ plexUrl: 'plex', plexToken: 'abcdefgh' }))).toBeNull();
  });
});
