/** The worker as a real process, with the simulated Stash and Plex over real HTTP. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { snapshotText } from '../../src/persist/journal-format';
import { privateFolder } from '../../src/persist/paths';
import { leaveInInbox } from '../../src/queue/inbox';
import { tagFields, textFields } from '../../src/sync/fields';
import type { LedgerEntry } from '../../src/sync/ledger-entry';
import { Household, until } from '../../test/sim/household';
import { type Compared, compare, median, progress, type Sampled, say, sleep } from './measure';
import { targetName } from './own-state';
import { duration, type Row } from './table';

const patienceMs = 120_000;
const memoryLimitBytes = 250e6;
/** Long enough for a few rounds of the worker's loops. */
const lookAtMemoryMs = 4_000;

// --- a job, end to end ---

export async function endToEndCost(many: number, few: number): Promise<Compared[]> {
  const home = await Household.open({ scenes: many });
  try {
    writeLedger(home, (scene) => home.plex.itemByFile(home.file(scene))?.ratingKey ?? 0, home.scenes);
    await home.stash.edit({ id: 1, title: 'The worker starts' });
    await home.drained();
    const what = `drain ${many} jobs, each (real worker, Stash and Plex over HTTP)`;
    const comparison = { what, of: syncing(home, many, 1), to: syncing(home, few, 2), limit: 1.2 };
    return await compare([comparison], 2);
  } finally {
    await home.close();
  }
}

/** Changed scenes whose item is known: from the first PUT to the last, as Plex sees them come. */
export function syncing(home: Household, count: number, times: number): Sampled {
  const scenes = home.scenes.slice(0, count);
  const once = async () => {
    const { stash, plex } = home;
    for (const id of scenes) {
      const scene = stash.store.scenes.get(id);
      if (scene) Object.assign(scene, { title: `Take ${Math.random()}`, updatedAt: stash.store.stamp() });
    }
    plex.clearRecords();
    leaveBulkEdit(home, scenes);
    await until(
      `${count} scenes are synced`,
      () => {
        progress(`end to end: ${plex.counts.edit} of ${count} jobs done`);
        return plex.counts.edit >= count;
      },
      patienceMs,
    );
    const puts = plex.requests.filter(({ kind }) => kind === 'edit').map(({ at }) => at);
    await until('all is settled', () => home.status()?.targets[targetName]?.queue.waiting === 0);
    return (Math.max(...puts) - Math.min(...puts)) / (puts.length - 1);
  };
  return {
    name: `end to end, ${count} jobs`,
    sample: async () => {
      const taken: number[] = [];
      for (let time = 0; time < times; time++) taken.push(await once());
      return median(taken);
    },
  };
}

// --- requests to Plex ---

export async function requestsPerScene(): Promise<Row[]> {
  const home = await Household.open({ scenes: 10 });
  const { stash, plex, scenes, tags } = home;
  const rows: Row[] = [];
  const count = async (what: string, limit: number, act: () => Promise<unknown>) => {
    plex.clearRecords();
    await act();
    await home.drained();
    const perScene = plex.requests.length / scenes.length;
    rows.push({
      what: `requests to Plex per scene: ${what}`,
      measured: String(perScene),
      limit: String(limit),
      ok: perScene <= limit,
      otherwise: 'TOO MUCH',
    });
  };
  const editAll = async (input: object) => {
    for (const id of scenes) await stash.edit({ id, ...input });
  };
  try {
    await editAll({ title: 'First', tag_ids: tags.map(String) });
    await home.drained();
    await count('changed', 2, () => editAll({ title: 'Second' }));
    await count('tags removed', 3, () => editAll({ tag_ids: tags.slice(0, 1).map(String) }));
    await count('Plex shows it already', 0, () => editAll({ organized: true }));
    await count('unchanged, a person asked', 1, () => stash.runOperation('sluice', { mode: 'sync_all' }));
    return rows;
  } finally {
    await home.close();
  }
}

// --- memory, and a start with a long queue ---

