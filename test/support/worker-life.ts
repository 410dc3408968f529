import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mapFiles, recover } from '../../src/persist/journal-format';
import { type Job, parseQueueEntry, type QueueEntry } from '../../src/queue/entries';
import type { Status, TargetStatus } from '../../src/shared/status';
import { type Household, until } from '../sim/household';
import { MemoryLog } from './memory-log';

/** The settings and the plugin's files are looked at so often that no test has to wait for it. */
export const attentive = { SLUICE_POLL_SECONDS: '0.2' };

/** Resolves when no worker of the household is left. */
export async function workerEnded(household: Household): Promise<void> {
  await until('no worker is left', () => household.workers().length === 0);
}

/** What the worker says `ms` from now, when it is still the same one; an error when it is not. */
export async function livesOn(household: Household, ms: number): Promise<Status> {
  const pid = household.worker();
  const from = Date.now();
  await until('its status is newer', () => household.worker() !== pid || statusTime(household) > from + ms);
  const status = household.status();
  if (pid === null || household.worker() !== pid || !status?.worker.alive)
    throw new Error('The worker did not live on');
  return status;
}

const statusTime = ({ state }: Household): number =>
  existsSync(state.status) ? statSync(state.status).mtimeMs : 0;

/** The queue's files as the next worker would read them. */
export function queueOnDisk(household: Household): Map<string, QueueEntry> {
  const files = mapFiles(join(household.state.root, 'queue'));
  return recover(files, 'queue', parseQueueEntry, new MemoryLog()).entries;
}

export const jobsOnDisk = (household: Household): Job[] =>
  [...queueOnDisk(household).values()].filter((entry) => entry.is === 'job');

export const inboxFiles = (household: Household): string[] =>
  readdirSync(household.state.inbox).filter((name) => /\.(json|part)$/.test(name));

/** How Plex is doing, as the worker says; null before it has said anything. */
export const plexIn = (household: Household): TargetStatus | null => household.status()?.targets.plex ?? null;
