/** What goes wrong with Plex, and what people and Plex itself do to its items. */
import type { Fault, FaultKind } from '../plex/faults';
import type { RequestKind } from '../plex/records';
import { fileOf, type Step, scenesOf, type World } from './world';

/** What a person sends to Plex is not struck by faults: whether it arrived has to be known. */
const personHeader = 'x-sent-by-a-person';

const faults: FaultKind[] = [
  { kind: 'server-error' },
  { kind: 'server-error', applied: true },
  { kind: 'server-error', status: 504, applied: true },
  { kind: 'maintenance' },
  { kind: 'too-many-requests', retryAfter: 1 },
  { kind: 'reset' },
  { kind: 'reset', applied: true },
  { kind: 'truncate' },
  { kind: 'hang' },
  { kind: 'hang', applied: true },
  { kind: 'delay', ms: 200 },
];

const struck: RequestKind[] = [
  'edit',
  'upload',
  'select-image',
  'images',
  'item',
  'find',
  'list',
  'sections',
];

async function trouble({ household, chance }: World): Promise<string> {
  const chosen = chance.several(faults, 1 + chance.number(3)).map((kind): Fault => {
    const on = chance.is(0.3) ? struck : [chance.one(['edit', 'edit', 'upload', ...struck] as const)];
    return {
      ...kind,
      times: 1 + chance.number(2),
      on: (request) => on.includes(request.kind) && request.headers[personHeader] === undefined,
    };
  });
  household.plex.setFault(chosen);
  return `trouble ahead: ${chosen.map(({ kind }) => kind).join(', ')}`;
}

async function comeAndGo(world: World): Promise<string> {
  const { plex } = world.household;
  if (world.isDown) await plex.comeBack();
  else await plex.goDown();
  world.isDown = !world.isDown;
  return world.isDown ? 'Plex is away' : 'Plex is back';
}

async function killWorker({ household }: World): Promise<string | null> {
  const pids = household.workers();
  household.killWorkers();
  return pids.length > 0 ? 'the worker is killed' : null;
}

/** Found again, Plex knows nothing of it but the file. */
async function forget(world: World): Promise<string | null> {
  const { household, chance } = world;
  const scene = chance.one(scenesOf(world));
  const file = fileOf(world, scene);
  const item = household.plex.itemByFile(file);
  if (!item || world.ambiguous.has(scene.id)) return null;
  household.plex.removeItem(item.ratingKey);
  world.changedInPlex.add(scene.id);
  const { ratingKey } = household.plex.addItem({ library: 'Films', file });
  return `scene ${scene.id}: its item ${item.ratingKey} is ${ratingKey} now`;
}

export const plexSteps: Step[] = [
  { weight: 6, take: trouble },
  { weight: 2, take: comeAndGo },
  { weight: 1.5, take: killWorker },
  { weight: 1.5, take: forget },
];

/** One hand edit: fields of Plex's edit page, which locks what it writes, or another picture. */
export async function editInPlex(world: World): Promise<string | null> {
  const { household, chance } = world;
  const { plex } = household;
  const scene = chance.one(scenesOf(world));
  const item = plex.itemByFile(fileOf(world, scene));
  if (!item) return null;
  world.changedInPlex.add(scene.id);
  const own = `by hand ${++world.count}`;
  const edits: Record<string, string>[] = [
    { 'title.value': own, 'title.locked': '1' },
    { 'titleSort.value': own, 'titleSort.locked': '1' },
    { 'summary.value': own, 'summary.locked': '1' },
    { 'summary.value': '', 'studio.value': own, 'studio.locked': '1' },
    { 'tagline.value': own, 'originallyAvailableAt.value': '2001-01-01' },
    { 'userRating.value': '3' },
    { 'genre[0].tag.tag': own, 'label[0].tag.tag': own, 'genre.locked': '1' },
    { 'actor[0].tag.tag': own, 'director[0].tag.tag': own, 'actor.locked': '1' },
    { 'genre[].tag': '', 'actor[].tag': '', 'collection[].tag': '' },
  ];
  if (chance.is(0.3)) {
    const kind = chance.one(['poster', 'art']);
    const path = `/library/metadata/${item.ratingKey}/${kind}`;
    if (kind === 'poster') {
      const url = `media://${item.ratingKey}.bundle/Contents/Thumbnails/thumb1.jpg`;
      await send(world, 'PUT', path, { url });
    } else await send(world, 'DELETE', path, {});
    return `scene ${scene.id}: another ${kind} by hand`;
  }
  const values = Object.assign({}, ...chance.several(edits, 1 + chance.number(2)));
  await send(world, 'PUT', `/library/metadata/${item.ratingKey}`, values);
  return `scene ${scene.id} by hand: ${JSON.stringify(values)}`;
}

async function send(
  { household }: World,
  method: string,
  path: string,
  values: Record<string, string>,
): Promise<void> {
  const { plex } = household;
  const answer = await fetch(`${plex.url}${path}?${new URLSearchParams(values)}`, {
    method,
    headers: { 'x-plex-token': plex.token, [personHeader]: '1' },
  });
  if (!answer.ok) throw new Error(`The Plex simulator refused ${method} ${path}: ${answer.status}`);
}
