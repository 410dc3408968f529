/**
 * The ledger of one target over a durable store: what we last wrote for each scene, and which scene each item
 * belongs to. An entry is only ever written after Plex has confirmed, so it never claims more than is true.
 */
import * as v from 'valibot';
import type { KeyedStore } from '../persist/keyed-store';
import type { Ledger, LedgerEntry } from './ledger-entry';

const ids = v.array(v.string());
const entry = v.object({
  ratingKey: v.string(),
  wrote: v.record(v.string(), v.string()),
  at: v.number(),
  studio: v.nullable(v.string()),
  performers: ids,
  tags: ids,
  groups: ids,
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

  get size(): number {
    return this.#store.size;
  }

  /** Every scene is compared with Plex again when its turn comes. */
  disbelieve(): void {
    for (const [scene, entry] of [...this.#store.entries()]) this.#store.put(scene, { ...entry, wrote: {} });
  }

  #forgetPlace(scene: number): void {
    const old = this.get(scene);
    if (old && this.#sceneAt.get(old.ratingKey) === scene) this.#sceneAt.delete(old.ratingKey);
  }
}
