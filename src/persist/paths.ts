/**
 * Where things are on disk. The state folder is `sluice-data` in Stash's configuration folder: it survives
 * updates of the plugin, Stash can write there, and Stash neither serves it nor looks for plugins in it.
 * Part of the hook's bundle: node: modules only.
 */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const privateFolder = 0o700;
export const privateFile = 0o600;

export interface StatePaths {
  root: string;
  inbox: string;
  rejected: string;
  answers: string;
  alive: string;
  lease: string;
  leaseLock: string;
  connection: string;
  status: string;
  metrics: string;
  outages: string;
  servers: string;
  notice: string;
  log: string;
  targets: string;
}

export function statePaths(root: string): StatePaths {
  const inbox = join(root, 'inbox');
  return {
    root,
    inbox,
    rejected: join(inbox, 'rejected'),
    answers: join(root, 'answers'),
    alive: join(root, 'alive'),
    lease: join(root, 'lease.json'),
    leaseLock: join(root, 'lease.lock'),
    connection: join(root, 'connection.json'),
    status: join(root, 'status.json'),
    metrics: join(root, 'metrics.prom'),
    outages: join(root, 'outages.json'),
    servers: join(root, 'servers.json'),
    notice: join(root, 'notice'),
    log: join(root, 'worker.log'),
    targets: join(root, 'targets'),
  };
}

/** Where hooks leave events while there is neither a pointer to the state folder nor Node. */
export const spareStateDir = (pluginDir: string): string => join(pluginDir, 'data');

function usable(dir: string): boolean {
  try {
    // The folder that it is to be made in must be there: whatever Stash says, nothing is made out of thin air.
    accessSync(dirname(dir));
    mkdirSync(join(dir, 'inbox'), { recursive: true, mode: privateFolder });
    accessSync(join(dir, 'inbox'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The state folder of the Stash that sent this connection, made if need be. When neither Stash's configuration
 * folder nor the plugin's folder can be written to, the first is returned all the same: writing there then fails
 * with the error that the person needs to see.
 */
export function chooseStateDir(place: { dir: string; pluginDir: string }, env: NodeJS.ProcessEnv): string {
  const preferred = env.SLUICE_STATE_DIR ? resolve(env.SLUICE_STATE_DIR) : join(place.dir, 'sluice-data');
  if (usable(preferred) || env.SLUICE_STATE_DIR) return preferred;
  const spare = spareStateDir(place.pluginDir);
  return usable(spare) ? spare : preferred;
}
