/**
 * The hook in TypeScript: what the launcher does in shell, for the first run, for Windows, and for plugin folders in
 * which no pointer can be left. Stash waits until it is over: it writes one file, wakes the worker, and ends.
 *
 * It also runs on a Node that is too old for the rest: the event is recorded, and stderr says what to install.
 * Imports node: modules and the inbox only; no network, no lock.
 */
import { join } from 'node:path';
import { chooseStateDir, statePaths } from '../persist/paths';
import { parseInboxMessage } from '../queue/hook-input';
import { leaveInInbox } from '../queue/inbox';
import { startDetached, wake } from '../queue/wake';
import { describeFileError } from '../shared/errors';
import { unseenNotice } from './notice';
import { leavePointer } from './pointer';

export interface HookResult {
  output?: string;
  error?: string;
  /** For Stash's log, a line each. */
  warnings?: string[];
}

export function runHook(text: string, distDir: string, nodeProblem: string | null): HookResult {
  let stateDir: string;
  let pluginDir: string;
  try {
    const { connection } = parseInboxMessage(text);
    pluginDir = connection.pluginDir;
    stateDir = chooseStateDir(connection, process.env);
  } catch (error) {
    return { error: `Sluice could not use this event: ${(error as Error).message}.` };
  }
  const { inbox } = statePaths(stateDir);
  let event: string;
  try {
    event = leaveInInbox(inbox, text);
  } catch (error) {
    return {
      error:
        `Sluice could not record this edit in ${inbox}: ${describeFileError(error)}. ` +
        'Make room or make the folder writable for Stash, then save again.',
    };
  }
  const warnings = unseenNotice(stateDir);
  if (nodeProblem) {
    warnings.push(`Your edit is recorded, but not sent to Plex: ${nodeProblem}`);
  } else {
    try {
      leavePointer(distDir, stateDir);
      wake(stateDir, event, startDetached(join(distDir, 'worker.js'), stateDir, pluginDir));
    } catch (error) {
      warnings.push(`Your edit is recorded, but no worker could be started: ${describeFileError(error)}.`);
    }
  }
  return { output: 'queued', warnings };
}
