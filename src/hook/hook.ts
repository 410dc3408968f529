import { chooseStateDir, statePaths } from '../persist/paths';
import { leavePointer } from '../persist/pointer';
import { leaveInInbox } from '../queue/inbox';
import { parseInboxMessage } from '../queue/inbox-message';
import { startDetached, wake } from '../queue/wake';
import { describeFileError, messageOf } from '../shared/errors';
import { unseenNotice } from './notice';

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
    return { error: `Sluice could not use this event: ${messageOf(error)}.` };
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
      wake(stateDir, event, startDetached({ distDir, stateDir, pluginDir }));
    } catch (error) {
      warnings.push(`Your edit is recorded, but no worker could be started: ${describeFileError(error)}.`);
    }
  }
  return { output: 'queued', warnings };
}
