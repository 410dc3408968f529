/**
 * `npm run demo`: the real plugin with a simulated Stash and Plex, through an outage, a recovery, and two killed
 * workers. Ends by itself; the exit status is 0 only if Plex shows what Stash says in every field of every scene.
 */
import { rmSync } from 'node:fs';
import { messageOf } from '../src/shared/errors';
import { Household } from '../test/sim/household';
import { compare } from './demo/comparison';
import { Library } from './demo/library';
import { openScreen, wantsColour, widthFor } from './demo/screen';
import { tell } from './demo/story';
import { allIsWell, type Facts, summary } from './demo/summary';
import { comparisonTable } from './demo/table';
import { painter } from './demo/text';
import { type DemoFlow, Watch } from './demo/watch';

/** As by default, but all of it in seconds: the waits do not grow, and the ramp is short and steep. */
const flow: DemoFlow = { openSeconds: 3, initialRate: 1, targetRate: 7, recoverySeconds: 10 };
const longestMs = 90_000;

const out = process.stdout;
const ending = new AbortController();
const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

let exitCode = 1;
for (const [name, number] of Object.entries(signals)) {
  process.on(name, () => {
    exitCode = 128 + number;
    ending.abort(new Error(`stopped by ${name}`));
  });
}
process.on('uncaughtException', (error) => ending.abort(error));
out.on('error', () => ending.abort(new Error('nobody reads the output any more')));
const timer = setTimeout(() => ending.abort(new Error(`not done after ${longestMs / 1_000} s`)), longestMs);

async function run(home: Household): Promise<Facts> {
  const library = new Library(home);
  const screen = openScreen(out, process.env);
  const watch = new Watch({
    home,
    flow,
    onLine: (line) => screen.tell(line),
    onMoment: (moment) => screen.show(moment),
  });
  try {
    watch.start();
    const outcome = await tell({ home, library, watch, signal: ending.signal });
    const { saves, requests, recovery, handovers, atMs: tookMs } = watch;
    const [scenes, status] = [await compare(home), home.status()];
    return { saves, requests, recovery, handovers, tookMs, outcome, scenes, status };
  } finally {
    watch.stop();
    screen.end(watch.moment());
  }
}

async function main(): Promise<void> {
  const home = await Household.open({
    scenes: 0,
    settings: {
      flowOpenSeconds: flow.openSeconds,
      flowOpenMaxSeconds: flow.openSeconds,
      flowInitialRate: flow.initialRate,
      flowTargetRate: flow.targetRate,
      flowRecoverySeconds: flow.recoverySeconds,
    },
    env: { SLUICE_POLL_SECONDS: '1', SLUICE_FLOW_TRANSIENT_BASE_SECONDS: '2' },
  });
  // Also when everything else went wrong.
  process.on('exit', () => {
    home.killWorkers();
    rmSync(home.dir, { recursive: true, force: true });
  });
  try {
    ending.signal.throwIfAborted();
    const facts = await run(home);
    const paint = painter(wantsColour(out, process.env));
    const lines = [
      '',
      'What Stash says, ✓ where Plex shows the same, ✗ where it does not',
      '',
      ...comparisonTable(facts.scenes, widthFor(out) - 1, paint),
      '',
      ...summary(facts, paint),
    ];
    out.write(`${lines.map((line) => ` ${line}`.trimEnd()).join('\n')}\n`);
    if (allIsWell(facts)) exitCode = 0;
  } catch (error) {
    process.stderr.write(`The demo ended early: ${messageOf(ending.signal.reason ?? error)}\n`);
  } finally {
    clearTimeout(timer);
    await home.close();
  }
}

main().then(
  () => process.exit(exitCode),
  (error: unknown) => {
    process.stderr.write(`The demo could not run: ${messageOf(error)}\n`);
    process.exit(1);
  },
);
