import { existing } from './edit-scene';
import { atoi, converting, parseDate } from './inputs';
import { notSimulated } from './not-simulated';
import { fromDataUrl } from './pictures';
import type { GroupRecord, PerformerRecord, StudioRecord, TagRecord } from './records';
import type { Store } from './store';
import type { Table } from './table';

/** An update of a performer, studio, tag or group: what it is for, and nothing else, sets its own `updated_at`. */
export type RelatedInput = { id: string; name?: string | null } & Record<string, unknown>;

type Related = PerformerRecord | StudioRecord | TagRecord | GroupRecord;
/** By the input's key: what its value means for the record. */
type Setters<T> = Record<string, (value: unknown, store: Store, record: T) => Partial<T>>;

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : []);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const date = (value: unknown): string | null => converting('date', () => parseDate(text(value)));
const image = (value: unknown): Buffer | null => (value ? fromDataUrl(text(value)) : null);
const tags = (value: unknown, store: Store): number[] => existing(store.tags, texts(value));

const performerSetters: Setters<PerformerRecord> = {
  id: () => ({}),
  name: (value) => ({ name: text(value) }),
  disambiguation: (value) => ({ disambiguation: text(value) }),
  alias_list: (value) => ({ aliases: texts(value) }),
  gender: (value) => ({ gender: typeof value === 'string' ? value : null }),
  birthdate: (value) => ({ birthdate: date(value) }),
  details: (value) => ({ details: text(value) }),
  urls: (value) => ({ urls: texts(value) }),
  country: (value) => ({ country: text(value) }),
  favorite: (value) => ({ favorite: value === true }),
  rating100: (value) => ({ rating100: number(value) }),
  tag_ids: (value, store) => ({ tagIds: tags(value, store) }),
  image: (value) => ({ image: image(value) }),
  custom_fields: (value, _, { customFields }) => ({ customFields: withCustomFields(customFields, value) }),
};

const studioSetters: Setters<StudioRecord> = {
  id: () => ({}),
  name: (value) => ({ name: text(value) }),
  aliases: (value) => ({ aliases: texts(value) }),
  details: (value) => ({ details: text(value) }),
  urls: (value) => ({ urls: texts(value) }),
  favorite: (value) => ({ favorite: value === true }),
  rating100: (value) => ({ rating100: number(value) }),
  parent_id: (value, store, studio) => ({ parentId: parent(studio, value, store) }),
  tag_ids: (value, store) => ({ tagIds: tags(value, store) }),
  image: (value) => ({ image: image(value) }),
};

const tagSetters: Setters<TagRecord> = {
  id: () => ({}),
  name: (value) => ({ name: text(value) }),
  sort_name: (value) => ({ sortName: text(value) }),
  description: (value) => ({ description: text(value) }),
  aliases: (value) => ({ aliases: texts(value) }),
  favorite: (value) => ({ favorite: value === true }),
  parent_ids: (value, store) => ({ parentIds: tags(value, store) }),
  image: (value) => ({ image: image(value) }),
};

const groupSetters: Setters<GroupRecord> = {
  id: () => ({}),
  name: (value) => ({ name: text(value) }),
  aliases: (value) => ({ aliases: text(value) }),
  synopsis: (value) => ({ synopsis: text(value) }),
  director: (value) => ({ director: text(value) }),
  urls: (value) => ({ urls: texts(value) }),
  date: (value) => ({ date: date(value) }),
  rating100: (value) => ({ rating100: number(value) }),
  studio_id: (value, store) => ({
    studioId: value ? (existing(store.studios, [text(value)])[0] ?? null) : null,
  }),
  tag_ids: (value, store) => ({ tagIds: tags(value, store) }),
  front_image: (value) => ({ image: image(value) }),
};

export const editPerformer = (store: Store, input: RelatedInput): PerformerRecord =>
  edit(store, store.performers, 'performer', performerSetters, input);

export const editStudio = (store: Store, input: RelatedInput): StudioRecord =>
  edit(store, store.studios, 'studio', studioSetters, input);

export const editTag = (store: Store, input: RelatedInput): TagRecord =>
  edit(store, store.tags, 'tag', tagSetters, input);

export const editGroup = (store: Store, input: RelatedInput): GroupRecord =>
  edit(store, store.groups, 'group', groupSetters, input);

function edit<T extends Related>(
  store: Store,
  table: Table<T>,
  kind: string,
  setters: Setters<T>,
  input: RelatedInput,
): T {
  const id = converting('id', () => atoi(input.id));
  const record = table.get(id);
  if (!record) throw new Error(kind === 'group' ? 'not found' : `${kind} with id ${id} not found`);
  const edited: T = { ...record, updatedAt: store.stamp() };
  for (const [key, value] of Object.entries(input)) {
    const read = setters[key] ?? notSimulated(`editing a ${kind}'s ${key}`);
    Object.assign(edited, read(value, store, edited));
  }
  if (edited.name === '')
    throw new Error(kind === 'group' ? 'name cannot be empty' : `${kind} name must not be blank`);
  if (kind !== 'group') refuseTakenName(table, kind, edited);
  return table.put(edited);
}

function withCustomFields(old: Record<string, unknown>, value: unknown): Record<string, unknown> {
  const { full, partial, remove } = (value ?? {}) as { full?: object; partial?: object; remove?: string[] };
  const kept = Object.entries(full ?? { ...old, ...partial }).filter(([key]) => !remove?.includes(key));
  return Object.fromEntries(kept);
}

function refuseTakenName<T extends Related>(table: Table<T>, kind: string, edited: T): void {
  const difference = (record: Related) => ('disambiguation' in record ? record.disambiguation : '');
  for (const other of table.all())
    if (other.id !== edited.id && other.name === edited.name && difference(other) === difference(edited))
      throw new Error(`${kind} with name '${edited.name}' already exists`);
}

function parent(studio: StudioRecord, value: unknown, store: Store): number | null {
  if (!value) return null;
  const id = atoi(text(value));
  if (!store.studios.has(id)) throw new Error(`studio with id ${id} not found`);
  for (let above: number | null = id; above !== null; above = store.studios.get(above)?.parentId ?? null)
    if (above === studio.id) throw new Error('studio cannot be an ancestor of itself');
  return id;
}
