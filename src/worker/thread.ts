/** The thread's entry: runs the worker and tells the host why it ended. */

import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { statePaths } from '../persist/paths';
import { leavePointer } from '../persist/pointer';
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
        const { pluginDir: theirs } = connection;
        const distDir = join(theirs, 'dist');
        leavePointer(distDir, other);
        wake(other, event, startDetached({ distDir, stateDir: other, pluginDir: theirs }));
      },
    },
    stop.signal,
  );
  parentPort?.postMessage(reason);
  parentPort?.close();
}

void main();
