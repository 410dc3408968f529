import { describe, expect, it } from 'vitest';
import { type FlowNumber, flowDefaults, flowNumbers } from '../../../src/shared/flow-settings';
import { redact } from '../../../src/shared/secrets';
import { flowPairs } from '../../../src/stash/flow-pairs';
import { environmentName, missingSettings, readSettings, settingsTable } from '../../../src/stash/settings';
import { syncDefaults } from '../../../src/stash/sync-settings';

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
  heldBecause: null,
  plexUrl: null,
  plexToken: null,
  plexLibraries: [],
  plexPathMap: [],
  plexTrustAnyCertificate: false,
  notifyUrl: null,
  flow: flowDefaults,
  ...syncDefaults,
};

describe('settings', () => {
  it('are the defaults when unset, 0 or empty', () => {
    expect(settings({})).toEqual(defaults);
    const empty = { plexUrl: '', plexToken: '  ', plexLibraries: null, plexPathMap: '', notifyUrl: ' ' };
    expect(settings({ ...empty, plexTrustAnyCertificate: false, somethingElse: 7 })).toEqual(defaults);
    expect(settings({ flowOpenSeconds: '0' }, { SLUICE_FLOW_OPEN_SECONDS: '' })).toEqual(defaults);
    expect(settings({ flowOpenSeconds: 0 }, { SLUICE_FLOW_LANES: '0' })).toEqual(defaults);
  });

  it('come from the settings page as Stash keeps them', () => {
    expect(
      settings({
        plexUrl: 'http://plex.example:32400',
        plexToken: ' abcdefgh12345678 ',
        plexLibraries: 'Films, "Talks, long",Concerts',
        plexPathMap: '/data => /media',
        plexTrustAnyCertificate: true,
        notifyUrl: 'https://hooks.example/services/abc',
        flowOpenSeconds: 5,
      }),
    ).toEqual({
      ...defaults,
      plexUrl: 'http://plex.example:32400',
      plexToken: 'abcdefgh12345678',
      plexLibraries: ['Films', 'Talks, long', 'Concerts'],
      plexPathMap: [{ from: '/data', to: '/media' }],
      plexTrustAnyCertificate: true,
      notifyUrl: 'https://hooks.example/services/abc',
      flow: { ...flowDefaults, openSeconds: 5 },
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
      flow: { ...flowDefaults, openSeconds: 90.5 },
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

describe('the numbers of the flow', () => {
  const all = Object.entries(flowNumbers).map(([name, number]) => ({
    name,
    key: `flow${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    ...(number as FlowNumber),
  }));
  const onPage = all.filter(({ label }) => label !== undefined);

  it('are each a setting of its own, by page and environment or by the environment only', () => {
    expect(Object.keys(settingsTable)).toEqual(expect.arrayContaining(all.map(({ key }) => key)));
    expect(onPage.map(({ key }) => key)).toContain('flowOpenSeconds');
    expect(new Set(onPage.map(({ label }) => label)).size).toBe(onPage.length);
    expect(environmentName('flowFailuresInARow')).toBe('SLUICE_FLOW_FAILURES_IN_A_ROW');
  });

  it.each(all)('$name has a default that is allowed, and 0 is not: it means the default', (number) => {
    expect(number.least).toBeGreaterThan(0);
    expect(number.fallback).toBeGreaterThanOrEqual(number.least);
    expect(number.fallback).toBeLessThanOrEqual(number.most);
  });

  it.each(all)(
    '$name is read from the environment, from its least to its most',
    ({ name, key, least, most }) => {
      for (const value of [least, most]) {
        const { flow } = settings({}, { [environmentName(key)]: ` ${value} ` });
        expect(flow[name as keyof typeof flow]).toBe(value);
      }
    },
  );

  it.each(all)('$name keeps its default when it is out of range, and the range is named', (number) => {
    const variable = environmentName(number.key);
    const name = number.label === undefined ? variable : `"${number.label}" (from ${variable})`;
    const kind = number.whole ? 'a whole number' : 'a number';
    for (const value of [
      `${number.most + 1}`,
      '-1',
      'NaN',
      'Infinity',
      '5 s',
      ...(number.whole ? ['1.5'] : []),
    ]) {
      expect(read({}, { [variable]: value })).toEqual({
        settings: defaults,
        problems: [
          `The setting ${name} is "${value}", but must be ${kind} from ${number.least} to ${number.most}; ` +
            `until it is corrected, ${number.fallback} is used.`,
        ],
      });
    }
  });

  it('on the page win over the environment; the others are not read from the page', () => {
    const env = { SLUICE_FLOW_LANES: '7', SLUICE_FLOW_QUICK_MS: '8' };
    const { flow } = settings({ flowLanes: 3, flowQuickMs: 9 }, env);
    expect(flow).toEqual({ ...flowDefaults, lanes: 3, quickMs: 8 });
  });

  it('do not take an empty page for a reason to ignore the environment', () => {
    expect(settings({ flowLanes: 0 }, { SLUICE_FLOW_LANES: '7' }).flow.lanes).toBe(7);
  });
});

describe('two numbers of the flow that belong together', () => {
  const by = (values: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        environmentName(`flow${name.slice(0, 1).toUpperCase()}${name.slice(1)}`),
        String(value),
      ]),
    );

  it.each(flowPairs)('$low and $high have the same range, and defaults that agree', ({ low, high }) => {
    const { least, most } = flowNumbers[low];
    expect(flowNumbers[high]).toMatchObject({ least, most });
    expect(flowDefaults[low]).toBeLessThanOrEqual(flowDefaults[high]);
  });

  it.each(flowPairs)('$low set alone, above $high, takes that along without a word', ({ low, high }) => {
    const value =
      flowDefaults[high] === flowNumbers[low].most ? flowNumbers[low].most : flowDefaults[high] + 1;
    expect(settings({}, by({ [low]: value })).flow).toEqual({ ...flowDefaults, [low]: value, [high]: value });
  });

  it.each(flowPairs)('$high set alone, below $low, takes that along without a word', ({ low, high }) => {
    const value = flowDefaults[low] / 2;
    expect(settings({}, by({ [high]: value })).flow).toEqual({
      ...flowDefaults,
      [low]: value,
      [high]: value,
    });
  });

  it.each(flowPairs)('$low and $high may be equal, and in their order', ({ low, high }) => {
    for (const [a, b] of [
      [2, 2],
      [2, 3],
    ] as const) {
      expect(settings({}, by({ [low]: a, [high]: b })).flow).toEqual({
        ...flowDefaults,
        [low]: a,
        [high]: b,
      });
    }
  });

  it.each(flowPairs)(
    '$low and $high that contradict each other are named, and what is used',
    ({ low, high }) => {
      const { settings: used, problems } = read({}, by({ [low]: 40, [high]: 4 }));
      const kinder = low === 'initialRate' ? 4 : 40;
      expect(used.flow).toEqual({ ...flowDefaults, [low]: kinder, [high]: kinder });
      expect(problems).toHaveLength(1);
      for (const name of Object.keys(by({ [low]: 0, [high]: 0 }))) expect(problems[0]).toContain(name);
      expect(problems[0]).toMatch(
        new RegExp(` is 40, but must not be above .*, which is 4; until .*, ${kinder} is used for both\\.$`),
      );
    },
  );

  it('are called as on the page when they are from there', () => {
    expect(problem({ flowOpenSeconds: 600 }, { SLUICE_FLOW_OPEN_MAX_SECONDS: '30' })).toBe(
      'The setting "Wait after Plex failed" is 600, but must not be above "Longest wait after Plex failed" ' +
        '(from SLUICE_FLOW_OPEN_MAX_SECONDS), which is 30; until one of them is corrected, 600 is used for both.',
    );
  });

  it('count as set alone when the other one is a mistake, whose sentence says what is used', () => {
    const { settings: used, problems } = read({ flowOpenSeconds: 'soon', flowOpenMaxSeconds: 30 });
    expect(used.flow).toEqual({ ...flowDefaults, openSeconds: 30, openMaxSeconds: 30 });
    expect(problems).toEqual([
      'The setting "Wait after Plex failed" is "soon", but must be a number from 1 to 86400; ' +
        'until it is corrected, 30 is used.',
    ]);
  });
});

describe('the notification address', () => {
  it.each([
    ['https://hooks.example/services/T0/B0/abcdefgh', 'https://hooks.example/services/T0/B0/abcdefgh'],
    [' http://ntfy.example:8080/films?auth=abc ', 'http://ntfy.example:8080/films?auth=abc'],
    ['HTTPS://Hooks.Example', 'https://hooks.example/'],
  ])('%s is taken', (typed, url) => {
    expect(settings({ notifyUrl: typed }).notifyUrl).toBe(url);
  });

  it.each([
    ['hooks.example/services/hushhush1', 'must be a whole address that begins with http:// or https://'],
    [
      'ftp://hooks.example/services/hushhush2',
      'must be a whole address that begins with http:// or https://',
    ],
    ['http://', 'must be a whole address that begins with http:// or https://'],
    ['https://me:hushhush3@ntfy.example/films', 'must not hold a user name or a password'],
  ])('%s is refused without being shown', (typed, why) => {
    expect(problem({ notifyUrl: typed })).toBe(
      `The setting "Notification address" ${why}; until it is corrected, it counts as not set.`,
    );
    expect(read({ notifyUrl: typed }).settings.notifyUrl).toBeNull();
    expect(redact(`could not reach ${typed} today`)).not.toContain('hushhush');
  });

  it('is hidden as a whole, though what was typed before was only its beginning', () => {
    settings({ notifyUrl: 'https://hooks.example/half/' });
    settings({ notifyUrl: 'https://hooks.example/half/and-the-rest' });
    expect(redact('to https://hooks.example/half/and-the-rest')).toBe('to ***');
  });

  it('is a secret: as it was typed, as it is used, and its path alone if that is long enough', () => {
    settings({ notifyUrl: 'HTTPS://Hooks.Example/services/T1/B1/secret-part?thread=7' });
    const said = redact(
      'HTTPS://Hooks.Example/services/T1/B1/secret-part?thread=7, ' +
        'https://hooks.example/services/T1/B1/secret-part?thread=7, POST /services/T1/B1/secret-part?thread=7',
    );
    expect(said).toBe('***, ***, POST ***');
    settings({ notifyUrl: 'https://ntfy.example/media' });
    expect(redact('/media/otters.mp4, https://ntfy.example/media')).toBe('/media/otters.mp4, ***');
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
    'http://me:\nword@plex:32400',
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
