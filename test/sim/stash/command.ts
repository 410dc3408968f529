import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type Operation, type Plugin, pluginDir } from './manifest';

export interface Command {
  /** What is run: a path, relative to the working folder if Stash's own paths are. */
  file: string;
  /** As Stash passes them on; the first is the name as it was given, or the path in the plugin's folder. */
  argv: string[];
}

/** The program is looked for in PATH, and otherwise in the plugin's folder; `{pluginDir}` is replaced in arguments only. */
export function commandOf(
  plugin: Plugin,
  operation: Operation | null,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Command {
  const [program, ...args] = [...plugin.exec, ...(operation?.execArgs ?? [])];
  if (program === undefined) throw new Error('empty exec value');
  const found = lookUp(program, env, cwd);
  const name = found ? program : join(pluginDir(plugin), program);
  return {
    file: name.includes('/') ? name : (found ?? name),
    argv: [name, ...args.map((arg) => arg.replaceAll('{pluginDir}', pluginDir(plugin)))],
  };
}

function lookUp(program: string, env: NodeJS.ProcessEnv, cwd: string): string | null {
  const folders = program.includes('/') ? [''] : (env.PATH ?? '').split(delimiter);
  for (const folder of folders) {
    const path = resolve(cwd, folder, program);
    if (isExecutable(path)) return path;
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Why the system would not run the file, or null. Node runs a script without `#!` by a shell; Stash, that is Go,
 * gets an error.
 */
export function startProblem(command: Command, cwd: string): string | null {
  const failed = (why: string) => `fork/exec ${command.file}: ${why}`;
  const file = resolve(cwd, command.file);
  if (!statSync(file, { throwIfNoEntry: false })) return failed('no such file or directory');
  if (!isExecutable(file)) return failed('permission denied');
  return isProgram(file) ? null : failed('exec format error');
}

function isProgram(file: string): boolean {
  if (process.platform !== 'linux') return true;
  const start = Buffer.alloc(4);
  const fd = openSync(file, 'r');
  try {
    readSync(fd, start);
  } finally {
    closeSync(fd);
  }
  return start.toString('latin1', 0, 2) === '#!' || start.toString('latin1') === '\x7fELF';
}
