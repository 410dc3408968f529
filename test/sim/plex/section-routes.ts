import { type Answer, document, done, Refused } from './answer';
import { applyEdit, parseEdit } from './edit';
import { type Element, element } from './element';
import { metaElement } from './meta';
import { sorted } from './order';
import { page } from './page';
import { param, type Query } from './query';
import { container, listedItem, sectionAttributes } from './render';
import { collectionType, type Section } from './section';
import { select, typeOf } from './selection';
import type { Ask, Route, World } from './world';

/** `/library/sections/{id}/…` */
export function sectionRoute(method: string, id: string, what: string, query: Query): Route | null {
  const of = (world: World): Section => {
    const section = /^\d+$/.test(id) ? world.catalogue.section(Number(id)) : undefined;
    if (!section) throw new Refused(404, `no section ${id}`);
    return section;
  };
  if (what === 'all' && method === 'GET') {
    const kind = query.some(([name]) => name === 'file') ? 'find' : 'list';
    return { kind, access: 'user', answer: (ask, world) => list(ask, world, of(world)) };
  }
  if (what === 'all' && method === 'PUT') {
    return { kind: 'edit', access: 'admin', answer: (ask, world) => edit(ask, world, of(world)) };
  }
  if (what === 'collections' && method === 'GET') {
    return {
      kind: 'collections',
      access: 'user',
      answer: (ask, world) => collections(ask, world, of(world)),
    };
  }
  // Plex itself documents POST; what clients send, and was recorded, is GET.
  if (what === 'refresh' && (method === 'GET' || method === 'POST')) {
    return { kind: 'scan', access: 'admin', answer: (ask, world) => scan(ask, world, of(world)) };
  }
  return null;
}

function list(ask: Ask, world: World, section: Section): Answer {
  if (typeOf(ask.query) === collectionType) return collections(ask, world, section);
  world.catalogue.reveal(section, true);
  const selected = select(section, ask.query, world.catalogue.now());
  const limit = param(ask.query, 'limit');
  const ordered = sorted(selected, param(ask.query, 'sort'), section);
  return listing(
    ask,
    world,
    section,
    limit ? ordered.slice(0, Number(limit)) : ordered,
    section.type,
    listedItem,
  );
}

/** Collections are not made by hand: there is one for each name that an item carries. */
function collections(ask: Ask, world: World, section: Section): Answer {
  const sizes = new Map<string, number>();
  for (const item of section.items.values()) {
    for (const { tag } of item.tags.collection ?? []) sizes.set(tag.name, (sizes.get(tag.name) ?? 0) + 1);
  }
  const all = [...sizes].sort(([a], [b]) => (a < b ? -1 : 1));
  return listing(ask, world, section, all, 'collection', ([title, childCount]) => {
    const ratingKey = String(world.catalogue.collectionKey(section, title));
    const key = `/library/collections/${ratingKey}/children`;
    const attributes = {
      ratingKey,
      key,
      type: 'collection',
      title,
      subtype: section.type,
      summary: '',
      childCount,
    };
    return element('Directory', attributes, [], 'Metadata');
  });
}

function listing<T>(
  ask: Ask,
  world: World,
  section: Section,
  all: readonly T[],
  type: string,
  render: (item: T) => Element,
): Answer {
  const { items, attributes, headers } = page(all, ask.query, ask.headers, world.behaviour.pageCap);
  const meta = param(ask.query, 'includeMeta') === '1' ? [metaElement(section.key, type)] : [];
  const title = { title1: section.title, title2: `All ${section.title}`, viewGroup: type };
  const root = container({ ...attributes, ...sectionAttributes(section), ...title }, [
    ...meta,
    ...items.map(render),
  ]);
  return document(root, ask.json, headers);
}

/** Without `id` there is no filter, so every item of the type is edited: the real server does it too. */
function edit({ query }: Ask, world: World, section: Section): Answer {
  if (typeOf(query) === null) throw new Refused(400, 'an edit without type=');
  const wanted = parseEdit(query);
  const now = world.catalogue.now();
  const items = select(section, query, now);
  if (items.length === 0) throw new Refused(404, 'no such item in this section');
  for (const item of [...items]) applyEdit(item, wanted, world.behaviour, world.catalogue.tags, now);
  return done();
}

function scan({ query }: Ask, world: World, section: Section): Answer {
  void world.scanner.scan(section, param(query, 'path') ?? null, param(query, 'force') === '1');
  return done();
}
