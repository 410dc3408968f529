/** A state folder whose lease this process holds, with the worker's real stores in it. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateFolder, type StatePaths, statePaths } from '../../src/persist/paths';
import { systemClock } from '../../src/shared/clock';
import { ownName } from '../../src/shared/process';
import { FileLog } from '../../src/worker/file-log';
import { openState, type State } from '../../src/worker/state';

export interface OwnState extends State {
  paths: StatePaths;
  log: FileLog;
  remove(): Promise<void>;
}

export const targetName = 'plex';

export async function openOwnState(): Promise<OwnState> {
  const paths = statePaths(mkdtempSync(join(tmpdir(), 'sluice-bench-')));
  mkdirSync(paths.inbox, { mode: privateFolder });
  const token = randomUUID();
  const who = { ...ownName(), host: hostname(), sluice: 'bench', since: new Date().toISOString() };
  writeFileSync(paths.lease, JSON.stringify({ version: 1, ...who, epoch: 1, token }));
  const log = new FileLog(paths.log, systemClock);
  const state = await openState(paths, { epoch: 1, token }, systemClock, log);
  const remove = async () => {
    await state.close();
    rmSync(paths.root, { recursive: true, force: true });
  };
  return { ...state, paths, log, remove };
}

/** Queues so many scenes, from id 1 on, as `sync_all` does. */
export async function queueScenes({ queue }: State, count: number): Promise<void> {
  const pageSize = 1_000;
  for (let scene = 1; scene <= count; scene++) {
    queue.add(targetName, scene, { bulk: true, asked: true });
    if (scene % pageSize === 0 || scene === count) await queue.flush();
  }
}
