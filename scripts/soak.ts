/**
 * `npm run soak [rounds] [seed] [chaos | model]`: for longer than the tests, and with progress, the chaos of the tests
 * (a round is a few saves, and perhaps a kill) and random lives of a household (a round is a step of one). Both in turn
 * unless told, with a new seed for each life. Ends with 1 when anything differs.
 */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chaos } from '../test/sim/chaos';
import { Household } from '../test/sim/household';
import { ModelRun } from '../test/sim/model/model';
import { runsOfTheModel } from '../test/sim/model/variation';
import { seeded } from '../test/support/seeded';

const rounds = Number(process.argv[2] ?? 1_000);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('The number of rounds must be 1 or more: npm run soak -- 200');
  process.exit(2);
}
/** Everything must agree this often, not only at the end. */
const roundsPerCheck = 25;
const stepsPerLife = 80;

const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const only = process.argv[4];
const random = seeded(seed);
const started = Date.now();
const total = { edits: 0, bulkEdits: 0, workersKilled: 0, hooksKilled: 0, outages: 0 };
const open = new Set<{ close(): Promise<void> }>();
process.once('SIGINT', () => {
  void Promise.all([...open].map((one) => one.close())).then(() => process.exit(130));
});

function say(done: number, agreed: boolean, what: string): void {
  const seconds = Math.round((Date.now() - started) / 1_000);
  const line = `  ${String(done).padStart(5)} rounds ${agreed ? 'agreed' : 'DIFFERENT'}, ${seconds} s: ${what}`;
  console.log(`${process.stdout.isTTY ? '\r' : ''}${line}`);
}

let household: Household | null = null;

async function chaosOf(done: number, now: number): Promise<boolean> {
  household ??= await Household.open({
    scenes: 40,
    settings: { flowOpenSeconds: 1 },
    env: { SLUICE_POLL_SECONDS: '1', SLUICE_DEBUG: '1' },
  });
  open.add(household);
  const tally = await chaos(household, now, random, (round) => {
    if (process.stdout.isTTY) process.stdout.write(`\r  round ${done + round} of ${rounds} `);
  });
  for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += tally[key];
  const differences = await household.differences();
  const { deadLetters = 0, queue } = household.status() ?? {};
  const agreed = differences.length === 0 && deadLetters === 0 && queue?.waiting === 0;
  say(
    done + now,
    agreed,
    `${total.edits} edits, ${total.bulkEdits} in bulk, ${total.workersKilled} workers and ` +
      `${total.hooksKilled} hooks killed, ${total.outages} outages`,
  );
  for (const line of differences) console.log(`    ${line}`);
  if (!agreed) console.log(household.log().split('\n').slice(-200).join('\n'));
  return agreed;
}

async function lifeOf(life: number, done: number, now: number): Promise<boolean> {
  const [tags, settings] = runsOfTheModel[life % runsOfTheModel.length] ?? runsOfTheModel[0];
  const run = await ModelRun.begin({ seed: seed + life, tags, settings });
  open.add(run);
  let trouble: string[];
  try {
    await run.live(now);
    await run.end();
    trouble = [...run.differences(), ...run.differencesAfterRefresh()];
  } catch (error) {
    trouble = [String(error)];
  }
  say(done + now, trouble.length === 0, `a life with seed ${seed + life}, ${tags}, ${settings}`);
  if (trouble.length > 0) {
    const log = join(tmpdir(), `sluice-model-${seed + life}-${tags}.log`);
    writeFileSync(log, `${run.story.join('\n')}\n${run.household.log()}`);
    console.log(`${trouble.map((line) => `    ${line}`).join('\n')}\n    The whole story: ${log}`);
  }
  await run.close();
  open.delete(run);
  return trouble.length === 0;
}

console.log(
  `Seed ${seed}, ${rounds} rounds, chaos checked every ${roundsPerCheck}, lives of ${stepsPerLife}.`,
);
let agreed = true;
let life = 0;
for (let done = 0; done < rounds && agreed; ) {
  if (only !== 'model') {
    const now = Math.min(roundsPerCheck, rounds - done);
    agreed = await chaosOf(done, now);
    done += now;
  }
  if (only !== 'chaos' && done < rounds && agreed) {
    const now = Math.min(stepsPerLife, rounds - done);
    agreed = await lifeOf(life++, done, now);
    done += now;
  }
}
await Promise.all([...open].map((one) => one.close()));
process.exit(agreed ? 0 : 1);
