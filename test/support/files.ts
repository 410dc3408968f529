import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Everything below a folder, as `path mode`, folders with a slash at their end. */
export function tree(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path.slice(dir.length + 1)}${entry.isDirectory() ? '/' : ''} ${modeOf(path)}`;
    })
    .sort();
}
