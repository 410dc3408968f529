/**
 * What becomes of each thing that the inbox tells: jobs and fan-outs in the queue, commands carried out. A deleted scene
 * needs no job: nothing is to be sent, and what waits for it need not wait until Plex is well.
 */
import { existsSync, realpathSync } from 'node:fs';
import { chooseStateDir, type StatePaths, statePaths } from '../persist/paths';
import type { Receiver } from '../queue/fold';
import { leaveInInbox } from '../queue/inbox';
import { BadInput, type Command, type StashEvent } from '../queue/inbox-message';
import type { Queue } from '../queue/queue';
import { describeFileError } from '../shared/errors';
import type { Log } from '../shared/log';
import type { StashConnection } from '../stash/connection';
import type { Commands } from './commands';
import { concernsPlex } from './fan-out-scope';
import type { StashLink } from './stash-link';

export interface ReceptionParts {
  paths: StatePaths;
  env: NodeJS.ProcessEnv;
  log: Log;
  queue: Queue;
  /** What scenes are queued for. */
  targets: { readonly names: readonly string[] };
  stash: Pick<StashLink, 'learn'>;
  commands: Pick<Commands, 'carryOut'>;
  /** A scene is gone from Stash: so is what is known of it. Plex is left alone. */
  forget(scene: number): void;
  flush(): Promise<void>;
  /** An event of another Stash was passed on to its inbox: wake its worker. */
  wakeOther(stateDir: string, event: string, connection: StashConnection): void;
}

export class Reception implements Receiver {
  constructor(private readonly parts: ReceptionParts) {}

  connection(connection: StashConnection, at: number): void {
    this.parts.stash.learn(connection, at);
  }

  event({ object, action, ids, bulk, fields, merged }: StashEvent): void {
    const { queue, targets, forget } = this.parts;
    if (object === 'Scene') {
      for (const id of ids) {
        if (action === 'Destroy') {
          queue.forget(id);
          forget(id);
        } else for (const target of targets.names) queue.add(target, id, { bulk, asked: false });
      }
      return;
    }
    if (action === 'Create' || (action === 'Update' && !concernsPlex(object, fields))) return;
    for (const id of ids) queue.addFanOut({ object, id, action });
    // Stash says that their scenes have the other now; if that goes too, only the ledger knows.
    for (const id of merged) queue.addFanOut({ object, id, action: 'Destroy' });
  }

  command(command: Command): Promise<void> {
    return this.parts.commands.carryOut(command);
  }

  flush(): Promise<void> {
    return this.parts.flush();
  }

  /** A copied plugin folder points to the state folder of the Stash that it was copied from. */
  passOn(connection: StashConnection, text: string): boolean {
    const { paths, env, log, wakeOther } = this.parts;
    const other = chooseStateDir(connection, env);
    if (samePlace(other, paths.root)) return false;
    if (!existsSync(statePaths(other).inbox)) {
      throw new BadInput(`it is for the Stash in ${connection.dir}, where Sluice cannot write`);
    }
    try {
      const event = leaveInInbox(statePaths(other).inbox, text);
      log.info(
        `Passed an event on to ${other}: it is from the Stash there, whose plugin folder was copied from here.`,
      );
      wakeOther(other, event, connection);
      return true;
    } catch (error) {
      throw new BadInput(`it is for the Stash in ${connection.dir}, but ${describeFileError(error)}`);
    }
  }
}

function samePlace(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
