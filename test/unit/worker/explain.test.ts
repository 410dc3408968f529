import { describe, expect, it } from 'vitest';
import { syncDefaults } from '../../../src/stash/sync-settings';
import { noCover } from '../../../src/sync/cover';
import { difference } from '../../../src/sync/difference';
import type { LedgerEntry } from '../../../src/sync/ledger-entry';
import type { Aim, Found } from '../../../src/sync/plan';
import type { Wanted } from '../../../src/sync/wanted';
import { explainPlan, explainQueue } from '../../../src/worker/explain';
import { aScene } from '../../support/scenes';
import { shownItem } from '../sync/shown-item';

const cover = { ...noCover, from: '/scene/7/screenshot?t=1', sha1: 'abc' };
const aim = (more: Partial<Aim> = {}): Aim => ({
  scene: aScene({ id: 7 }),
  files: ['/media/a.mp4'],
  file: 'hash',
  wanted: {},
  former: [],
  kinds: [],
  cover: noCover,
  known: undefined,
  ...more,
});
const ours: LedgerEntry = {
  ratingKey: '5',
  file: 'hash',
  wrote: {},
  names: {},
  at: 1,
  studio: null,
  performers: [],
  tags: [],
  groups: [],
};

/** What is said of a scene that was found; the edit is the real difference. */
function found(more: Partial<Found> & { wanted?: Wanted } = {}, keepsOwn = false): string[] {
  const { wanted = {}, ...rest } = more;
  const item = rest.item ?? shownItem();
  const own = rest.aim ?? aim({ wanted });
  const settings = { ...syncDefaults, plexKeepsOwn: keepsOwn };
  const edit = difference(own.wanted, item, rest.ours ?? null, { keepsOwn, former: own.former });
  const plan = {
    kind: 'found',
    how: 'file',
    ours: null,
    steps: [],
    keptPictures: [],
    instead: null,
  } as const;
  return explainPlan(
    7,
    { ...plan, edit, item, ...rest, aim: own, steps: rest.steps ?? [] } as Found,
    settings,
  );
}

