/** What happens in Stash: by its edit pages with a hook, by its jobs, and by merges that tell nobody. */
import { basename, dirname } from 'node:path/posix';
import type { BulkSceneUpdateInput, SceneUpdateInput } from '../stash/inputs';
import { pictureOf } from '../stash/pictures';
import type { RelatedKind } from '../stash/stash-sim';
import { fileOf, inPlex, pause, type Step, scenesOf, silently, told, type World } from './world';

const fewestScenes = 8;
const fewestOfAKind = 2;

type Values = Omit<SceneUpdateInput, 'id'>;

const titles = [
  '',
  'The Lake',
  'A Walk at Dawn',
  'La Sierra, "by night" & <after>',
  'Café / Cafe\u0301 100% 🌙',
  'הנהר הגדול',
  'der Fluß; Teil 2 = 3',
];

const texts = ['', 'Two lines:\n"quoted", 100% & <sure>\n', 'Über\u0308 alles 🌊 — #1?', 'x'.repeat(3_000)];

const tables = {
  Performer: ({ household }: World) => household.stash.store.performers,
  Studio: ({ household }: World) => household.stash.store.studios,
  Tag: ({ household }: World) => household.stash.store.tags,
  Group: ({ household }: World) => household.stash.store.groups,
};
export const kinds = Object.keys(tables) as RelatedKind[];

const idsOf = (world: World, kind: RelatedKind): number[] =>
  [...tables[kind](world).all()].map(({ id }) => id);
const strings = (ids: number[]): string[] => ids.map(String);

const fields: Record<string, (world: World) => Values> = {
  title: (world) => ({
    title: world.chance.is(0.3) ? `Take ${++world.count} of it` : world.chance.one(titles),
  }),
  details: (world) => ({
    details: world.chance.is(0.3) ? `Note ${++world.count}` : world.chance.one(texts),
  }),
  date: ({ chance }) => ({ date: chance.one([null, '2019', '2021-07', '2024-02-29', '1999-12-31']) }),
  rating: ({ chance }) => ({ rating100: chance.is(0.2) ? null : 1 + chance.number(100) }),
  code: (world) => ({ code: world.chance.one(['', 'NSF-1', `C ${++world.count}, "b"`]) }),
  director: (world) => ({
    director: world.chance.one(['', 'Mira Moss', 'Moss, Mira', `D. ${++world.count}`]),
  }),
  organized: ({ chance }) => ({ organized: chance.is(0.5) }),
  studio: (world) => ({
    studio_id: world.chance.is(0.2) ? null : String(world.chance.one(idsOf(world, 'Studio'))),
  }),
  performers: (world) => ({ performer_ids: strings(world.chance.some(idsOf(world, 'Performer'))) }),
  tags: (world) => ({ tag_ids: strings(world.chance.some(idsOf(world, 'Tag'))) }),
  groups: (world) => ({
    groups: world.chance.some(idsOf(world, 'Group')).map((id) => ({ group_id: String(id) })),
  }),
};

async function edit(world: World): Promise<string> {
  const { chance, household } = world;
  const { id } = chance.one(scenesOf(world));
  const names = chance.several(Object.keys(fields), 1 + chance.number(4));
  const values = Object.assign({}, ...names.map((name) => fields[name]?.(world)));
  await household.stash.edit({ id, ...values });
  told(world, [id]);
  return `scene ${id}: ${short(values)}`;
}

/** What one edit may do, all of it: for scenes that were there before. */
export function richValues(world: World): Values {
  return Object.assign({}, ...Object.values(fields).map((field) => field(world)));
}

const revertible = ['title', 'details', 'code', 'director', 'performers', 'tags'];

/** Saved, and taken back before or while it is sent: Plex may show what neither Stash nor the ledger says. */
async function changeMind(world: World): Promise<string> {
  const { chance, household } = world;
  const { id, title, details, code, director, performerIds, tagIds } = chance.one(scenesOf(world));
  const before = {
    title,
    details,
    code,
    director,
    performer_ids: strings(performerIds),
    tag_ids: strings(tagIds),
  };
  const values = Object.assign({}, ...chance.several(revertible, 2).map((name) => fields[name]?.(world)));
  await household.stash.edit({ id, ...values });
  await pause(chance.number(200));
  await household.stash.edit({ id, ...before });
  told(world, [id]);
  return `scene ${id}: ${short(values)} and back`;
}