export async function longQueue(jobs: number): Promise<Row[]> {
  const home = await Household.open({ scenes: 0 });
  const rows: Row[] = [];
  try {
    for (let n = 1; n <= jobs; n++) home.stash.addScene({ path: `/data/library/Scene ${n}.mp4` });
    const scenes = Array.from({ length: jobs }, (_, index) => index + 1);
    await home.plex.goDown();
    say(`sync_all of ${jobs} scenes while Plex is down ...`);
    const queued = performance.now();
    await home.stash.runOperation('sluice', { mode: 'sync_all' });
    await waitFor(home, jobs);
    rows.push({ what: `sync_all until ${jobs} jobs wait`, measured: duration(performance.now() - queued) });
    rows.push(await memoryRow(home, `memory, ${jobs} jobs wait (sync_all)`, true));

    leaveBulkEdit(home, scenes);
    await until('the bulk edit is folded', () => readdirSync(home.state.inbox).length === 0, patienceMs);
    await waitFor(home, jobs);
    rows.push(await memoryRow(home, 'memory, all of them edited in bulk meanwhile', false));

    say(`Restart after kill -9 with ${jobs} jobs and a ledger of as many scenes ...`);
    await killWorkers(home);
    writeLedger(home, (scene) => scene, scenes);
    // Otherwise the wait of the outage goes on.
    for (const name of ['gate.json', 'gate.json.prev'])
      rmSync(join(home.state.targets, targetName, name), { force: true });
    await home.plex.comeBack();
    home.plex.clearRecords();
    const started = Date.now();
    const worker = spawn(
      process.execPath,
      [join(home.pluginDir, 'dist', 'worker.js'), home.state.root, home.pluginDir],
      { stdio: 'ignore', env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined } },
    );
    // So many jobs list the library first.
    const ofAJob = () => home.plex.requests.find(({ kind }) => ['list', 'item', 'find'].includes(kind));
    await until('the first job is at Plex', () => ofAJob() !== undefined, patienceMs);
    rows.push({
      what: `start with ${jobs} jobs and ledger entries until the first job is at Plex`,
      measured: duration((ofAJob()?.at ?? 0) - started),
    });
    await home.plex.goDown();
    rows.push(await memoryRow(home, `memory, ${jobs} jobs wait, ledger of ${jobs}, after a restart`, false));
    worker.kill('SIGKILL');
    return rows;
  } finally {
    await home.close();
  }
}

async function waitFor(home: Household, jobs: number): Promise<void> {
  await until(
    `${jobs} jobs wait`,
    () => {
      const waiting = home.status()?.queue.waiting;
      progress(`${waiting} of ${jobs} jobs wait`);
      return waiting === jobs;
    },
    patienceMs,
  );
}

/** `limited`: false for what is only worth knowing. */
async function memoryRow(home: Household, what: string, limited: boolean): Promise<Row> {
  let highest = 0;
  for (const end = Date.now() + lookAtMemoryMs; Date.now() < end; await sleep(100)) {
    highest = Math.max(highest, memoryOf(home.worker(), 'VmRSS'));
  }
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  return {
    what,
    measured: megabytes(highest),
    ...(limited && {
      limit: megabytes(memoryLimitBytes),
      ok: highest > 0 && highest < memoryLimitBytes,
      otherwise: 'TOO MUCH',
    }),
    note: `at most ${megabytes(memoryOf(home.worker(), 'VmHWM'))} since its start`,
  };
}

function memoryOf(pid: number | null, field: 'VmRSS' | 'VmHWM'): number {
  if (pid === null) throw new Error('No worker runs');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024;
}

async function killWorkers(home: Household): Promise<void> {
  home.killWorkers();
  await until('the worker is gone', () => home.workers().length === 0);
}

// --- what the two servers and the ledger hold ---

/** As the first hook of a bulk edit leaves it: it names all scenes. */
function leaveBulkEdit(home: Household, scenes: readonly number[]): void {
  const input = { ids: scenes.map(String), organized: true };
  leaveInInbox(
    home.state.inbox,
    JSON.stringify(home.stash.hookInput('Scene.Update.Post', scenes[0] ?? 0, input)),
  );
}

/** A ledger that knows where each scene is, but not that Plex shows what it should. */
export function writeLedger(
  home: Household,
  itemOf: (scene: number) => number,
  scenes: readonly number[],
): void {
  const folder = join(home.state.targets, targetName);
  mkdirSync(folder, { recursive: true, mode: privateFolder });
  for (const name of readdirSync(folder)) if (name.startsWith('ledger.')) rmSync(join(folder, name));
  const hash = 'AbCdEfGhIj';
  const fields = [...textFields, ...tagFields].map(({ name }) => name);
  const entries = scenes.map((scene): [string, LedgerEntry] => [
    String(scene),
    {
      ratingKey: String(itemOf(scene)),
      file: hash,
      wrote: Object.fromEntries(fields.map((name) => [name, hash])),
      names: { actor: new Array<string>(3).fill(hash), genre: new Array<string>(6).fill(hash) },
      at: Date.now(),
      studio: String(scene % 50),
      performers: [1, 2, 3].map((n) => String((scene + n) % 500)),
      tags: [1, 2, 3, 4, 5, 6].map((n) => String((scene + n) % 200)),
      groups: [],
    },
  ]);
  writeFileSync(join(folder, 'ledger.json'), snapshotText('ledger', [1, scenes.length], entries));
}
