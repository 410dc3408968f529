import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

export interface Shell {
  name: string;
  /** What stands before the script, as `sh` does in plugin.yml. */
  command: string[];
  installed: boolean;
}

/** Everything that may be `sh` on a machine that runs Stash: Debian, Alpine, Fedora or macOS, and a tinkerer's. */
export const shells: Shell[] = [
  ['dash'],
  ['busybox', 'sh'],
  ['bash', '--posix'],
  ['bash'],
  ['zsh', '--emulate', 'sh'],
].map(([program = '', ...options]) => {
  const command = [pathOf(program) ?? program, ...options];
  return { name: [program, ...options].join(' '), command, installed: runs([...command, '-c', ':']) };
});

/** The system's own, for what does not depend on the shell. */
export const anyShell: Shell = { name: 'sh', command: ['/bin/sh'], installed: true };

export function underEachShell(tests: (shell: Shell) => void): void {
  for (const shell of shells)
    describe.skipIf(!shell.installed)(`under ${shell.name}`, () => void tests(shell));
}

export function runs([program = '', ...args]: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** Where the system has a tool; null where it has none. */
export function pathOf(tool: string): string | null {
  const dirs = (process.env.PATH ?? '').split(delimiter);
  return dirs.map((dir) => join(dir, tool)).find((path) => existsSync(path)) ?? null;
}
