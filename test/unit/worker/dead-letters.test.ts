import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import type { DeadLetter } from '../../../src/queue/entries';
import {
  choiceOf,
  chosenLetters,
  groupLetters,
  hasLettersOf,
  lettersInWords,
  nothingMeant,
} from '../../../src/worker/dead-letters';

const at = new Date(2026, 0, 2, 14, 2).getTime();

const letter = (scene: number, change: Partial<DeadLetter> = {}): DeadLetter => ({
  target: 'plex',
  scene,
  kind: 'not-in-plex',
  reason: missing(scene),
  attempts: 12,
  at: at + scene,
  ...change,
});

const missing = (scene: number, file = `/media/rivers ${scene} (part 2)/${scene}.mp4`) =>
  `Scene ${scene} was not synced: Plex has no item for "${file}" (from "/data/${scene}.mp4" by the path map ` +
  `"/data => /media"). If the file is elsewhere in Plex, correct "Path map" in the settings.`;

const sameItem = (scene: number, keeper: number, title: string) =>
  `Scene ${scene} was not synced: it and scene ${keeper} are the same item in Plex ("${title}", /media/${title}.mp4). ` +
  `Scene ${keeper} is the one kept in step, because its id is lower.`;

const tooLong = 'was not synced: Plex refused the title (HTTP 400).';

const store = (...letters: DeadLetter[]): MemoryStore<DeadLetter> => {
  const made = new MemoryStore<DeadLetter>();
  for (const one of letters) made.put(`${one.target}/${one.scene}`, one);
  return made;
};

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('dead letters', () => {
  it('of the same cause are one group, whatever the scenes and files are called', () => {
    const letters = store(
      ...upTo(500).map((scene) => letter(scene)),
      letter(501, { kind: 'bad-data', reason: sameItem(501, 3, 'Glaciers (2019)') }),
      letter(502, { kind: 'bad-data', reason: sameItem(502, 4, 'A talk on clocks') }),
      letter(503, { kind: 'bad-data', reason: `Scene 503 ${tooLong}` }),
    );
    const groups = groupLetters(letters);
    expect(groups).toMatchObject([
      { kind: 'not-in-plex', count: 500, since: at + 1, scenes: upTo(10), example: missing(500) },
      { kind: 'bad-data', count: 2, scenes: [501, 502] },
      { kind: 'bad-data', count: 1, scenes: [503] },
    ]);
    expect(new Set(groups.map(({ key }) => key)).size).toBe(3);
    for (const { key, kind } of groups) expect(key).toMatch(new RegExp(`^${kind}-[a-z0-9]{4}$`));
  });

  it('with several files are of the same group as those with one', () => {
    const files = '"/a.mp4", "/b.mp4", "/c.mp4" and 2 more';
    const several = missing(2).replace(/"\/media[^"]*"/, files);
    expect(several).toContain(files);
    expect(groupLetters(store(letter(1), letter(2, { reason: several })))).toHaveLength(1);
  });

  it('of several targets are apart', () => {
    const letters = store(letter(1), letter(1, { target: 'attic' }));
    expect(groupLetters(letters)).toMatchObject([{ target: 'attic' }, { target: 'plex' }]);
    expect(hasLettersOf(letters, 'plex')).toBe(true);
    expect(hasLettersOf(letters, 'cellar')).toBe(false);
    expect(lettersInWords(letters, at)).toMatch(
      /\nattic: \[not-in-plex\] 1 scene .*\nplex: \[not-in-plex\] 1 scene /,
    );
  });

  it('are told with how many, since when, an example, the first scenes and what to do', () => {
    const letters = store(
      ...upTo(12).map((scene) => letter(scene)),
      letter(20, { kind: 'bad-data', reason: `Scene 20 ${tooLong}` }),
    );
    const lines = lettersInWords(letters, at).split('\n');
    expect(lines[0]).toBe('13 scenes were given up, for 2 reasons:');
    expect(lines[1]).toBe(
      `[not-in-plex] 12 scenes since 2 Jan 14:02: ${missing(12)} (Scenes 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more.)`,
    );
    expect(lines[2]).toBe(`[bad-data] 1 scene since 2 Jan 14:02: Scene 20 ${tooLong}`);
    expect(lines[3]).toContain('"retry_dead_letters"');
    expect(lines[3]).toContain('"discard_dead_letters"');
    expect(lines).toHaveLength(4);
  });

  it('of two groups of one kind are told with a key for each, which chooses that group alone', () => {
    const letters = store(
      letter(1, { kind: 'bad-data', reason: sameItem(1, 0, 'Rivers') }),
      letter(2, { kind: 'bad-data', reason: `Scene 2 ${tooLong}` }),
    );
    const keys = [...lettersInWords(letters, at).matchAll(/\[(bad-data-\w{4})\]/g)].map(
      ([, key]) => key ?? '',
    );
    expect(keys).toHaveLength(2);
    const chosen = keys.map((reason) => chosenLetters(letters, { reason }).map(([, { scene }]) => scene));
    expect(chosen.flat().sort()).toEqual([1, 2]);
    expect(chosenLetters(letters, { reason: 'bad-data' })).toHaveLength(2);
  });

  it('of more reasons than anybody reads are not all listed', () => {
    const words = ['one', 'two', 'three', 'four', 'five', 'six'];
    const letters = store(
      ...words.flatMap((first, i) =>
        words.slice(0, 4).map((then, j) => letter(10 * i + j + 1, { reason: `It was ${first} ${then}.` })),
      ),
    );
    expect(lettersInWords(letters, at)).toContain('\n4 more reasons are not listed here.\n');
  });

  it('are none, and that is said', () => {
    expect(lettersInWords(store(), at)).toBe('There are no dead letters: no scene was given up.');
  });
});

