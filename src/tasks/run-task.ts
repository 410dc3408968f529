/**
 * What Stash's Tasks page, `runPluginOperation` and the command line can ask for, by `{"mode": ...}`.
 *
 * Tasks write no state: they leave a command in the inbox, wake the worker, wait for its answer and show its progress.
 * Cancelling a task ends only the showing.
 */

import { chooseStateDir, statePaths } from '../persist/paths';
import { leavePointer } from '../persist/pointer';
import { BadInput, connectionOf, parseStashInput } from '../queue/inbox-message';
import { systemClock } from '../shared/clock';
import { describeFileError, messageOf } from '../shared/errors';
import { redact, registerCookie } from '../shared/secrets';
import { stashLog } from '../stash/log-protocol';
import { askWorker, type TaskContext } from './ask-worker';
import { followQueue } from './follow-queue';
import { reportMetrics } from './metrics';
import { reportOutages } from './outages';
import { currentStatus, statusInWords } from './status';

export interface TaskResult {
  output?: unknown;
  error?: string;
}

type Task = (context: TaskContext, args: Record<string, unknown>) => Promise<unknown>;

/** A task that the worker carries out; what it answers is also said in Stash's log. */
const ask =
  (command: string): Task =>
  async (context, args) => {
    const message = await askWorker(context, command, args);
    for (const line of message.split('\n')) context.log.info(line);
    return message;
  };

const tasks: Record<string, Task> = {
  process: followQueue,
  sync_all: ask('sync_all'),
  sync_recent: ask('sync_recent'),
  pause: ask('pause'),
  resume: ask('resume'),
  clear_queue: ask('clear_queue'),
  health: ask('health'),
  reset_breaker: ask('reset_breaker'),
  reconcile: ask('reconcile'),
  explain: ask('explain'),
  dry_run: ask('dry_run'),
  dead_letters: ask('dead_letters'),
  retry_dead_letters: ask('retry_dead_letters'),
  discard_dead_letters: ask('discard_dead_letters'),
  status: async (context) => {
    const status = await currentStatus(context);
    for (const line of statusInWords(status, context)) context.log.info(line);
    return status;
  },
  outages: reportOutages,
  metrics: reportMetrics,
};

export async function runTask(text: string, distDir: string): Promise<TaskResult> {
  const log = stashLog();
  try {
    const input = parseStashInput(text);
    const connection = connectionOf(input);
    registerCookie(connection.cookie?.value);
    const args = typeof input.args === 'object' && input.args !== null ? { ...input.args } : {};
    const mode = String((args as Record<string, unknown>).mode ?? '');
    const task = Object.hasOwn(tasks, mode) ? tasks[mode] : undefined;
    if (!task) {
      throw new BadInput(
        `"mode" is ${JSON.stringify(mode)}, but must be one of ${Object.keys(tasks).join(', ')}`,
      );
    }
    const stateDir = chooseStateDir(connection, process.env);
    leavePointer(distDir, stateDir);
    const context: TaskContext = {
      paths: statePaths(stateDir),
      pluginDir: connection.pluginDir,
      distDir,
      serverConnection: input.server_connection,
      clock: systemClock,
      log,
    };
    return { output: await task(context, args) };
  } catch (error) {
    const message = redact(error instanceof BadInput ? messageOf(error) : describeFileError(error));
    log.error(message);
    return { error: message };
  }
}
