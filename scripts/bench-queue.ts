/**
 * What the queue costs when it is long, and what the worker asks of memory and of Plex.
 * `npm run bench:queue`; exit status 1 when a limit is exceeded.
 */
import { drainCost } from './bench/drain-cost';
import { eventCost } from './bench/event-cost';
import { say } from './bench/measure';
import { endToEndCost, longQueue, requestsPerScene } from './bench/real-worker';
import { comparedRow, printHowMeasured, printTable } from './bench/table';

const many = 100_000;
const few = 1_000;

say(`Events at a queue of ${many} jobs and at an empty one ...`);
const events = await eventCost(many, few);
say(`Draining ${many} and ${few} jobs ...`);
const drains = await drainCost(many, few);
say('Draining 5000 and 500 jobs with the real worker ...');
const endToEnd = await endToEndCost(5_000, 500);
say('Requests to Plex ...');
const requests = await requestsPerScene();
const memory = await longQueue(many);

const flat = printTable(
  `Cost at a long queue, against the same at an empty or short one (0 or ${few} jobs; end to end: 500)`,
  [...events, ...drains, ...endToEnd].map(comparedRow),
);
const modest = printTable('The real worker as a process', [...requests, ...memory]);
printHowMeasured();
process.exitCode = flat && modest ? 0 : 1;