async function editMany(world: World): Promise<string | null> {
  const { chance, household } = world;
  const ids = chance.some(scenesOf(world).map(({ id }) => id));
  if (ids.length === 0) return null;
  const mode = chance.one(['SET', 'ADD', 'REMOVE'] as const);
  const several = (kind: RelatedKind) => ({ ids: strings(chance.some(idsOf(world, kind))), mode });
  const values: Omit<BulkSceneUpdateInput, 'ids'> = chance.one([
    () => ({ studio_id: String(chance.one(idsOf(world, 'Studio'))) }),
    () => ({ rating100: 1 + chance.number(100), organized: true }),
    () => ({ date: '2022-03', director: 'Many Hands' }),
    () => ({ performer_ids: several('Performer') }),
    () => ({ tag_ids: several('Tag') }),
    () => ({ group_ids: several('Group') }),
  ])();
  await household.stash.editMany(ids, values);
  told(world, ids);
  return `scenes ${ids.join(', ')}: ${short(values)}`;
}

const short = (values: object): string => {
  const text = JSON.stringify(values);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

/** Stash tells covers apart by the second in which the scene changed, and so can we. */
async function inANewSecond({ household }: World, id: number): Promise<void> {
  const { store } = household.stash;
  while (store.scenes.get(id)?.updatedAt === store.stamp()) await pause(20);
}

async function cover(world: World): Promise<string> {
  const { chance, household } = world;
  const scene = chance.one(scenesOf(world));
  await inANewSecond(world, scene.id);
  if (chance.is(0.5)) {
    const picture = chance.is(0.3) ? chance.number(3) : ++world.count;
    await household.stash.setCover(scene.id, pictureOf(500_000 + picture));
    told(world, [scene.id]);
    return `scene ${scene.id}: cover ${picture}`;
  }
  if (chance.is(0.5)) {
    await silently(world, () => household.stash.generateScreenshot(scene.id, chance.number(60)));
    return `scene ${scene.id}: a frame as its cover, without a hook`;
  }
  if (chance.is(0.5)) {
    await silently(world, () => household.stash.generateCovers([scene.id], { overwrite: true }));
    return `scene ${scene.id}: cover generated, without a hook`;
  }
  const record = household.stash.store.scenes.get(scene.id);
  world.untold.add(scene.id);
  if (record) Object.assign(record, { cover: null, updatedAt: household.stash.store.stamp() });
  return `scene ${scene.id}: cover gone, without a hook`;
}

async function rename(world: World): Promise<string> {
  const { chance, household } = world;
  const kind = chance.one(kinds);
  const record = chance.one([...tables[kind](world).all()]);
  const name = chance.is(0.3)
    ? chance.one([record.name.toUpperCase(), record.name.toLowerCase()])
    : `${record.name.split(' no. ')[0]} no. ${++world.count}`;
  await household.stash.rename(kind, record.id, name);
  return `${kind} ${record.id}: "${record.name}" is "${name}"`;
}

async function newParent(world: World): Promise<string | null> {
  const { chance, household } = world;
  const [child, parent] = chance.several(idsOf(world, 'Studio'), 2);
  if (child === undefined || parent === undefined) return null;
  const parent_id = chance.is(0.3) ? null : String(parent);
  try {
    await household.stash.editRelated('Studio', { id: child, parent_id });
  } catch {
    // It would be its own ancestor.
    return null;
  }
  return `Studio ${child}: its parent is ${parent_id ?? 'nobody'}`;
}

async function create(world: World): Promise<string> {
  const { chance, household } = world;
  const kind = chance.one(kinds);
  const name = `New ${kind}, "nice" & no. ${++world.count}`;
  const id = household.stash[`add${kind}`]({ name });
  return `${kind} ${id} is new`;
}

export async function destroy(world: World, kind = world.chance.one(kinds)): Promise<string | null> {
  const { chance, household } = world;
  const ids = idsOf(world, kind);
  const gone = chance.several(ids, Math.min(1 + chance.number(2), ids.length - fewestOfAKind));
  if (gone.length === 0) return null;
  await household.stash.destroyRelated(kind, gone);
  return `${kind} ${gone.join(', ')} destroyed`;
}

async function mergeTags(world: World): Promise<string | null> {
  const [source, destination] = world.chance.several(idsOf(world, 'Tag'), 2);
  if (idsOf(world, 'Tag').length <= fewestOfAKind || source === undefined || destination === undefined)
    return null;
  await world.household.stash.mergeTags([source], destination);
  return `tag ${source} merged into ${destination}`;
}

async function mergePerformers(world: World): Promise<string | null> {
  const [source, destination] = world.chance.several(idsOf(world, 'Performer'), 2);
  if (idsOf(world, 'Performer').length <= fewestOfAKind || source === undefined || destination === undefined)
    return null;
  await silently(world, () => world.household.stash.mergePerformers([source], destination));
  return `performer ${source} merged into ${destination}, without a hook`;
}

/** The source's file is the destination's second then. Plex has thrown the copy away, or still shows it. */
async function mergeScenes(world: World): Promise<string | null> {
  const { household, chance } = world;
  const [source, destination] = chance.several(scenesOf(world), 2);
  if (!source || !destination || scenesOf(world).length <= fewestScenes) return null;
  const files = source.fileIds.map((id) => inPlex(household.stash.store.files.get(id)?.path ?? ''));
  await silently(world, () => household.stash.merge([source.id], destination.id));
  const keeps = chance.is(0.3);
  if (keeps || world.ambiguous.has(source.id)) world.ambiguous.add(destination.id);
  for (const file of keeps ? [] : files) {
    const item = household.plex.itemByFile(file);
    if (item) household.plex.removeItem(item.ratingKey);
  }
  const rest = keeps ? 'Plex keeps both items' : 'Plex has one item';
  return `scene ${source.id} merged into ${destination.id}, without a hook; ${rest}`;
}

async function destroyScene(world: World): Promise<string | null> {
  const scenes = scenesOf(world);
  if (scenes.length <= fewestScenes) return null;
  const { id } = world.chance.one(scenes);
  await world.household.stash.destroy([id]);
  return `scene ${id} destroyed`;
}

/** Its cover is made after the hook has run. */
async function newScene(world: World): Promise<string> {
  const { household, chance } = world;
  const name = `${chance.one(['shelf 1/', ''])}Found.by_scan ${++world.count}.mkv`;
  const appears = chance.one(['now', { ms: 400 }, { lookups: 2 }] as const);
  const covers = chance.is(0.8);
  household.plex.addItem({
    library: 'Films',
    file: `/media/${name}`,
    appears: typeof appears === 'string' ? appears : { ...appears },
  });
  household.stash.disk.add(`/data/${name}`);
  await household.stash.scan(undefined, { covers });
  return `a scan found ${name}${covers ? '' : ', and made no cover'}`;
}

/** Plex notices it first or last, and takes it for the same film or for another one. */
async function moveFile(world: World): Promise<string | null> {
  const { household, chance } = world;
  const scene = chance.one(scenesOf(world));
  const from = household.stash.store.primaryFile(scene)?.path;
  const item = household.plex.itemByFile(fileOf(world, scene));
  if (!from || !item || world.ambiguous.has(scene.id)) return null;
  const to = `${dirname(from)}/Moved ${++world.count} ${basename(from).replace(/^Moved \d+ /, '')}`;
  // The name of a file that is gone, and that we never wrote, is a title of Plex's own.
  const isSame = chance.is(0.5) && !(world.keepsOwn && basename(from).startsWith(`${item.title}.`));
  const plexLooks = () => {
    if (isSame) return household.plex.moveItem(item.ratingKey, inPlex(to));
    household.plex.removeItem(item.ratingKey);
    household.plex.addItem({ library: 'Films', file: inPlex(to) });
  };
  const isFirst = chance.is(0.5);
  if (isFirst) plexLooks();
  household.stash.disk.move(from, to);
  await household.stash.scan();
  if (!isFirst) plexLooks();
  told(world, [scene.id]);
  return `scene ${scene.id}: moved to ${to}, ${isSame ? 'the same item' : 'another item'} in Plex`;
}

async function moveFolder(world: World): Promise<string | null> {
  const { household } = world;
  const folder = scenesOf(world)
    .map((scene) => dirname(household.stash.store.primaryFile(scene)?.path ?? ''))
    .find((one) => one.startsWith('/data/shelf'));
  if (!folder) return null;
  const to = `/data/shelf ${++world.count}`;
  await silently(world, () => household.stash.moveFolder(folder, to));
  for (const item of [...household.plex.items()]) {
    const [file = ''] = item.files;
    if (file.startsWith(`${inPlex(folder)}/`))
      household.plex.moveItem(item.ratingKey, file.replace(inPlex(folder), inPlex(to)));
  }
  return `the folder ${folder} is ${to}, without a hook`;
}

async function autoTag(world: World): Promise<string> {
  await silently(world, () => world.household.stash.autoTag());
  return 'auto-tagging, without a hook';
}

export const stashSteps: Step[] = [
  { weight: 12, take: edit },
  { weight: 4, take: changeMind },
  { weight: 4, take: editMany },
  { weight: 5, take: cover },
  { weight: 5, take: rename },
  { weight: 2, take: newParent },
  { weight: 2, take: create },
  { weight: 4, take: (world) => destroy(world) },
  { weight: 1, take: mergeTags },
  { weight: 1, take: mergePerformers },
  { weight: 1, take: mergeScenes },
  { weight: 1, take: destroyScene },
  { weight: 2, take: newScene },
  { weight: 2, take: moveFile },
  { weight: 0.5, take: moveFolder },
  { weight: 0.5, take: autoTag },
];