describe('the choice of dead letters', () => {
  const letters = store(
    letter(1),
    letter(1, { target: 'attic' }),
    letter(2),
    letter(3, {
      kind: 'transient',
      reason: 'Scene 3 was not synced: Plex failed to answer a request (HTTP 500).',
    }),
  );
  const chosen = (args: Record<string, unknown>) => {
    const choice = choiceOf(args);
    if (typeof choice === 'string') throw new Error(choice);
    return chosenLetters(letters, choice).map(([key]) => key);
  };

  it.each([
    [{ scene: 1 }, ['plex/1', 'attic/1']],
    [{ scene: ' 2 ' }, ['plex/2']],
    [{ scene: 2, reason: '', all: false }, ['plex/2']],
    [{ scene: 9 }, []],
    [{ reason: 'not-in-plex' }, ['plex/1', 'attic/1', 'plex/2']],
    [{ reason: 'Transient ' }, ['plex/3']],
    [{ reason: 'FAILED to answer' }, ['plex/3']],
    [{ reason: 'rivers 2' }, ['plex/2']],
    [{ all: true }, ['plex/1', 'attic/1', 'plex/2', 'plex/3']],
    [{ all: 'True' }, ['plex/1', 'attic/1', 'plex/2', 'plex/3']],
  ])('%j means %j', (args, keys) => {
    expect(chosen({ mode: 'retry_dead_letters', ...args })).toEqual(keys);
  });

  it.each([
    {},
    { all: false },
    { all: 'no' },
    { scene: 1, all: true },
    { scene: 1, reason: 'x' },
    { reason: ' ' },
  ])('%j is not clear: what to give is said', (args) => {
    expect(choiceOf(args)).toMatch(/^Say which of them: \{"scene": 42\}.*only one/);
  });

  it.each(['abc', -1, 1.5, [[1]], { id: 1 }, '1e3'])('the scene %j is none', (scene) => {
    expect(choiceOf({ scene })).toBe(
      `"scene" is ${JSON.stringify(scene)}, but must be the number of a scene, like 42.`,
    );
  });

  it('that means none is answered by what was looked for', () => {
    expect(nothingMeant({ scene: 9 })).toBe('Scene 9 is not among the dead letters.');
    expect(nothingMeant({ reason: 'x' })).toContain('No dead letter has the reason "x".');
    expect(nothingMeant({ all: true })).toBe('There are no dead letters.');
  });
});
