/**
 * A plugin's folder in a temporary place: plugin.yml and the built bundles, beside the configuration folder of a Stash.
 * The worker in it is a stub that only writes down how it was started, so that nothing real runs.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { statePaths } from '../../src/persist/paths';
import { pointerName } from '../../src/persist/pointer';
import type { ProcessName } from '../../src/shared/process';
import { fixture } from '../sim/stash/fixtures';
import { type Launched, launch } from './launch';
import { anyShell, pathOf, type Shell } from './shells';
import { tempDir } from './temp-dir';

export const repository = join(__dirname, '../..');
const bundles = ['sluice.sh', 'sluice.js', 'tasks.js'];

const waiting = { timeout: 20_000, interval: 10 };

/** The cookie in all fixtures. */
export const cookieValue = 'the-session-cookie';

/** A start of the stub worker, in its own words. */
export interface Start {
  pid: number;
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** What its file descriptors are. */
  files: string[];
  session: number;
}

export interface HookInput {
  server_connection?: Record<string, unknown>;
  args?: { hookContext?: Record<string, unknown> };
}

interface Answer {
  output?: unknown;
  error?: string;
}

export interface HookRun extends Launched {
  answer: Answer;
  /** What Stash would log, as warnings. */
  warnings: string[];
}

export interface HookOptions {
  shell?: Shell;
  input?: string | Buffer;
  env?: Record<string, string>;
  cwd?: string;
  /** A command to run the launcher with. */
  prefix?: string[];
  args?: string[];
  /** How Stash names the launcher, if not by its absolute path. */
  script?: string;
}

export class PluginFolder {
  readonly pluginDir: string;
  readonly dist: string;
  readonly configDir: string;
  readonly stateDir: string;
  readonly inbox: string;
  /** What this Stash has in its environment. */
  readonly env: Record<string, string>;
  readonly #notes: string;

