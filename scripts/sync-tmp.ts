import { passesOver } from './bench/sync-speed';
for (const n of [1000, 8000]) console.log(n, JSON.stringify(await passesOver(n)));
