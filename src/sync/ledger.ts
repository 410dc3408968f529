/**
 * The ledger of one target over a durable store: what we last wrote for each scene, and which scene each item
 * belongs to.
 *
 * Holds: an entry that claims something of Plex is only written after Plex has confirmed it; one that is written before
 * (`stale`) claims nothing but what may be ours.
 */
import * as v from 'valibot';
import type { KeyedStore } from '../persist/keyed-store';
import type { Ledger, LedgerEntry, RelationKind } from './ledger-entry';

const texts = v.array(v.string());
const byField = v.record(v.string(), v.string());
const perKind = <S extends v.GenericSchema>(of: S) =>
  v.object({ poster: v.exactOptional(of), art: v.exactOptional(of) });

const entry = v.object({
  ratingKey: v.string(),
  file: v.optional(v.string(), ''),
  byName: v.exactOptional(v.literal(true)),
  wrote: byField,
  tried: v.exactOptional(v.record(v.string(), texts)),
  names: v.optional(v.record(v.string(), texts), {}),
  at: v.number(),
  seen: v.exactOptional(v.number()),
  keptOwn: v.exactOptional(v.literal(true)),
  stale: v.exactOptional(v.literal(true)),
  studio: v.nullable(v.string()),
  studioParent: v.exactOptional(v.string()),
  performers: texts,
  tags: texts,
  groups: texts,
  pictures: v.exactOptional(
    v.object({
      from: v.nullable(v.string()),
      sha1: v.nullable(v.string()),
      fresh: v.exactOptional(v.literal(true)),
      missingSince: v.exactOptional(v.number()),
      settled: perKind(v.string()),
      set: perKind(v.string()),
      shown: perKind(v.string()),
      uploaded: perKind(texts),
    }),
  ),
});

export const parseLedgerEntry = (value: unknown): LedgerEntry => v.parse(entry, value);

export class StoredLedger implements Ledger {
  readonly #store: KeyedStore<LedgerEntry>;
  readonly #sceneAt = new Map<string, number>();

  constructor(store: KeyedStore<LedgerEntry>) {
    this.#store = store;
    for (const [scene, { ratingKey }] of store.entries()) this.#sceneAt.set(ratingKey, Number(scene));
  }

  get(scene: number): LedgerEntry | undefined {
    return this.#store.get(String(scene));
  }

  put(scene: number, entry: LedgerEntry): void {
    this.#forgetPlace(scene);
    this.#sceneAt.set(entry.ratingKey, scene);
    this.#store.put(String(scene), entry);
  }

  remove(scene: number): void {
    this.#forgetPlace(scene);
    this.#store.delete(String(scene));
  }

  sceneAt(ratingKey: string): number | undefined {
    return this.#sceneAt.get(ratingKey);
  }

  flush(): Promise<void> {
    return this.#store.flush();
  }

  get size(): number {
    return this.#store.size;
  }

  /** Every scene is compared with Plex again when its turn comes. */
  disbelieve(): void {
    for (const [scene, entry] of [...this.#store.entries()])
      this.#store.put(scene, { ...entry, stale: true });
  }

  /** Scenes that had one of these when they were last synced. */
  *scenesWith(kind: RelationKind, ids: ReadonlySet<string>): IterableIterator<number> {
    for (const [scene, entry] of this.#store.entries()) {
      const had = kind === 'studio' ? [entry.studio, entry.studioParent] : entry[kind];
      if (had.some((id) => typeof id === 'string' && ids.has(id))) yield Number(scene);
    }
  }

  *scenes(): IterableIterator<number> {
    for (const [scene] of this.#store.entries()) yield Number(scene);
  }

  #forgetPlace(scene: number): void {
    const old = this.get(scene);
    if (old && this.#sceneAt.get(old.ratingKey) === scene) this.#sceneAt.delete(old.ratingKey);
  }
}
