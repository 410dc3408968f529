/**
 * The same change made twice: to one item by plexapi, to its twin by Sluice. Afterwards both show the same, field
 * by field and lock by lock, and Sluice finds nothing left to do on the one that plexapi edited.
 */
import { createHash } from 'node:crypto';
import type { PlexItem } from '../../src/plex/answers';
import { PlexClient } from '../../src/plex/client';
import { applyEdit } from '../../src/sync/apply-edit';
import { difference } from '../../src/sync/difference';
import type { ListName, TextName } from '../../src/sync/fields';
import { Habits } from '../../src/sync/habits';
import type { NewItem } from '../sim/plex/catalogue';
import type { PlexSim } from '../sim/plex/plex-sim';
import { type Bench, longAgo, onBench } from './bench';
import { oddNames } from './editing';
import type { Described, EditCall, PlexApi } from './plexapi';

/** Nothing left out: every field that Sluice can write. */
type Wanted = Record<TextName, string> & Record<ListName, string[]>;

/** Plex's name of a field, and plexapi's method for it. */
const textMethods = {
  title: 'editTitle',
  titleSort: 'editSortTitle',
  summary: 'editSummary',
  tagline: 'editTagline',
  studio: 'editStudio',
  contentRating: 'editContentRating',
  originallyAvailableAt: 'editOriginallyAvailable',
  userRating: 'editUserRating',
} as const satisfies Record<TextName, string>;

const textNames = Object.keys(textMethods) as TextName[];
const listNames: readonly ListName[] = ['actor', 'director', 'genre', 'label', 'collection'];

const files = { theirs: '/media/twin by plexapi.mp4', ours: '/media/twin by sluice.mp4' };

const before: Omit<NewItem, 'file'> = {
  title: 'Twin',
  summary: 'From the file.',
  genres: ['Nature', 'Night, late'],
  actors: ['Ann', 'Bob, Jr.'],
  labels: ['Keep', 'Let "go"'],
  addedAt: longAgo,
};

/** Names that stay come first and in their order: plexapi cannot put anybody elsewhere. */
const steps: readonly (readonly [name: string, wanted: Wanted])[] = [
  [
    'everything at once',
    {
      title: 'A walk “at night” 🌌, part 1/2',
      titleSort: 'walk “at night” 🌌, part 1/2',
      summary: 'Line one.\nLine two: 100% & more + less = <all>.',
      tagline: 'ABC-123',
      studio: 'Studio (Parent, Inc.)',
      contentRating: 'PG',
      originallyAvailableAt: '2021-03-04',
      userRating: '7.5',
      actor: ['Ann', 'Zoë "Z" 🎬', 'משה'],
      director: ['Dee, Dir. & Co'],
      genre: ['Nature', ...oddNames],
      label: ['Keep', ...oddNames],
      collection: [...oddNames],
    },
  ],
  [
    'some of it again',
    {
      title: 'Walks',
      titleSort: 'Walks 02',
      summary: 'x'.repeat(4_000),
      tagline: 'ABC-123',
      studio: 'Another',
      contentRating: 'PG-13',
      originallyAvailableAt: '1999-12-31',
      userRating: '10',
      actor: ['Ann', 'משה', 'Carl'],
      director: ['Eve'],
      genre: oddNames.filter((_, index) => index % 2 === 0),
      label: ['Keep', 'New, too'],
      collection: [...oddNames.slice(3), '300 km'],
    },
  ],
  [
    'nothing but a title',
    {
      title: 'Walks',
      titleSort: 'Walks',
      summary: '',
      tagline: '',
      studio: '',
      contentRating: '',
      originallyAvailableAt: '',
      userRating: '',
      actor: [],
      director: [],
      genre: [],
      label: [],
      collection: [],
    },
  ],
];

