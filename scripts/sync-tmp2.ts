import { modes, requestsPerChange } from './bench/sync-requests';
import { printTable } from './bench/table';
for (const mode of ['merge','merge-front','replace'] as const) printTable(mode, await requestsPerChange(mode));
