import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const inside = join('test', 'fixtures', 'stash');
const here = fileURLToPath(new URL('.', import.meta.url));

/** What a real Stash sent and answered. Found from this file, or from the working folder when bundled. */
export function fixture(name: string): string {
  for (const start of [here, process.cwd()]) {
    for (let dir = start; ; dir = dirname(dir)) {
      const path = join(dir, inside, name);
      if (existsSync(path)) return path;
      if (dir === dirname(dir)) break;
    }
  }
  throw new Error(`There is no ${join(inside, name)} above ${here} or ${process.cwd()}`);
}
