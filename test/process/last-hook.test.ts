/**
 * The last hook before the worker goes idle, at every interleaving of the two. The worker is a real process that
 * stops itself (SIGSTOP) at each step of its end; the hook is the real launcher, whose `mv` waits on both sides of
 * the rename: before it the event is not there yet, after it the hook has not looked for a worker yet.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { leavePointer } from '../../src/persist/pointer';
import { type Household, until } from '../sim/household';
import { runHook } from '../sim/run-hook';
import { home } from '../support/home';

/** In the order in which an idle worker passes them. */
const steps = ['worker.idle', 'host.ended', 'lease.not-alive', 'lease.released', 'host.looked'];

const isStopped = (child: ChildProcess) => {
  try {
    return /\) T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/** A folder for PATH whose `mv` announces itself and waits for permission, before and after. */
function slowMv(household: Household): {
  path: string;
  allow(step: 'write' | 'look'): void;
  reached(step: string): boolean;
} {
  const dir = join(household.dir, 'bin');
  mkdirSync(dir);
  const real = spawnSync('sh', ['-c', 'command -v mv']).stdout.toString().trim();
  const flag = (name: string) => join(dir, name);
  writeFileSync(
    join(dir, 'mv'),
    `#!/bin/sh
: > '${flag('at-write')}'; while [ ! -e '${flag('may-write')}' ]; do sleep 0.01; done
${real} "$@"
: > '${flag('at-look')}'; while [ ! -e '${flag('may-look')}' ]; do sleep 0.01; done
`,
  );
  chmodSync(join(dir, 'mv'), 0o755);
  return {
    path: `${dir}:${process.env.PATH}`,
    allow: (step) => writeFileSync(flag(`may-${step}`), ''),
    reached: (step) => existsSync(flag(`at-${step}`)),
  };
}

const pairs = steps.flatMap((write, i) => steps.slice(i).map((look) => ({ write, look })));

describe('the last hook before the worker goes idle', () => {
  it.concurrent.for(pairs)('is heard when it writes at $write and looks at $look', async (pair, context) => {
    const { write, look } = pair;
    const { expect } = context;
    const household = await home({ scenes: 2 }, context.onTestFinished);
    mkdirSync(household.state.inbox, { recursive: true });
    leavePointer(join(household.pluginDir, 'dist'), household.state.root);
    household.leaveEvent(2); // it tells the worker how to reach Stash
    const where = join(household.dir, 'stopped-at');
    const worker = household.startWorker({
      SLUICE_IDLE_SECONDS: '0.3',
      SLUICE_STOP_AT: steps.join(','),
      SLUICE_STOPPED: where,
    });
    let at = 0;
    const stopped = () =>
      until(
        `the worker is at ${steps[at]}`,
        () => existsSync(where) && readFileSync(where, 'utf8') === steps[at] && isStopped(worker),
        10_000,
      );
    const reach = async (step: string) => {
      while (steps[at] !== step) {
        worker.kill('SIGCONT');
        at++;
        await stopped();
      }
    };
    await stopped(); // it has decided to end; before that, the hook's unfinished file would keep it
    await reach(write);
    const mv = slowMv(household);
    household.changeSilently(1, { title: 'At the last moment' });
    const input = household.stash.hookInput('Scene.Update.Post', 1, { id: '1' });
    const hook = runHook(household, input, { env: { PATH: mv.path, SLUICE_IDLE_SECONDS: '0.3' } });
    await until('the hook is about to write', () => mv.reached('write'));
    mv.allow('write');
    await until('the hook has written', () => mv.reached('look'));
    await reach(look);
    mv.allow('look');
    expect((await hook).stdout).toContain('queued');
    // From here on it passes whatever it still passes.
    const onward = setInterval(() => isStopped(worker) && worker.kill('SIGCONT'), 20);
    await household.drained();
    clearInterval(onward);
    expect(await household.differences([1])).toEqual([]);
  });
});
