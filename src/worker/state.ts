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
import { mayCommit } from './lease';

export interface State {
  queue: Queue;
  deadLetters: JournaledMap<DeadLetter>;
  ledger: StoredLedger;
  /** Files of the queue in which something is missing. */
  damage: string[];
  close(): Promise<void>;
}

export async function openState(
  paths: StatePaths,
  target: string,
  lease: { epoch: number; token: string },
  clock: Clock,
  log: Log,
): Promise<State> {
  const folder = join(paths.targets, target);
  mkdirSync(folder, { recursive: true, mode: privateFolder });
  const open = <V>(base: string, parse: (value: unknown) => V) =>
    JournaledMap.open({
      base,
      parse,
      epoch: lease.epoch,
      mayCommit: () => mayCommit(paths.lease, lease.token),
      clock,
      log,
    });
  const queueStore: JournaledMap<QueueEntry> = await open(join(paths.root, 'queue'), parseQueueEntry);
  const deadLetters = await open(join(paths.root, 'dead-letters'), parseDeadLetter);
  const ledgerStore = await open(join(folder, 'ledger'), parseLedgerEntry);
  return {
    queue: new Queue(queueStore, clock),
    deadLetters,
    ledger: new StoredLedger(ledgerStore),
    damage: queueStore.damage,
    close: async () => {
      await ledgerStore.close();
      await deadLetters.close();
      await queueStore.close();
    },
  };
}
