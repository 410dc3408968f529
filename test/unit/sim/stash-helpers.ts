import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { StashSim, type StashSimOptions } from '../../sim/stash/stash-sim';
import { tempDir } from '../../support/temp-dir';

/** A simulator with a folder of its own; both are gone after the test. */
export async function startStash(options: Partial<StashSimOptions> = {}): Promise<StashSim> {
  const stash = await StashSim.start({ dir: tempDir('stash'), ...options });
  onTestFinished(() => stash.stop());
  return stash;
}

export interface TestPlugin {
  /** The body of a shell script; its stdin is the plugin's input. */
  script: string;
  hooks?: string[];
  /** Further lines of the manifest. */
  manifest?: string;
}

/** Puts a plugin into Stash's folder: `<dir>/plugins/<id>/<id>.yml` and a script that `sh` runs. */
export function writePlugin(
  dir: string,
  id: string,
  { script, hooks = [], manifest = '' }: TestPlugin,
): string {
  const folder = join(dir, 'plugins', id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plugin.sh'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'plugin.sh'), 0o755);
  const triggers = hooks.map((hook) => `      - ${hook}\n`).join('');
  writeFileSync(
    join(folder, `${id}.yml`),
    `name: Plugin ${id}\nversion: 0.1.0\ninterface: raw\nexec:\n  - sh\n  - "{pluginDir}/plugin.sh"\n${manifest}` +
      (triggers ? `hooks:\n  - name: hook\n    execArgs: [hook]\n    triggeredBy:\n${triggers}` : ''),
  );
  return folder;
}

/** A plugin that keeps every input it got, and the inputs so far, as text, in order. */
export function writeRecorder(dir: string, id: string, hooks: string[], manifest = ''): () => string[] {
  const calls = join(tempDir('calls'));
  const script = `n=$(ls ${calls} | wc -l)\ncat > ${calls}/$(printf %04d $n)\necho '{"output":"ok"}'`;
  writePlugin(dir, id, { script, hooks, manifest });
  return () =>
    readdirSync(calls)
      .sort()
      .map((name) => readFileSync(join(calls, name), 'utf8'));
}

export const hookTypes = {
  scene: ['Scene.Create.Post', 'Scene.Update.Post', 'Scene.Destroy.Post'],
  others: ['Performer', 'Studio', 'Tag', 'Group', 'Movie']
    .flatMap((kind) => [`${kind}.Update.Post`, `${kind}.Destroy.Post`])
    .concat('Tag.Merge.Post'),
};
