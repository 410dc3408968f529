/**
 * Whether a second server that is down slows the first: the same work in two households with real workers, of which
 * one has a second server in its servers.json that refuses every connection.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { privateFile, privateFolder } from '../../src/persist/paths';
import { Household, until } from '../../test/sim/household';
import { type Compared, compare } from './measure';
import { syncing, writeLedger } from './real-worker';

const rounds = 9;
/** The throughput must be at least 0.95 of what it is alone. */
const limit = 1 / 0.95;

export async function twoTargetsCost(jobs: number): Promise<Compared[]> {
  const alone = await furnished(jobs);
  const withOther = await furnished(jobs);
  try {
    writeFileSync(
      withOther.state.servers,
      JSON.stringify({ attic: { url: 'http://127.0.0.1:9', token: 'of-nobody' } }),
      { mode: privateFile },
    );
    await until('it is down', () => withOther.status()?.targets.attic?.breaker.state === 'OPEN', 60_000);
    const what = `a scene with another server down, against alone (${jobs} at a time)`;
    const comparison = { what, of: syncing(withOther, jobs, 1), to: syncing(alone, jobs, 1), limit };
    return await compare([comparison], rounds, { warmUp: 1 });
  } finally {
    await alone.close();
    await withOther.close();
  }
}

async function furnished(jobs: number): Promise<Household> {
  const home = await Household.open({ scenes: jobs, env: { SLUICE_POLL_SECONDS: '1' } });
  mkdirSync(home.state.targets, { recursive: true, mode: privateFolder });
  writeLedger(home, (scene) => home.plex.itemByFile(home.file(scene))?.ratingKey ?? 0, home.scenes);
  await home.stash.edit({ id: 1, title: 'The worker starts' });
  await until('it has arrived', () => home.inPlex(1)?.title === 'The worker starts');
  return home;
}
