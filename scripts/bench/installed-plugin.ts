/**
 * The plugin as it is installed in a Stash and has run before: the bundles of dist/, a state folder, and the pointer
 * to it that the launcher reads. No Stash is needed: benchmarks run the hook as Stash would.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { privateFile, privateFolder, type StatePaths, statePaths } from '../../src/persist/paths';
import { leavePointer, pointerName } from '../../src/persist/pointer';
import { isRunning, ownName } from '../../src/shared/process';
import { sleep } from './measure';

interface HookInput {
  server_connection: Record<string, unknown>;
  args: { hookContext: { input: Record<string, unknown> } };
}

const farAheadMs = 24 * 3_600_000;
const patienceMs = 20_000;
const settleMs = 30;
/** Nobody listens there: the worker that is started has no Stash to ask. */
const closedPort = 1;

export class InstalledPlugin {
  readonly state: StatePaths;
  readonly #root: string;
  readonly #configDir: string;
  readonly #pluginDir: string;
  readonly #dist: string;

  constructor() {
    this.#root = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
    this.#configDir = join(this.#root, 'config');
    this.#pluginDir = join(this.#configDir, 'plugins', 'sluice');
    this.#dist = join(this.#pluginDir, 'dist');
    this.state = statePaths(join(this.#configDir, 'sluice-data'));
    mkdirSync(this.#pluginDir, { recursive: true });
    copyFileSync('plugin.yml', join(this.#pluginDir, 'sluice.yml'));
    cpSync('dist', this.#dist, { recursive: true, filter: (path) => basename(path) !== pointerName });
    this.#newState();
    leavePointer(this.#dist, this.state.root);
  }

  get launcher(): string {
    return join(this.#dist, 'sluice.sh');
  }

  get hook(): string {
    return join(this.#dist, 'sluice.js');
  }

  /** What Stash sends when a person saves a scene, filled up to about this many bytes. */
  hookInput(bytes: number): string {
    const recorded = readFileSync(join('test', 'fixtures', 'stash', 'hook-scene-update.json'), 'utf8');
    const input = JSON.parse(recorded) as HookInput;
    const place = { Port: closedPort, Dir: this.#configDir, PluginDir: this.#pluginDir };
    Object.assign(input.server_connection, place);
    const picture = 'A'.repeat(Math.max(0, bytes - JSON.stringify(input).length));
    Object.assign(input.args.hookContext.input, { cover_image: `data:image/jpeg;base64,${picture}` });
    return JSON.stringify(input);
  }

  /** Runs a command as Stash runs a hook: over when its stdout has ended and it has exited. Returns milliseconds. */
  time([program = '', ...args]: readonly string[], input: string): number {
    const start = performance.now();
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      input,
      cwd: this.#configDir,
      // Not ours: NODE_EXTRA_CA_CERTS would slow Node's start threefold and flatter us.
      env: { PATH: process.env.PATH, HOME: this.#root },
    });
    const ms = performance.now() - start;
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error ?? `${stdout}${stderr}`}`);
    return ms;
  }

  /** A worker is alive, as far as a hook can tell: this very process. */
  pretendAlive(): void {
    const { pid, ticks } = ownName();
    writeFileSync(this.state.alive, `${pid} ${ticks}\n`, { mode: privateFile });
    const until = new Date(Date.now() + farAheadMs);
    utimesSync(this.state.alive, until, until);
  }

  /** Takes the only event out of the inbox. Throws when there is none, or more. */
  takeEvent(): void {
    const names = readdirSync(this.state.inbox);
    const [name] = names;
    if (name === undefined || names.length > 1 || !name.endsWith('.json'))
      throw new Error(`Not one event in the inbox: ${names.join(', ')}`);
    unlinkSync(join(this.state.inbox, name));
  }

  /** Leaves so many files in the inbox, as hooks would while no worker can start, and waits for the disk. */
  fillInbox(files: number): void {
    for (let n = 0; n < files; n++)
      closeSync(openSync(join(this.state.inbox, `h${n}-0.json`), 'wx', privateFile));
    const folder = openSync(this.state.inbox, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }

  /** Waits until the worker that a hook started is at work, ends it, and begins with a new state folder. */
  async endStartedWorker(): Promise<void> {
    const end = Date.now() + patienceMs;
    while (!existsSync(this.state.alive)) {
      if (Date.now() > end) throw new Error('The hook started no worker');
      await sleep(5);
    }
    const processes = () => processesWith(this.state.root);
    for (let left = processes(); left.length > 0; left = processes()) {
      for (const pid of left) kill(pid);
      await sleep(2);
    }
    rmSync(this.state.root, { recursive: true, force: true });
    this.#newState();
    // The system still takes the processes' memory apart, and the disk forgets their files.
    await sleep(settleMs);
  }

  remove(): void {
    for (const pid of processesWith(this.state.root)) kill(pid);
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  #newState(): void {
    mkdirSync(this.state.inbox, { recursive: true, mode: privateFolder });
  }
}

/** Living processes that have this argument: those of one state folder. */
function processesWith(argument: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument);
      } catch {
        return false;
      }
    })
    .map(Number)
    .filter((pid) => isRunning({ pid, ticks: '' }));
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
