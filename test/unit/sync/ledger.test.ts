import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import { parseLedgerEntry, StoredLedger } from '../../../src/sync/ledger';
import type { LedgerEntry } from '../../../src/sync/ledger-entry';

const entry = (over: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ratingKey: '1',
  file: 'f',
  wrote: { title: 't' },
  names: {},
  at: 5,
  studio: null,
  performers: [],
  tags: [],
  groups: [],
  ...over,
});

function ledgerOf(entries: Record<number, Partial<LedgerEntry>>) {
  const store = new MemoryStore<LedgerEntry>();
  const ledger = new StoredLedger(store);
  for (const [scene, over] of Object.entries(entries)) ledger.put(Number(scene), entry(over));
  return { store, ledger };
}

describe('the ledger', () => {
  it('knows the scenes that had one of these', () => {
    const { ledger } = ledgerOf({
      1: { studio: '7', performers: ['7'] },
      2: { studio: '8', studioParent: '7', tags: ['7', '9'] },
      3: { groups: ['7'], tags: ['8'] },
      4: {},
    });
    const scenes = (kind: Parameters<StoredLedger['scenesWith']>[0], ...ids: string[]) => [
      ...ledger.scenesWith(kind, new Set(ids)),
    ];
    expect(scenes('studio', '7')).toEqual([1, 2]);
    expect(scenes('performers', '7')).toEqual([1]);
    expect(scenes('tags', '8', '9')).toEqual([2, 3]);
    expect(scenes('groups', '7', '0')).toEqual([3]);
    expect(scenes('groups')).toEqual([]);
  });

  it('knows which scene an item belongs to, also after it was read again', () => {
    const { store, ledger } = ledgerOf({ 1: { ratingKey: 'a' }, 2: { ratingKey: 'b' } });
    ledger.put(1, entry({ ratingKey: 'c' }));
    ledger.remove(2);
    for (const one of [ledger, new StoredLedger(store)]) {
      expect(['a', 'b', 'c'].map((key) => one.sceneAt(key))).toEqual([undefined, undefined, 1]);
      expect([...one.scenes()]).toEqual([1]);
      expect(one.size).toBe(1);
    }
  });

  it('lets an item go over to another scene', () => {
    const { ledger } = ledgerOf({ 7: { ratingKey: 'a' } });
    ledger.put(3, entry({ ratingKey: 'a' }));
    ledger.remove(7);
    expect(ledger.sceneAt('a')).toBe(3);
  });

  it('that is not believed any more still knows what is ours', () => {
    const { ledger } = ledgerOf({ 1: { names: { genre: ['h'] } }, 2: {} });
    ledger.disbelieve();
    expect(ledger.get(1)).toEqual(entry({ names: { genre: ['h'] }, stale: true }));
    expect(ledger.get(2)).toMatchObject({ stale: true });
  });
});

describe('an entry on disk', () => {
  const { file: _, names: __, ...older } = entry();

  it('of an older build, without file and names, is read', () => {
    expect(parseLedgerEntry(older)).toEqual({ ...older, file: '', names: {} });
  });

  it('is read as it was written', () => {
    const whole = entry({
      byName: true,
      seen: 7,
      stale: true,
      keptOwn: true,
      studioParent: '2',
      tried: { title: ['a', 'b'] },
      pictures: {
        from: '/scene/1/screenshot?t=1',
        sha1: null,
        missingSince: 3,
        settled: { poster: '' },
        set: { art: 'x' },
        shown: { art: '/art/1' },
        uploaded: { poster: ['y', 'z'] },
      },
    });
    expect(parseLedgerEntry(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
  });

  it.each([
    ['no key', { ...older, ratingKey: 5 }],
    ['no time', { ...older, at: null }],
    ['a list of something else', { ...older, tags: [1] }],
    ['half of what is known about pictures', { ...older, pictures: { from: null } }],
  ])('with %s is refused', (_, broken) => {
    expect(() => parseLedgerEntry(broken)).toThrow();
  });
});