export async function checkTwins(tools: Pick<Bench, 'api' | 'report'>): Promise<void> {
  for (const mode of ['merge', 'merge-front', 'replace'] as const) {
    const behaviour = { tags: mode };
    await onBench(
      `plexapi’s edit and ours (${mode})`,
      tools,
      { behaviour },
      async ({ plex, api, report }) => {
        const theirs = plex.addItem({ ...before, file: files.theirs }).ratingKey;
        const ours = plex.addItem({ ...before, file: files.ours }).ratingKey;
        const sluice = clientOf(plex);
        report.same('twins at first', plex.shown(files.theirs), plex.shown(files.ours));
        for (const [step, wanted] of steps) {
          await editByPlexapi(api, theirs, wanted);
          await editBySluice(sluice, ours, wanted);
          report.same(`${step}: what plexapi wrote`, wantedOf(await api.item(theirs)), wanted);
          const left = [theirs, ours].map(async (key) => leftToDo(wanted, await itemOf(sluice, key)));
          report.same(`${step}: nothing is left to do`, await Promise.all(left), [null, null]);
          report.same(`${step}: the same is shown`, plex.shown(files.ours), plex.shown(files.theirs));
          const read = (await api.several([theirs, ours])).map(comparable);
          report.same(`${step}: plexapi reads the same`, read, [read[0], read[0]]);
        }
        for (const kind of ['poster', 'art'] as const) {
          const bytes = Buffer.from(`a picture of the ${kind}`);
          await api.uploadBytes(theirs, kind, bytes);
          await sluice.upload(String(ours), kind, bytes, never);
          const [key] = (await api.images(theirs, kind)).filter(({ selected }) => selected);
          const shown = (await sluice.images(String(ours), kind, never)).filter(({ selected }) => selected);
          report.same(`${kind}: the same upload is shown`, shown, [key]);
          const sha1 = createHash('sha1').update(bytes).digest('hex');
          report.same(`${kind}: by its SHA-1`, plex.shown(files.ours)[`${kind}Sha1`], sha1);
        }
      },
    );
  }
}

const never = new AbortController().signal;

function clientOf(plex: PlexSim): PlexClient {
  return new PlexClient({
    url: plex.url,
    token: plex.token,
    clientIdentifier: 'contract',
    version: '0',
    fetch: (url, init) => fetch(url, init),
  });
}

/** As a program built on plexapi does it: first all that is set and added, then what has to go. */
async function editByPlexapi(api: PlexApi, item: number, wanted: Wanted): Promise<void> {
  const shown = wantedOf(await api.item(item));
  const calls: EditCall[] = [];
  for (const name of textNames) {
    if (wanted[name] !== shown[name]) calls.push([textMethods[name], [wanted[name]], { locked: true }]);
  }
  for (const name of listNames) {
    const missing = wanted[name].filter((tag) => !shown[name].includes(tag));
    const surplus = shown[name].filter((tag) => !wanted[name].includes(tag));
    if (missing.length > 0) calls.push(['editTags', [name, missing], { locked: true }]);
    if (surplus.length > 0) calls.push(['editTags', [name, surplus], { locked: true, remove: true }]);
  }
  await api.edit(item, calls);
}

async function editBySluice(client: PlexClient, ratingKey: number, wanted: Wanted): Promise<void> {
  const item = await itemOf(client, ratingKey);
  const edit = leftToDo(wanted, item);
  if (edit !== null) await applyEdit(edit, item, client, new Habits(), never);
}

const leftToDo = (wanted: Wanted, item: PlexItem) =>
  difference(wanted, item, null, { keepsOwn: false, former: [] });

async function itemOf(client: PlexClient, ratingKey: number): Promise<PlexItem> {
  const item = await client.item(String(ratingKey), never);
  if (item === null) throw new Error(`Sluice does not find item ${ratingKey}`);
  return item;
}

/** What plexapi reads, in the words of an edit. */
function wantedOf(item: Described): Wanted {
  const { title, titleSort, summary, tagline, studio, contentRating, originallyAvailableAt } = item;
  return {
    ...{ title, titleSort, summary, tagline, studio, contentRating, originallyAvailableAt },
    userRating: item.userRating === null ? '' : String(item.userRating),
    actor: item.actors,
    director: item.directors,
    genre: item.genres,
    label: item.labels,
    collection: item.collections,
  };
}

/** Without what belongs to the one item: when it was edited, and the addresses of its pictures. */
function comparable({ thumb, art, updatedAt, ...shown }: Described) {
  return shown;
}
