import type { Behaviour } from './behaviour';

/** How each kind of tag is called in a document, and how many of them a listing shows. */
export const tagKinds = {
  genre: { element: 'Genre', listed: 2 },
  country: { element: 'Country', listed: 2 },
  director: { element: 'Director', listed: 2 },
  writer: { element: 'Writer', listed: 2 },
  producer: { element: 'Producer', listed: 0 },
  actor: { element: 'Role', listed: 3 },
  collection: { element: 'Collection', listed: 2 },
  label: { element: 'Label', listed: 0 },
} as const;

export type TagKind = keyof typeof tagKinds;

export const tagKindNames = Object.keys(tagKinds) as TagKind[];

export function isTagKind(name: string): name is TagKind {
  return Object.hasOwn(tagKinds, name);
}

/** Shared by all items that carry it: a picture set for an actor shows on each of that actor's films. */
export interface Tag {
  readonly id: number;
  readonly name: string;
  thumb: string | null;
}

/** One tag on one item, with what is said about it there (an actor's role). */
export interface Tagging {
  readonly tag: Tag;
  readonly text: string;
}

/** Lists are replaced, never changed, so that an item and its last scan can share them. */
export type Taggings = Readonly<Partial<Record<TagKind, readonly Tagging[]>>>;

export interface SentTag {
  name: string;
  /** undefined: not said in this request. */
  text: string | undefined;
  thumb: string | undefined;
}

export class TagRegistry {
  readonly #tags = new Map<string, Tag>();

  tag(kind: TagKind, name: string): Tag {
    const key = `${kind}:${name}`;
    let tag = this.#tags.get(key);
    if (!tag) {
      tag = { id: this.#tags.size + 1, name, thumb: null };
      this.#tags.set(key, tag);
    }
    return tag;
  }
}

/**
 * The tags of an item after `sent` has arrived. An item carries a tag once, whatever its spelling: sending
 * `nature` to an item with `Nature` adds nothing, and the spelling that is there stays.
 */
export function withSent(
  current: readonly Tagging[],
  kind: TagKind,
  sent: readonly SentTag[],
  behaviour: Pick<Behaviour, 'tags' | 'capitaliseTags'>,
  registry: TagRegistry,
): readonly Tagging[] {
  const present = new Map(current.map((tagging) => [fold(tagging.tag.name), tagging]));
  const arrived = new Map<string, Tagging>();
  for (const { name, text, thumb } of sent) {
    if (name === '') continue;
    const key = fold(name);
    const before = behaviour.tags === 'replace' ? undefined : present.get(key);
    const tag = before?.tag ?? registry.tag(kind, behaviour.capitaliseTags ? capitalise(name) : name);
    if (thumb !== undefined) tag.thumb = thumb === '' ? null : thumb;
    if (!arrived.has(key)) arrived.set(key, { tag, text: text ?? before?.text ?? '' });
  }
  if (behaviour.tags === 'replace') return [...arrived.values()];
  if (behaviour.tags === 'merge-front')
    return [...new Map([...arrived, ...without(present, arrived)]).values()];
  return [...new Map([...present, ...arrived]).values()];
}

/** Removals are taken literally: only the exact spelling goes. */
export function withoutNames(current: readonly Tagging[], names: readonly string[]): readonly Tagging[] {
  return current.filter(({ tag }) => !names.includes(tag.name));
}

function without(present: Map<string, Tagging>, arrived: Map<string, Tagging>): [string, Tagging][] {
  return [...present].filter(([key]) => !arrived.has(key));
}

function fold(name: string): string {
  return name.toLowerCase();
}

function capitalise(name: string): string {
  const [first = ''] = name;
  return first.toUpperCase() + name.slice(first.length);
}