describe('an explanation', () => {
  it('of a scene that is gone, left out, ambiguous, in step or not listed yet is one sentence', () => {
    const say = (plan: Parameters<typeof explainPlan>[1]) => explainPlan(7, plan, syncDefaults);
    expect(say({ kind: 'gone' })).toEqual(['Scene 7 is not in Stash. Nothing would be done in Plex.']);
    expect(say({ kind: 'filtered', rule: 'syncOnlyTags', message: 'Left out.' })).toEqual(['Left out.']);
    expect(say({ kind: 'ambiguous', aim: aim(), message: 'Two items.' })).toEqual(['Two items.']);
    expect(say({ kind: 'listing' })).toEqual(["Scene 7: Plex's libraries have to be listed first."]);
    expect(say({ kind: 'settled', aim: aim(), known: ours, seen: null })).toEqual([
      'Scene 7 is in step: nothing would be sent.',
    ]);
  });

  it.each([
    ['wait', false, 'It would be tried again for a while, and then become a dead letter.'],
    ['drop', false, 'It would be dropped, because "Scenes that Plex does not have" says so.'],
    [
      'wait',
      true,
      'Plex would be asked to scan its folder, and the scene would be tried again for a while, and then become a dead letter.',
    ],
    [
      'drop',
      true,
      'Plex would be asked to scan its folder, and the scene would be dropped, because "Scenes that Plex does not have" says so.',
    ],
  ] as const)(
    'of a scene that Plex does not have says what then (%s, scan: %s)',
    (plexMissing, plexScan, then) => {
      const settings = { ...syncDefaults, plexMissing, plexScan };
      const plan = { kind: 'not-in-plex', aim: aim(), message: 'Not there.' } as const;
      expect(explainPlan(7, plan, settings)).toEqual(['Not there.', then]);
    },
  );

  it.each([
    ['remembered', "the item of the last sync, and its file is still the scene's"],
    ['file', 'found by its file'],
    ['name', 'found by the name of its file alone'],
  ] as const)('says which item it is, and that it was %s', (how, why) => {
    expect(found({ how })[0]).toBe(`Scene 7 is item 5 "t" in "Films" (${why}): /media/a.mp4`);
  });

  it('says of every field what Plex shows, what is wanted, and what would be done', () => {
    const item = shownItem({ summary: 'Plex’s', studio: 'North', genres: ['River', 'Mine'] });
    const wanted = { title: 't', summary: 'Stash’s', studio: 'North', tagline: 'NB-1', genre: ['River'] };
    expect(found({ item, wanted }).slice(1)).toEqual([
      '  title: "t"',
      '  summary: "Plex’s" in Plex, "Stash’s" wanted: would be written',
      '  studio: "North"',
      '  tagline: nothing in Plex, "NB-1" wanted: would be written',
      '  genres: "River", "Mine" in Plex, "River" wanted: would be written',
      expect.stringMatching(/^ {2}Would be sent: 1 edit \(summary\.value, summary\.locked, tagline\.value/),
    ]);
    expect(found({ item, wanted }, true).slice(1)).toEqual([
      '  title: "t"',
      '  summary: "Plex’s" in Plex, "Stash’s" wanted: Plex\'s own stays',
      '  studio: "North"',
      '  tagline: nothing in Plex, "NB-1" wanted: would be written',
      '  genres: "River", "Mine": Plex\'s own stays',
      '  Would be sent: 1 edit (tagline.value, tagline.locked).',
    ]);
  });

  it('says that nothing would be sent where all is in step', () => {
    expect(found({ wanted: { title: 't' } }).at(-1)).toBe('  Nothing would be sent: all is in step.');
  });

  it('says what would become of each picture', () => {
    const both = aim({ kinds: ['poster', 'art'], cover });
    expect(found({ aim: both, steps: [{ kind: 'poster', act: 'upload' }] }).slice(1)).toEqual([
      '  poster: the cover of Stash would be uploaded',
      '  background: the cover of Stash',
      '  Would be sent: 1 upload and 1 edit that locks the picture.',
    ]);
    const steps = [
      { kind: 'poster', act: 'select', key: 'upload://posters/abc' },
      { kind: 'art', act: 'lock' },
    ] as const;
    expect(found({ aim: both, steps: [...steps] }).slice(1)).toEqual([
      '  poster: the cover of Stash would be selected again',
      '  background: the cover of Stash would be locked',
      '  Would be sent: 1 choice of a picture and 1 edit that locks the picture.',
    ]);
    const item = shownItem({ locked: ['thumb'] });
    expect(found({ item, aim: both, steps: [{ kind: 'poster', act: 'upload' }] }).at(-1)).toBe(
      '  Would be sent: 1 upload.',
    );
    expect(found({ aim: both, keptPictures: ['background'] }).slice(1, 3)).toEqual([
      '  poster: the cover of Stash',
      "  background: Plex's own stays",
    ]);
  });

  it('says why there is no cover that could be sent', () => {
    const problem = 'The cover of scene 7 was not sent: it is too large.';
    const lines = found({ aim: aim({ kinds: ['poster'], cover: { ...noCover, problem } }) });
    expect(lines.slice(1)).toEqual([
      "  poster: Stash has no cover, so Plex's stays",
      `  ${problem}`,
      '  Nothing would be sent: all is in step.',
    ]);
  });

  it('says for which other scene it would stand', () => {
    expect(found({ instead: 9 })[1]).toBe('  It would stand for scene 9, which is the same item.');
  });

  it('cuts long values, never through a character, and stays on one line for each field', () => {
    const long = `${'x'.repeat(119)}🌙${'y'.repeat(500)}`;
    expect(found({ wanted: { summary: long } })[1]).toBe(
      `  summary: nothing in Plex, "${'x'.repeat(119)}…" wanted: would be written`,
    );
    const item = shownItem({ summary: 'One.\r\nTwo.\n\nThree.' });
    expect(found({ item, wanted: { summary: item.summary } })[1]).toBe('  summary: "One. Two. Three."');
    const tags = Array.from({ length: 300 }, (_, n) => `A tag of some length, number ${n}`);
    const lines = found({ wanted: { genre: tags } });
    expect(lines.every((line) => line.length < 1_200)).toBe(true);
    expect(lines.at(-1)).toMatch(/^ {2}Would be sent: \d+ edits? \(genre.*…\.$/);
  });

  it('tells what waits, how often it was tried, and what was given up', () => {
    const job = {
      is: 'job',
      target: 'plex',
      scene: 7,
      rev: 1,
      bulk: false,
      asked: false,
      queuedAt: 0,
      dueAt: 0,
      attempts: 0,
      reason: null,
    } as const;
    const letter = { target: 'plex', scene: 7, kind: 'x', reason: 'Two items.', attempts: 3, at: 0 };
    expect(explainQueue(undefined, undefined, 0)).toEqual([]);
    expect(explainQueue(job, undefined, 0)).toEqual(['It waits in the queue.']);
    expect(explainQueue({ ...job, attempts: 1, reason: 'Not there.' }, undefined, 0)).toEqual([
      'It waits in the queue, tried once: Not there.',
    ]);
    expect(explainQueue({ ...job, attempts: 2, reason: 'Not there.' }, letter, 0)).toEqual([
      expect.stringMatching(/^It is a dead letter since .+: Two items\.$/),
      'It waits in the queue, tried 2 times: Not there.',
    ]);
  });
});
