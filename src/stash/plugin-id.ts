import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * The id under which Stash knows this plugin and keeps its settings: the manifest's file name without `.yml`,
 * whatever a person called it. Among several manifests ours is the one that starts `sluice.sh`.
 */
export function pluginId(pluginDir: string): string {
  const manifests = filesIn(pluginDir).filter((name) => name.endsWith('.yml') && name !== '.yml');
  const ours =
    manifests.length > 1 ? manifests.filter((name) => mentionsUs(join(pluginDir, name))) : manifests;
  const [first] = ours.sort();
  return first === undefined ? basename(pluginDir) : basename(first, '.yml');
}

function filesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function mentionsUs(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes('sluice.sh');
  } catch {
    return false;
  }
}
