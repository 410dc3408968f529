import { createHash } from 'node:crypto';
import { type Answer, document, done, Refused } from './answer';
import { applyEdit, parseEdit } from './edit';
import { isScore } from './fields';
import { type ImageKind, imageKinds, isImageKind, largestImageBytes } from './images';
import type { Item } from './item';
import { page } from './page';
import { param } from './query';
import { container, fullItem, imageElements, sectionAttributes } from './render';
import type { Ask, Route, World } from './world';

/** `/library/metadata/{ids}` */
export function itemRoute(method: string, ids: string): Route | null {
  if (method === 'GET') {
    return { kind: 'item', access: 'user', answer: (ask, world) => show(ask, world, itemsOf(world, ids)) };
  }
  if (method === 'PUT') {
    return { kind: 'edit', access: 'admin', answer: (ask, world) => edit(ask, world, itemsOf(world, ids)) };
  }
  return null;
}

/** `/library/metadata/{id}/…` */
export function itemPartRoute(method: string, id: string, what: string): Route | null {
  const of = (world: World): Item => {
    const [item] = itemsOf(world, id);
    if (!item) throw new Refused(404, `no item ${id}`);
    return item;
  };
  if (what === 'refresh' && method === 'PUT') {
    return { kind: 'refresh', access: 'admin', answer: (_, world) => refresh(world, of(world)) };
  }
  if (isImageKind(what) && method === 'GET') {
    return { kind: 'images', access: 'user', answer: (ask, world) => listImages(ask, of(world), what) };
  }
  if (isImageKind(what) && method === 'POST') {
    return { kind: 'upload', access: 'admin', answer: (ask, world) => upload(ask, world, of(world), what) };
  }
  const selected = imageKindBy('element', what);
  if (selected && method === 'PUT') {
    return {
      kind: 'select-image',
      access: 'admin',
      answer: (ask, world) => choose(ask, world, of(world), selected),
    };
  }
  const deleted = imageKindBy('field', what);
  if (deleted && method === 'DELETE') {
    return {
      kind: 'delete-image',
      access: 'admin',
      answer: (_, world) => removeImage(world, of(world), deleted),
    };
  }
  return null;
}

export const rate: Route = {
  kind: 'rate',
  access: 'user',
  answer: ({ query, admin }, world) => {
    if (param(query, 'identifier') !== 'com.plexapp.plugins.library')
      throw new Refused(400, 'no such identifier');
    const [item] = itemsOf(world, param(query, 'key') ?? '');
    const rating = param(query, 'rating') ?? '';
    if (rating !== '-1' && !isScore(rating)) throw new Refused(400, `not a rating: ${rating}`);
    // Ratings belong to accounts; only the owner's is shown here.
    if (!item || !admin) return done();
    item.setValue('userRating', rating === '-1' ? '' : rating);
    item.lastRatedAt = world.catalogue.now();
    return done();
  },
};

/** Those that exist; an answer needs at least one. */
function itemsOf({ catalogue }: World, ids: string): Item[] {
  for (const section of catalogue.sections) catalogue.reveal(section, false);
  const items = ids.split(',').flatMap((id) => (/^\d+$/.test(id) ? (catalogue.item(Number(id)) ?? []) : []));
  if (items.length === 0) throw new Refused(404, `no item ${ids}`);
  return items;
}

function show(ask: Ask, world: World, items: Item[]): Answer {
  if (world.behaviour.refreshOnGet && param(ask.query, 'skipRefresh') !== '1') {
    for (const item of items) item.revertUnlocked(world.catalogue.now());
  }
  const { items: shown, attributes, headers } = page(items, ask.query, ask.headers, world.behaviour.pageCap);
  const sections = new Set(items.map(({ section }) => section));
  const [section] = sections;
  const where = section && sections.size === 1 ? sectionAttributes(section) : {};
  return document(container({ ...attributes, ...where }, shown.map(fullItem)), ask.json, headers);
}

function edit({ query }: Ask, { behaviour, catalogue }: World, items: Item[]): Answer {
  const wanted = parseEdit(query);
  for (const item of items) applyEdit(item, wanted, behaviour, catalogue.tags, catalogue.now());
  return done();
}

function refresh({ catalogue }: World, item: Item): Answer {
  item.revertUnlocked(catalogue.now());
  return done();
}

function listImages({ json }: Ask, item: Item, kind: ImageKind): Answer {
  return document(container({ identifier: 'com.plexapp.plugins.library' }, imageElements(item, kind)), json);
}

async function upload(
  ask: Ask,
  { behaviour, catalogue }: World,
  item: Item,
  kind: ImageKind,
): Promise<Answer> {
  const bytes = await ask.body();
  if (bytes.length === 0) throw new Refused(400, 'an upload without a picture');
  if (bytes.length > largestImageBytes) throw new Refused(500, 'a picture of more than 10 MB');
  const key = `upload://${imageKinds[kind].folder}/${createHash('sha1').update(bytes).digest('hex')}`;
  item.shelf(kind).add(key);
  item.shelf(kind).select(key);
  if (behaviour.uploadLocks) item.setLocked(imageKinds[kind].field, true);
  item.imageChosen(kind, catalogue.now());
  return done();
}

function choose({ query }: Ask, { behaviour, catalogue }: World, item: Item, kind: ImageKind): Answer {
  const url = param(query, 'url') ?? '';
  if (!item.shelf(kind).select(url)) throw new Refused(404, `no picture ${url}`);
  if (behaviour.uploadLocks) item.setLocked(imageKinds[kind].field, true);
  item.imageChosen(kind, catalogue.now());
  return done();
}

function removeImage({ catalogue }: World, item: Item, kind: ImageKind): Answer {
  item.shelf(kind).clear();
  item.setLocked(imageKinds[kind].field, true);
  item.imageChosen(kind, catalogue.now());
  return done();
}

function imageKindBy(property: 'element' | 'field', word: string): ImageKind | undefined {
  return Object.keys(imageKinds)
    .filter(isImageKind)
    .find((kind) => imageKinds[kind][property] === word);
}
