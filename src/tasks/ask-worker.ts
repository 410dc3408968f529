/** Leaves a command for the worker, wakes it, and waits for what it answers. */

import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StatePaths } from '../persist/paths';
import { leaveInInbox } from '../queue/inbox';
import { startDetached, wake } from '../queue/wake';
import { type Answer, parseAnswer } from '../shared/answer';
import type { Clock } from '../shared/clock';
import type { Log } from '../shared/log';

export interface TaskContext {
  paths: StatePaths;
  pluginDir: string;
  distDir: string;
  /** As Stash sent it: the worker learns from it how to reach Stash. */
  serverConnection: unknown;
  clock: Clock;
  log: Log & { progress(fraction: number): void };
}

const lookEveryMs = 100;
const wakeEveryMs = 2_000;
/** The worker starts within a second; taking over from one that hangs takes it 20 s. */
const patienceMs = 40_000;

/** The worker's last word. Throws what it says went wrong. */
export async function askWorker(
  context: TaskContext,
  command: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { paths, clock, log } = context;
  const id = randomUUID();
  const wakeAgain = leaveCommand(context, { command, id, args });
  const path = join(paths.answers, `${id}.json`);
  let last = '';
  let progress: number | undefined;
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookEveryMs) {
    const answer = readAnswer(path);
    if (answer && (answer.message !== last || answer.progress !== progress)) {
      ({ message: last, progress } = answer);
      waitedMs = 0;
      if (progress !== undefined) log.progress(progress);
    }
    if (answer?.done) {
      rmSync(path, { force: true });
      if (answer.failed) throw new Error(answer.message);
      return answer.message;
    }
    await clock.sleep(lookEveryMs);
    // It may have been killed while it started; a hook would leave that to the next hook, but we are here.
    if (waitedMs % wakeEveryMs === 0) wakeAgain();
  }
  if (last !== '') return `${last} The worker goes on in the background.`;
  throw new Error(
    `The background worker did not answer within ${patienceMs / 1_000} s. What you asked for is recorded and will ` +
      `be done when it runs. Its log is ${paths.log}.`,
  );
}

/** Returns a way to wake the worker once more, in case that it is not alive and the command is still there. */
export function leaveCommand(
  context: TaskContext,
  sluice: { command: string; id: string; args?: object },
): () => void {
  const { paths, pluginDir, distDir, serverConnection } = context;
  const text = JSON.stringify({ sluice, server_connection: serverConnection });
  const event = leaveInInbox(paths.inbox, text);
  const start = startDetached({ distDir, stateDir: paths.root, pluginDir });
  const wakeIt = () => void wake(paths.root, event, start);
  wakeIt();
  return wakeIt;
}

function readAnswer(path: string): Answer | null {
  try {
    return parseAnswer(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
