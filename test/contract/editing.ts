import type { Shown } from '../sim/plex/item-state';
import { type Bench, longAgo, onBench } from './bench';
import type { Described, EditCall } from './plexapi';

/** Names that have gone wrong for somebody. */
export const oddNames = [
  'Rock, Paper & Scissors',
  'She said "hello"',
  "It's",
  '50% + more = ?',
  'a/b\\c',
  'Nature 🌿👩‍🔬',
  'e\u0301te\u0301',
  'שלום עולם',
  'semi;colon #1',
];

const file = '/media/a.mp4';

/** One method of plexapi for each field that Sluice writes, with a value and the name of its lock. */
const fields: readonly [method: string, field: keyof Shown, value: string | number, lock: string][] = [
  ['editTitle', 'title', 'Night – “outside” 🌌', 'title'],
  ['editSortTitle', 'titleSort', 'night outside', 'titleSort'],
  [
    'editSummary',
    'summary',
    `One line.\nAnother, with 100% & more + <tags>.\n\n${'long '.repeat(1500).trim()}`,
    'summary',
  ],
  ['editTagline', 'tagline', 'ABC-123; d=e&f', 'tagline'],
  ['editStudio', 'studio', 'Studio "One" (Parent, Inc.)', 'studio'],
  ['editContentRating', 'contentRating', 'PG-13', 'contentRating'],
  ['editOriginallyAvailable', 'originallyAvailableAt', '2020-02-29', 'originallyAvailableAt'],
  ['editUserRating', 'userRating', 7.5, 'userRating'],
];

const tagKinds: readonly [
  name: string,
  list: 'genres' | 'labels' | 'collections' | 'directors',
  lock: string,
][] = [
  ['Genre', 'genres', 'genre'],
  ['Label', 'labels', 'label'],
  ['Collection', 'collections', 'collection'],
  ['Director', 'directors', 'director'],
];

