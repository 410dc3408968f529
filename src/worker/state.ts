/** Everything durable that the worker owns, opened together and closed together. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { JournaledMap } from '../persist/journaled-map';
import { privateFolder, type StatePaths } from '../persist/paths';
import { type DeadLetter, parseDeadLetter, parseQueueEntry, type QueueEntry } from '../queue/entries';
import { Queue } from '../queue/queue';
import type { Clock } from '../shared/clock';
import type { Log } from '../shared/log';
import { parseLedgerEntry, StoredLedger } from '../sync/ledger';
import type { LedgerEntry } from '../sync/ledger-entry';
import { mayCommit } from './lease';

export interface State {
  queue: Queue;
  deadLetters: JournaledMap<DeadLetter>;
  /** Opened when it is first asked for. */
  ledger(target: string): Promise<StoredLedger>;
  /** Writes it down and closes it, until it is asked for again. */
  closeLedger(target: string): Promise<void>;
  /** Files of the queue in which something is missing. */
  damage: string[];
  /**
   * All that was changed is on disk, in the one order that a crash in between does no harm to: the queue forgets a
   * job only after the ledger knows what was written, and the dead letters what was given up.
   */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export async function openState(
  paths: StatePaths,
  lease: { epoch: number; token: string },
  clock: Clock,
  log: Log,
): Promise<State> {
  const open = <V>(
    base: string,
    parse: (value: unknown) => V,
    onDamage: (map: JournaledMap<V>) => void = () => {},
  ) =>
    JournaledMap.open({
      base,
      parse,
      epoch: lease.epoch,
      mayCommit: () => mayCommit(paths.lease, lease.token),
      clock,
      log,
      onDamage,
    });
  // Only a look at everything can tell what the queue lost.
  const queueStore: JournaledMap<QueueEntry> = await open(join(paths.root, 'queue'), parseQueueEntry, (map) =>
    new Queue(map, clock).beginSweep('all', null),
  );
  const deadLetters = await open(join(paths.root, 'dead-letters'), parseDeadLetter);
  const ledgers = new Map<string, { store: JournaledMap<LedgerEntry>; ledger: StoredLedger }>();
  const stores = () => [...[...ledgers.values()].map(({ store }) => store), deadLetters, queueStore];
  return {
    queue: new Queue(queueStore, clock),
    deadLetters,
    ledger: async (target) => {
      const known = ledgers.get(target);
      if (known) return known.ledger;
      const folder = join(paths.targets, target);
      mkdirSync(folder, { recursive: true, mode: privateFolder });
      // What an old entry says was written may have been written over since.
      const store = await open(join(folder, 'ledger'), parseLedgerEntry, (map) =>
        new StoredLedger(map).disbelieve(),
      );
      const ledger = new StoredLedger(store);
      ledgers.set(target, { store, ledger });
      return ledger;
    },
    closeLedger: async (target) => {
      await ledgers.get(target)?.store.close();
      ledgers.delete(target);
    },
    damage: queueStore.damage,
    flush: async () => {
      for (const store of stores()) await store.flush();
    },
    close: async () => {
      for (const store of stores()) await store.close();
    },
  };
}
