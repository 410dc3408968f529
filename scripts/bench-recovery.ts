/**
 * How a Plex that has just come back fares under several policies, in a discrete-event simulation: how often it is
 * brought down, and how long everything takes. `npm run bench:recovery`; exit status 1 when a goal is missed.
 *
 * The rules were tuned on seeds 1 to 3,000 (`--tune`: the first of them); what is reported by default are servers
 * that nobody tuned to. `--servers N` and `--seed N` choose others.
 */
import { parseArgs } from 'node:util';
import { flowDefaults } from '../src/shared/flow-settings';
import { progress, say } from './bench/measure';
import { printCurves } from './bench/recovery/curves';
import { freeOracle, oracleOnRamp } from './bench/recovery/oracle';
import { ours, oursWithoutCap } from './bench/recovery/ours';
import { fixedRate, noLimiter, plainRamp } from './bench/recovery/plain';
import { type Profile, profileOf } from './bench/recovery/profile';
import { printReport, type Result } from './bench/recovery/report';
import { type Run, simulate } from './bench/recovery/simulation';

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '300' },
    seed: { type: 'string' },
    tune: { type: 'boolean', default: false },
  },
});
const first = Number(values.seed ?? (values.tune ? 1 : 10_001));
const count = Number(values.servers);
const policies = [noLimiter, fixedRate, plainRamp, oursWithoutCap, ours, oracleOnRamp, freeOracle];

const profiles = Array.from({ length: count }, (_, index) => profileOf(first + index));
say(
  `Simulating ${count} servers (seeds ${first} to ${first + count - 1}) under ${policies.length} policies ...`,
);
const results: Result[] = policies.map((policy) => ({
  name: policy.name,
  runs: profiles.map((profile, index) => {
    progress(`${policy.name}: server ${index + 1} of ${count}`);
    return simulate(profile, policy, flowDefaults);
  }),
}));
const runsOf = (name: string): Run[] => results.find((result) => result.name === name)?.runs ?? [];

/** The first server of this kind, under the policies that are worth a picture. */
function draw(title: string, isSuch: (profile: Profile) => boolean): void {
  const index = profiles.findIndex(isSuch);
  const profile = profiles[index];
  if (!profile) return;
  const shown = [plainRamp, ours, oracleOnRamp].flatMap(({ name }) => {
    const run = runsOf(name)[index];
    return run ? [{ name, run }] : [];
  });
  const about = `${profile.jobs} scenes, ${profile.fullPerSecond.toFixed(1)} a second when warm`;
  printCurves(`${title} (seed ${profile.seed}: ${about}): scenes per second`, profile, shown);
}

draw(
  'A small server',
  ({ fullPerSecond, films }) => fullPerSecond > 4 && fullPerSecond < 8 && films.length === 0,
);
draw('A large server', ({ fullPerSecond, films }) => fullPerSecond > 40 && films.length === 0);
const isGood = printReport(results, ours.name, runsOf(oracleOnRamp.name));
process.exitCode = isGood ? 0 : 1;
