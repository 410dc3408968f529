/**
 * What the regulation of the flow costs when nothing is wrong, and whether a server that is down costs another
 * anything. `npm run bench:flow`; exit status 1 when a limit is exceeded.
 */
import { gateCost } from './bench/gate-cost';
import { say } from './bench/measure';
import { comparedRow, printHowMeasured, printTable } from './bench/table';
import { twoTargetsCost } from './bench/two-targets';

say('Decisions of the gate ...');
const gate = await gateCost();
say('Two servers, one of them down ...');
const targets = await twoTargetsCost(500);

const quick = printTable('The gate, for each job', gate);
const unchanged = printTable('Isolation of targets (limit: a throughput of 0.95)', targets.map(comparedRow));
printHowMeasured();
process.exitCode = quick && unchanged ? 0 : 1;
