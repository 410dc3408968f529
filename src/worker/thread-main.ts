/** The thread's entry: runs the worker and tells the host why it ended. */

import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { leavePointer } from '../hook/pointer';
import { statePaths } from '../persist/paths';
import { startDetached, wake } from '../queue/wake';
import { systemClock } from '../shared/clock';
import { FileLog } from './file-log';
import { runWorker } from './worker';

export interface ThreadData {
  stateDir: string;
  pluginDir: string;
  epoch: number;
  token: string;
  idleMs: number;
  pollMs: number;
  debug: boolean;
}

async function main(): Promise<void> {
  const { stateDir, pluginDir, epoch, token, idleMs, pollMs, debug } = workerData as ThreadData;
  const paths = statePaths(stateDir);
  const stop = new AbortController();
  parentPort?.on('message', () => stop.abort());
  const reason = await runWorker(
    {
      paths,
      pluginDir,
      lease: { epoch, token },
      clock: systemClock,
      random: Math.random,
      log: new FileLog(paths.log, systemClock, debug),
      env: process.env,
      idleMs,
      pollMs,
      wakeOther: (other, event, connection) => {
        const dist = join(connection.pluginDir, 'dist');
        leavePointer(dist, other);
        wake(other, event, startDetached(join(dist, 'worker.js'), other, connection.pluginDir));
      },
    },
    stop.signal,
  );
  parentPort?.postMessage(reason);
  parentPort?.close();
}

void main();
