/** `npm run soak [rounds]`: the chaos of the tests for longer, with progress. Ends with 1 when anything differs. */
import { chaos, seeded } from '../test/sim/chaos';
import { Household } from '../test/sim/household';

const rounds = Number(process.argv[2] ?? 1_000);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('The number of rounds must be 1 or more: npm run soak -- 200');
  process.exit(2);
}
/** Everything must agree this often, not only at the end. */
const roundsPerCheck = 25;

const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const random = seeded(seed);
const household = await Household.open({
  scenes: 40,
  settings: { flowOpenSeconds: 1 },
  env: { SLUICE_POLL_SECONDS: '1', SLUICE_DEBUG: '1' },
});
const started = Date.now();
const total = { edits: 0, bulkEdits: 0, workersKilled: 0, hooksKilled: 0, outages: 0 };
console.log(`Seed ${seed}, ${rounds} rounds, checked every ${roundsPerCheck}.`);
let failed = false;
process.once('SIGINT', () => void household.close().then(() => process.exit(130)));

for (let done = 0; done < rounds && !failed; ) {
  const now = Math.min(roundsPerCheck, rounds - done);
  const tally = await chaos(household, now, random, (round) => {
    if (process.stdout.isTTY) process.stdout.write(`\r  round ${done + round} of ${rounds} `);
  });
  done += now;
  for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += tally[key];
  const differences = await household.differences();
  const { deadLetters = 0, queue } = household.status() ?? {};
  failed = differences.length > 0 || deadLetters > 0 || (queue?.waiting ?? 1) > 0;
  const seconds = Math.round((Date.now() - started) / 1_000);
  const mark = failed ? 'DIFFERENT' : 'agreed';
  console.log(
    `${process.stdout.isTTY ? '\r' : ''}  ${String(done).padStart(5)} rounds ${mark}, ${seconds} s: ${total.edits} edits, ` +
      `${total.bulkEdits} in bulk, ${total.workersKilled} workers and ${total.hooksKilled} hooks killed, ${total.outages} outages`,
  );
  for (const line of differences) console.log(`    ${line}`);
  if (failed) console.log(household.log().split('\n').slice(-200).join('\n'));
}
await household.close();
process.exit(failed ? 1 : 0);