export async function checkEditing(tools: Pick<Bench, 'api' | 'report'>): Promise<void> {
  await onBench('edit fields', tools, {}, async ({ plex, api, report }) => {
    for (const [method, field, value, lock] of fields) {
      const { ratingKey } = plex.addItem({
        file: `/media/${field}.mp4`,
        title: 'The lake',
        addedAt: longAgo,
      });
      const shown = () => plex.shown(`/media/${field}.mp4`);
      const before = shown();

      await api.edit(ratingKey, [[method, [value], { locked: false }]]);
      const read = await api.item(ratingKey);
      report.same(`${field}, unlocked: stored`, shown()[field], value);
      report.same(`${field}, unlocked: read back`, read[field as keyof Described], value);
      report.same(`${field}, unlocked: no lock`, read.locked, []);
      report.same(`${field}: updatedAt moved`, read.updatedAt > longAgo, true);

      await api.edit(ratingKey, [[method, [value], { locked: true }]]);
      report.same(`${field}, locked: lock`, (await api.item(ratingKey)).locked, [lock]);
      const others = { ...before, [field]: value, locked: [lock] };
      const sorted = field === 'title' ? { titleSort: value } : {};
      report.same(`${field}: nothing else changed`, shown(), { ...others, ...sorted });

      // Nobody says what Plex does with an empty title, and nobody of ours sends one.
      if (field === 'title') continue;
      await api.edit(ratingKey, [[method, [''], { locked: false }]]);
      report.same(`${field}: emptied and unlocked`, shown(), before);
    }
  });

  await onBench('sort title', tools, {}, async ({ plex, api, report }) => {
    plex.addItem({ file, title: 'The lake' });
    report.same('made by Plex: no article', (await api.item(1)).titleSort, 'lake');
    await api.edit(1, [['editTitle', ['A hill']]]);
    report.same('follows the title', (await api.item(1)).titleSort, 'hill');
    await api.edit(1, [
      ['editSortTitle', ['Zz']],
      ['editTitle', ['A river']],
    ]);
    report.same('stays when it is locked', (await api.item(1)).titleSort, 'Zz');
    await api.edit(1, [
      ['editSortTitle', [''], { locked: false }],
      ['editTitle', ['Meadow']],
    ]);
    report.same('is the title where there is no article', (await api.item(1)).titleSort, 'Meadow');
  });

  await onBench('rating', tools, {}, async ({ plex, api, report }) => {
    plex.addItem({ file });
    await api.rate(1, 9);
    report.same('by /:/rate', [plex.shown(file).userRating, (await api.item(1)).userRating], [9, 9]);
    await api.rate(1, null);
    report.same('taken away', [plex.shown(file).userRating, (await api.item(1)).userRating], [null, null]);
    await api.edit(1, [['editUserRating', [2.5]]]);
    report.same('in an edit', (await api.item(1)).userRating, 2.5);
    await api.edit(1, [['editUserRating', ['']]]);
    report.same('emptied in an edit', (await api.item(1)).userRating, null);
  });

  for (const mode of ['merge', 'merge-front', 'replace'] as const) {
    await onBench(`tags (${mode})`, tools, { behaviour: { tags: mode } }, async ({ plex, api, report }) => {
      for (const [name, list, lock] of tagKinds) {
        const path = `/media/${list}.mp4`;
        const { ratingKey } = plex.addItem({ file: path, addedAt: longAgo });
        const both = async () => [plex.shown(path)[list], (await api.item(ratingKey))[list]];
        await api.edit(ratingKey, [[`add${name}`, [oddNames], { locked: true }]]);
        report.same(`${list}: added`, await both(), [oddNames, oddNames]);
        report.same(`${list}: locked`, (await api.item(ratingKey)).locked, [lock]);
        await api.edit(ratingKey, [[`add${name}`, ['Nature']]]);
        report.same(`${list}: one more`, await both(), [
          [...oddNames, 'Nature'],
          [...oddNames, 'Nature'],
        ]);
        const gone = oddNames.filter((_, index) => index % 2 === 0);
        const rest = [...oddNames.filter((_, index) => index % 2 === 1), 'Nature'];
        await api.edit(ratingKey, [[`remove${name}`, [gone], { locked: false }]]);
        report.same(`${list}: some removed`, await both(), [rest, rest]);
        report.same(`${list}: unlocked`, (await api.item(ratingKey)).locked, []);
        await api.edit(ratingKey, [[`remove${name}`, [rest]]]);
        report.same(`${list}: all removed`, await both(), [[], []]);
      }

      const { ratingKey } = plex.addItem({ file, actors: ['Ann'] });
      await api.edit(ratingKey, [['editTags', ['actor', ['Bob, Jr.', 'Zoë "Z" 🎬']]]]);
      const people = ['Ann', 'Bob, Jr.', 'Zoë "Z" 🎬'];
      report.same('actors: added, in order', (await api.item(ratingKey)).actors, people);
      await api.edit(ratingKey, [['editTags', ['actor', ['Bob, Jr.']], { remove: true }]]);
      report.same('actors: removed', (await api.item(ratingKey)).actors, ['Ann', 'Zoë "Z" 🎬']);
    });
  }

  await onBench('batch edits', tools, {}, async ({ plex, api, report }) => {
    plex.addItem({ file, genres: ['Water', 'Night, late'], addedAt: longAgo });
    plex.addItem({ file: '/media/b.mp4', addedAt: longAgo });
    plex.addItem({ file: '/media/c.mp4', addedAt: longAgo });
    const calls: EditCall[] = [
      ['editTitle', ['A title']],
      ['editSummary', ['A summary'], { locked: false }],
      ['addCollection', ['Rivers, lakes']],
      ['removeGenre', ['Night, late']],
      ['addLabel', [['One', 'Two']]],
    ];
    plex.clearRecords();
    await api.edit(1, calls, true);
    report.same('all in one PUT', plex.byRoute['PUT /library/sections/{id}/all'], 1);
    const { title, summary, collections, genres, labels, locked } = await api.item(1);
    report.same(
      'all of it arrived',
      [title, summary, collections, genres, labels, locked],
      [
        'A title',
        'A summary',
        ['Rivers, lakes'],
        ['Water'],
        ['One', 'Two'],
        ['collection', 'genre', 'label', 'title'],
      ],
    );
    plex.clearRecords();
    await api.editAll([1, 2], [['editStudio', ['The same']]]);
    report.same('two items in one PUT', plex.writes.edit, 1);
    const studios = (await api.several([1, 2, 3])).map(({ studio }) => studio);
    report.same('and no third', studios, ['The same', 'The same', '']);
  });
}
