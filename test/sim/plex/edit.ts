import { Refused } from './answer';
import type { Behaviour } from './behaviour';
import { checkValue, type FieldName, isFieldName } from './fields';
import { imageKinds } from './images';
import type { Item } from './item';
import { decode, type Query } from './query';
import { isTagKind, type SentTag, type TagKind, type TagRegistry, withoutNames, withSent } from './tags';

/** What one PUT asks for, already understood. Parameters that Plex does not know are not in it. */
export interface Edit {
  values: Map<FieldName, string>;
  locks: Map<string, boolean>;
  sent: Map<TagKind, SentTag[]>;
  removed: { kind: TagKind; name: string }[];
  cleared: Set<TagKind>;
}

/**
 * Reads the parameters of a PUT:
 *
 * - `title.value=…`, `title.locked=1`
 * - `genre[0].tag.tag=…`, `actor[0].tagging.text=…` (the role), `actor[0].tag.thumb=…`
 * - `genre[].tag.tag-=A,B`, each name encoded a second time: a name with a comma that is encoded only once is
 *   taken for two names
 * - `genre[].tag=`: all of this kind
 */
export function parseEdit(query: Query): Edit {
  const edit: Edit = {
    values: new Map(),
    locks: new Map(),
    sent: new Map(),
    removed: [],
    cleared: new Set(),
  };
  const indexed = new Map<TagKind, Map<number, Partial<SentTag>>>();
  for (const [name, value] of query) {
    const plain = /^(\w+)\.(value|locked)$/.exec(name);
    const tag = /^(\w+)\[(\d*)\]\.(.+)$/.exec(name);
    if (plain) readPlain(edit, plain[1] ?? '', plain[2] ?? '', value);
    else if (tag && isTagKind(tag[1] ?? ''))
      readTag(edit, indexed, tag[1] as TagKind, tag[2] ?? '', tag[3] ?? '', value);
  }
  for (const [kind, tags] of indexed) {
    const inOrder = [...tags].sort(([a], [b]) => a - b).map(([, tag]) => tag);
    edit.sent.set(
      kind,
      inOrder.flatMap(({ name, text, thumb }) => (name ? [{ name, text, thumb }] : [])),
    );
  }
  return edit;
}

function readPlain(edit: Edit, name: string, what: string, value: string): void {
  if (what === 'locked') {
    if (value !== '0' && value !== '1') throw new Refused(400, `${name}.locked is neither 0 nor 1: ${value}`);
    if (isLockable(name)) edit.locks.set(name, value === '1');
  } else if (isFieldName(name)) {
    checkValue(name, value);
    edit.values.set(name, value);
  }
}

function readTag(
  edit: Edit,
  indexed: Map<TagKind, Map<number, Partial<SentTag>>>,
  kind: TagKind,
  index: string,
  what: string,
  value: string,
): void {
  if (index === '') {
    if (what === 'tag') edit.cleared.add(kind);
    if (what === 'tag.tag-') {
      for (const name of value.split(',')) if (name !== '') edit.removed.push({ kind, name: decode(name) });
    }
    return;
  }
  const property = tagProperties[what];
  if (!property) return;
  const tags = indexed.get(kind) ?? new Map<number, Partial<SentTag>>();
  indexed.set(kind, tags.set(Number(index), { ...tags.get(Number(index)), [property]: value }));
}

const tagProperties: Record<string, keyof SentTag> = {
  'tag.tag': 'name',
  'tagging.text': 'text',
  'tag.thumb': 'thumb',
};

const imageFields: readonly string[] = Object.values(imageKinds).map(({ field }) => field);

function isLockable(name: string): boolean {
  return isFieldName(name) || isTagKind(name) || imageFields.includes(name);
}

/** Removals come last: a tag that is both sent and removed is gone. */
export function applyEdit(
  item: Item,
  edit: Edit,
  behaviour: Behaviour,
  registry: TagRegistry,
  now: number,
): void {
  const titleBefore = item.titleSort;
  for (const [name, value] of edit.values) item.setValue(name, value);
  const retitled = edit.values.has('title') && !edit.values.has('titleSort');
  if (retitled && !item.locked.has('titleSort')) item.setValue('titleSort', '');
  if (edit.values.has('userRating')) item.lastRatedAt = now;

  const tags = { ...item.tags };
  for (const [kind, sent] of edit.sent)
    tags[kind] = withSent(tags[kind] ?? [], kind, sent, behaviour, registry);
  for (const { kind, name } of behaviour.oneRemovalPerPut ? edit.removed.slice(0, 1) : edit.removed) {
    tags[kind] = withoutNames(tags[kind] ?? [], [name]);
  }
  if (behaviour.clearsLists) for (const kind of edit.cleared) delete tags[kind];
  item.tags = tags;

  for (const [name, locked] of edit.locks) item.setLocked(name, locked);
  item.updatedAt = now;
  item.section.changed(item.titleSort !== titleBefore);
}
