/**
 * Days in the life of a household, compressed: people edit, scenes are edited in bulk, Plex goes and comes, Stash is
 * restarted, and workers and hooks are killed with -9 at random instants. Afterwards everything must agree.
 *
 * A save whose hook was killed was never confirmed: Stash tells the person so, and the person saves again.
 */
import type { Random } from '../../src/shared/clock';
import { type Household, until } from './household';

export interface ChaosTally {
  edits: number;
  bulkEdits: number;
  workersKilled: number;
  hooksKilled: number;
  outages: number;
}

export async function chaos(
  household: Household,
  rounds: number,
  random: Random,
  onRound: (round: number, tally: ChaosTally) => void = () => {},
): Promise<ChaosTally> {
  const { stash, plex, scenes } = household;
  const tally: ChaosTally = { edits: 0, bulkEdits: 0, workersKilled: 0, hooksKilled: 0, outages: 0 };
  const unconfirmed = new Set<number>();
  let edits = 0;
  let down = false;
  const chance = (probability: number) => random() < probability;
  const any = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)];
    if (one === undefined) throw new Error('nothing to choose from');
    return one;
  };
  const pause = (longestMs: number) => new Promise((resolve) => setTimeout(resolve, random() * longestMs));

  /** Confirmed means that the hook said so; whatever else it said, the person saves again later. */
  const confirm = async (touched: number[], save: () => Promise<void>) => {
    const before = stash.log.entries.length;
    await save().catch(() => {});
    const complaints = stash.log.entries.slice(before).some(({ level }) => level === 'error');
    for (const scene of touched) if (complaints) unconfirmed.add(scene);
  };

  const edit = () => {
    const scene = any(scenes);
    tally.edits++;
    return confirm([scene], () => stash.edit(household.someEdit(scene, ++edits)));
  };

  const bulkEdit = () => {
    const some = scenes.filter(() => chance(0.3));
    if (some.length === 0) return Promise.resolve();
    tally.bulkEdits++;
    return confirm(some, () => stash.editMany(some, { studio_id: String(any(household.studios)) }));
  };

  const killHook = () => {
    const last = stash.runs.entries.at(-1);
    try {
      if (last?.kind === 'hook') process.kill(last.pid, 'SIGKILL');
      tally.hooksKilled++;
    } catch {
      // It had ended.
    }
  };

  for (let round = 1; round <= rounds; round++) {
    const saves: Promise<void>[] = [];
    for (let n = 0; n < 1 + Math.floor(random() * 4); n++) {
      saves.push(chance(0.15) ? bulkEdit() : edit());
      await pause(30);
      if (chance(0.2)) killHook();
    }
    if (!down && chance(0.15)) {
      await plex.goDown();
      down = true;
      tally.outages++;
    } else if (down && chance(0.5)) {
      await plex.comeBack();
      down = false;
    }
    await pause(400);
    if (chance(0.7)) {
      // The next one needs a moment to start: a kill that finds nobody proves nothing.
      await until('somebody works', () => household.workers().length > 0, 2_000).catch(() => {});
      await pause(100);
      tally.workersKilled += household.workers().length;
      household.killWorkers();
    }
    await Promise.all(saves);
    onRound(round, tally);
  }

  if (down) await plex.comeBack();
  for (const scene of unconfirmed) await stash.edit(household.someEdit(scene, ++edits));
  // Killed workers are started by the next thing that happens in Stash; here it is a task.
  await stash.runOperation('sluice', { mode: 'resume' });
  await household.drained(60_000);
  await until('both sides agree', async () => (await household.differences()).length === 0, 5_000).catch(
    () => {},
  );
  return tally;
}
