/**
 * The host: `worker.js <state folder> <plugin folder>`, started detached by a hook or a task.
 *
 * Its main thread does nothing but hold the lease, show that it lives, and supervise the thread that does the work.
 * When that thread has had nothing to do for a while, the order matters: `alive` goes, the lease goes, and then the
 * inbox is looked at once more. Whoever wrote an event before that look is seen; whoever wrote it later found no
 * `alive` and starts a worker of their own.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker as Thread } from 'node:worker_threads';
import { privateFolder, spareStateDir, statePaths } from '../persist/paths';
import { inboxNames, leaveInInbox } from '../queue/inbox';
import { startDetached } from '../queue/wake';
import { systemClock } from '../shared/clock';
import { crashPoint } from '../shared/crash-points';
import { describeFileError, isFileError, messageOf, stackOf } from '../shared/errors';
import { version } from '../shared/version';
import { FileLog } from './file-log';
import { Lease, leaseTimes } from './lease';
import type { ThreadData } from './thread';
import type { EndReason } from './worker';

type HostEnd = EndReason | 'replaced';

const defaultIdleSeconds = 300;
/** How often the settings and the plugin's own files are looked at. */
const defaultPollSeconds = 15;
/** Short-lived objects need little room; by default Node keeps some tens of megabytes for them. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };
const restartThreadMs = 5_000;
const leaseAgainMs = 5_000;
/** Ten minutes; the next hook starts another. */
const mostLeaseTries = 120;
const abandonedAfterMs = 60_000;

async function host(stateDir: string, pluginDir: string): Promise<void> {
  const paths = statePaths(stateDir);
  // Whatever is made from here on is private, also the lock's folder, for which the library takes no mode.
  process.umask(0o077);
  mkdirSync(paths.inbox, { recursive: true, mode: privateFolder });
  const debug = !['', '0'].includes(process.env.SLUICE_DEBUG ?? '');
  const log = new FileLog(paths.log, systemClock, debug);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

  log.debug(`Process ${process.pid} was started.`);
  for (;;) {
    const lease = await takeLease();
    if (!lease) {
      log.debug(`Process ${process.pid} leaves: another worker is at work.`);
      return;
    }
    log.info(`Sluice ${version} at work (process ${process.pid}).`);
    const beat = setInterval(() => lease.beat(), leaseTimes.beatMs);
    tidyUp();
    const end = await supervise(lease, stop.signal);
    clearInterval(beat);
    crashPoint('host.ended');
    if (end !== 'lease lost') await lease.release();
    log.info(`Sluice ended: ${end}.`);
    if (end === 'replaced')
      startDetached({ distDir: __dirname, stateDir, pluginDir })(join(paths.root, 'starting-replaced'));
    const isOver = end !== 'idle' || inboxNames(paths.inbox).length === 0;
    crashPoint('host.looked');
    if (isOver) return;
    log.info('Something came in at the last moment; going on.');
  }

  async function supervise(lease: Lease, stopped: AbortSignal): Promise<HostEnd> {
    const watch = watchBundle();
    try {
      for (;;) {
        const end = await runThread(lease, AbortSignal.any([stopped, lease.lost, watch.replaced]));
        if (lease.lost.aborted) return 'lease lost';
        if (watch.replaced.aborted) return watch.gone() ? 'not wanted' : 'replaced';
        if (end !== 'crashed') return end;
        await systemClock.sleep(restartThreadMs, stopped);
        if (stopped.aborted) return 'stopped';
      }
    } finally {
      watch.stop();
    }
  }

  function runThread(lease: Lease, stopThread: AbortSignal): Promise<EndReason | 'crashed'> {
    const { epoch, token } = lease;
    const idleMs = seconds('SLUICE_IDLE_SECONDS', defaultIdleSeconds);
    const workerData: ThreadData = { stateDir, pluginDir, epoch, token, idleMs, pollMs, debug };
    return new Promise((resolve) => {
      const thread = new Thread(join(__dirname, 'thread.js'), { workerData, resourceLimits });
      let reason: EndReason | 'crashed' = 'crashed';
      const onStop = () => thread.postMessage('stop');
      stopThread.addEventListener('abort', onStop);
      if (stopThread.aborted) onStop();
      thread.on('message', (end: EndReason) => {
        reason = end;
      });
      thread.on('error', (error) => log.error(`The worker failed: ${stackOf(error)}`));
      thread.on('exit', () => {
        stopThread.removeEventListener('abort', onStop);
        resolve(reason);
      });
    });
  }

  /** A full disk ends nothing: whoever is needed waits until there is room again. */
  async function takeLease(): Promise<Lease | null> {
    for (let tries = 1; ; tries++) {
      try {
        return await Lease.take(paths, systemClock, log, version);
      } catch (error) {
        if (!isFileError(error) || tries === mostLeaseTries || inboxNames(paths.inbox).length === 0)
          throw error;
        if (tries === 1) log.warn(`The worker cannot start: ${describeFileError(error)}. It tries again.`);
        await systemClock.sleep(leaseAgainMs, stop.signal);
      }
    }
  }

  /** Takes over what hooks recorded without Node, and removes what killed writes left behind. */
  function tidyUp(): void {
    const spare = join(spareStateDir(pluginDir), 'inbox');
    for (const name of spare === paths.inbox ? [] : namesIn(spare)) {
      const path = join(spare, name);
      orWarn(() => {
        if (!name.endsWith('.json') && Date.now() - statSync(path).mtimeMs < abandonedAfterMs) return;
        // Not a rename: the plugin's folder may be on another disk.
        leaveInInbox(paths.inbox, readFileSync(path, 'utf8'));
        rmSync(path);
      });
    }
    const targets = namesIn(paths.targets).map((name) => join(paths.targets, name));
    for (const folder of [paths.root, paths.answers, ...targets]) {
      for (const name of namesIn(folder)) {
        if (/\.\d{4,}$/.test(name)) orWarn(() => rmSync(join(folder, name), { force: true }));
      }
    }
  }

  function orWarn(work: () => void): void {
    try {
      work();
    } catch (error) {
      log.warn(`A file that was left behind could not be moved: ${describeFileError(error)}.`);
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const seconds = (variable: string, fallback: number) => (Number(process.env[variable]) || fallback) * 1_000;
const pollMs = seconds('SLUICE_POLL_SECONDS', defaultPollSeconds);
const bundle = () => join(__dirname, 'worker.js');

/** Notices that another version was unpacked over this one, or that the plugin was removed. */
function watchBundle(): { replaced: AbortSignal; gone(): boolean; stop(): void } {
  const stamp = () => {
    try {
      const { mtimeMs, size } = statSync(bundle());
      return `${mtimeMs} ${size}`;
    } catch {
      return 'gone';
    }
  };
  const first = stamp();
  const replaced = new AbortController();
  let before = first;
  const timer = setInterval(() => {
    const now = stamp();
    // An update is not atomic: wait until it looks the same twice.
    if (now !== first && now === before) replaced.abort();
    before = now;
  }, pollMs);
  return { replaced: replaced.signal, gone: () => stamp() === 'gone', stop: () => clearInterval(timer) };
}

const [, , stateDir, pluginDir] = process.argv;
if (!stateDir || !pluginDir) {
  process.exitCode = 1;
} else {
  host(stateDir, pluginDir).then(
    () => process.exit(0),
    (error: unknown) => {
      new FileLog(statePaths(stateDir).log, systemClock).error(
        `The worker could not start: ${messageOf(error)}`,
      );
      process.exit(1);
    },
  );
}