  /** `odd`: what every folder's name begins and ends with. */
  constructor({ odd = '' } = {}) {
    const root = tempDir();
    // A child without root's privileges has to get in.
    chmodSync(root, 0o755);
    this.configDir = join(root, `${odd}config${odd}`);
    this.pluginDir = join(this.configDir, 'plugins', `${odd}sluice${odd}`);
    this.dist = join(this.pluginDir, 'dist');
    this.stateDir = join(this.configDir, 'sluice-data');
    this.inbox = join(this.stateDir, 'inbox');
    this.#notes = join(root, 'notes');
    for (const dir of [this.dist, this.#notes]) mkdirSync(dir, { recursive: true });
    chmodSync(this.#notes, 0o777);
    copyFileSync(join(repository, 'plugin.yml'), join(this.pluginDir, 'plugin.yml'));
    for (const name of bundles) copyFileSync(join(repository, 'dist', name), join(this.dist, name));
    writeFileSync(join(this.dist, 'worker.js'), stubWorker(this.#notes));
    this.env = { PATH: process.env.PATH ?? '', HOME: root };
    onTestFinished(() => this.#endWorkers());
  }

  /** As after the first run: there is a state folder, and the launcher knows it and a Node. */
  static inUse(options: { odd?: string; node?: string } = {}): PluginFolder {
    const folder = new PluginFolder(options);
    mkdirSync(folder.inbox, { recursive: true, mode: 0o700 });
    folder.pointTo(folder.stateDir, options.node ?? process.execPath);
    return folder;
  }

  get pointer(): string {
    return join(this.dist, pointerName);
  }

  pointTo(stateDir: string, node: string): void {
    writeFileSync(this.pointer, `${stateDir}\n${node}\n`);
  }

  /** What Stash sends, with the folders of this one. */
  input(name = 'hook-scene-update.json', change: (input: HookInput) => void = () => {}): string {
    const input: HookInput = JSON.parse(readFileSync(fixture(name), 'utf8'));
    input.server_connection = {
      ...input.server_connection,
      Dir: this.configDir,
      PluginDir: this.pluginDir,
    };
    change(input);
    return JSON.stringify(input, null, 2);
  }

  /** Runs the launcher as Stash does, for a hook unless `args` says otherwise. */
  async run(options: HookOptions = {}): Promise<HookRun> {
    const { shell = anyShell, input = this.input(), env, cwd = this.configDir } = options;
    const script = options.script ?? join(this.dist, 'sluice.sh');
    const command = [...(options.prefix ?? []), ...shell.command, script, ...(options.args ?? ['hook'])];
    return read(await launch(command, input, { env: { ...this.env, ...env }, cwd }));
  }

  /** Runs the hook in TypeScript, as the launcher does where it cannot do the work itself. */
  async runTypeScript({ input = this.input(), env, cwd = this.configDir, prefix = [] }: HookOptions = {}) {
    const command = [...prefix, process.execPath, join(this.dist, 'sluice.js'), 'hook'];
    return read(await launch(command, input, { env: { ...this.env, ...env }, cwd }));
  }

  events(): string[] {
    return existsSync(this.inbox) ? readdirSync(this.inbox).sort() : [];
  }

  /** Its only event. */
  event(): string {
    const [name, ...others] = this.events();
    if (name === undefined || others.length > 0)
      throw new Error(`Not one event: ${this.events().join(', ')}`);
    return join(this.inbox, name);
  }

  claims(): string[] {
    return namesIn(this.stateDir).filter((name) => name.startsWith('starting-'));
  }

  /** Others have claimed the start, in this slot and in the one that may begin during the test. Returns their claims. */
  claimAs(content: string, times = 1): string[] {
    const slot = Math.floor(Date.now() / 20_000);
    const numbers = Array.from({ length: times }, (_, n) => n);
    const names = [slot, slot + 1].flatMap((one) => numbers.map((n) => `starting-${one}-${n}`)).sort();
    for (const name of names) writeFileSync(join(this.stateDir, name), content, { mode: 0o600 });
    return names;
  }

  /** A worker says that it lives, for another `forMs`. */
  setAlive(content: string | ProcessName, forMs = 10_000): void {
    const { alive } = statePaths(this.stateDir);
    writeFileSync(alive, typeof content === 'string' ? content : `${content.pid} ${content.ticks}\n`);
    const until = new Date(Date.now() + forMs);
    utimesSync(alive, until, until);
  }

  starts(): Start[] {
    return namesIn(this.#notes)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(this.#notes, name), 'utf8')));
  }

  /** Waits until that many stub workers have started. More than that may come later: count the claims. */
  async started(count = 1): Promise<Start[]> {
    return vi.waitFor(() => {
      const starts = this.starts();
      if (starts.length < count) throw new Error(`${starts.length} of ${count} workers started`);
      return starts;
    }, waiting);
  }

  /** A program to point to as Node, which only writes down what it was asked for: cheaper than the real one. */
  recordingNode(): string {
    const note = `'${this.#notes}'/$$`;
    return writeScript(
      this.beside('recording-node'),
      `for argument; do printf '%s\\n' "$argument"; done >${note}.part && mv ${note}.part ${note}.run`,
    );
  }

  /** What the recording Node was asked for, once it was. */
  async nodeRun(): Promise<string[]> {
    return vi.waitFor(() => {
      const [run, ...others] = namesIn(this.#notes).filter((name) => name.endsWith('.run'));
      if (run === undefined || others.length > 0) throw new Error(`${others.length} runs too many, or none`);
      return readFileSync(join(this.#notes, run), 'utf8').trimEnd().split('\n');
    }, waiting);
  }

  /** From now on the stub worker stays until the test is over. */
  letWorkersStay(): void {
    writeFileSync(join(this.#notes, 'stay'), '');
  }

  /** A folder that is the whole PATH: the system's tools of these names, and scripts of our own. */
  tools(names: string[], scripts: Record<string, string> = {}): string {
    const dir = join(this.configDir, '..', 'tools');
    mkdirSync(dir, { recursive: true });
    const all = {
      ...Object.fromEntries(names.map((name) => [name, `exec ${pathOf(name)} "$@"`])),
      ...scripts,
    };
    for (const [name, script] of Object.entries(all)) writeScript(join(dir, name), script);
    return dir;
  }

  /** Nobody may write there until the test is over; root still can. */
  makeReadOnly(...dirs: string[]): void {
    for (const dir of dirs) chmodSync(dir, 0o555);
    onTestFinished(() => {
      for (const dir of dirs) chmodSync(dir, 0o755);
    });
  }

  /** A path for anything else that the test needs. */
  beside(name: string): string {
    return join(this.configDir, '..', name);
  }

  #endWorkers(): void {
    for (const { pid } of this.starts()) {
      try {
        if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.dist)) process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
  }
}

function read(launched: Launched): HookRun {
  const lines = launched.stderr.split('\n').filter((line) => line !== '');
  return {
    ...launched,
    answer: parsed(launched.stdout),
    warnings: lines.filter((line) => line.startsWith('\x01w\x02')).map((line) => line.slice(3)),
  };
}

function parsed(stdout: string): Answer {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`The answer is not JSON: ${JSON.stringify(stdout)}`);
  }
}

const namesIn = (dir: string): string[] => (existsSync(dir) ? readdirSync(dir).sort() : []);

/** The stub worker, for real Nodes. */
const stubWorker = (notes: string): string => `
const fs = require('node:fs');
const notes = ${JSON.stringify(notes)};
const files = fs.readdirSync('/proc/self/fd').sort((a, b) => a - b).map((fd) => {
  try { return fs.readlinkSync('/proc/self/fd/' + fd); } catch { return ''; }
});
const stat = fs.readFileSync('/proc/self/stat', 'utf8').replace(/^.*\\) /s, '').split(' ');
const { pid, argv, env } = process;
const start = { pid, argv: argv.slice(1), cwd: process.cwd(), env, files, session: Number(stat[3]) };
fs.writeFileSync(notes + '/' + pid + '.part', JSON.stringify(start));
fs.renameSync(notes + '/' + pid + '.part', notes + '/' + pid + '.json');
if (fs.existsSync(notes + '/stay')) setTimeout(() => {}, 60_000);
`;

export function writeScript(path: string, script: string): string {
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}
