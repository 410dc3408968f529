/**
 * How little Plex is asked for a changed scene, and how many scenes a second are brought in step, however many there
 * are. `npm run bench:sync`; exit status 1 when a limit is exceeded.
 */
import { syncSpeed } from './bench/sync-speed';
import { printHowMeasured, printTable } from './bench/table';

const { speeds, growth, memory } = await syncSpeed();

const title = 'Scenes per second (one process, servers that answer at once, everything of ours on disk)';
printTable(title, [...speeds, ...memory]);
const flat = printTable('Processor time of one scene as there are more', growth);
printHowMeasured();
process.exitCode = flat ? 0 : 1;
