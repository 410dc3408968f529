/**
 * How little Plex is asked for a changed scene, and how many scenes a second are brought in step, however many there
 * are. `npm run bench:sync`; exit status 1 when a limit is exceeded.
 */
import { say } from './bench/measure';
import { modeNames, modes, requestsPerChange } from './bench/sync-requests';
import { syncSpeed } from './bench/sync-speed';
import { printHowMeasured, printTable } from './bench/table';

let isModest = true;
for (const mode of modeNames) {
  say(`Requests per changed scene, ${mode} ...`);
  const rows = await requestsPerChange(mode);
  isModest = printTable(`Requests for one scene by what changed; this Plex ${modes[mode]}`, rows) && isModest;
}
console.log(
  '\nOver HTTP to the simulated Plex: the dearest of five scenes after the first of its kind. Afterwards each is compared\n' +
    'with Plex once more, and nothing may differ. The first may cost more, because what a Plex does with lists is learned\n' +
    'by looking once; here it is learned anew for every row. A cover is a poster and a background: two pictures.',
);

const { speeds, growth, memory } = await syncSpeed();
printTable('Scenes per second', [...speeds, ...memory]);
const isFlat = printTable('Processor time for one scene when there are more of them', growth);
console.log(
  '\nThe real queue, drain loop, gate, index of the library, ledger and log, all on disk, in one process; Stash and Plex\n' +
    'are in it too and answer at once. From the first scene that is queued until the last one is done. Every scene has a\n' +
    'cover, three people and six tags. Medians; 50,000 are measured once, the others before and after.',
);
printHowMeasured();
process.exitCode = isModest && isFlat ? 0 : 1;
