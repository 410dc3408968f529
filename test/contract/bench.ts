import { PlexSim, type PlexSimOptions } from '../sim/plex/plex-sim';
import type { PlexApi } from './plexapi';
import type { Report } from './report';

/** What every group of checks works with. */
export interface Bench {
  plex: PlexSim;
  api: PlexApi;
  report: Report;
}

/** A moment long ago, so that whatever changes an item is seen to have moved its `updatedAt`. */
export const longAgo = 1_600_000_000;

/**
 * Runs a group on a server of its own that plexapi is connected to. At the end plexapi has asked for nothing that
 * the simulator does not know, and no address held the token.
 */
export async function onBench(
  name: string,
  { api, report }: Pick<Bench, 'api' | 'report'>,
  options: PlexSimOptions,
  check: (bench: Bench) => Promise<void>,
): Promise<void> {
  await report.group(name, async () => {
    const plex = await PlexSim.start(options);
    try {
      await api.connect(plex.url, plex.token);
      await check({ plex, api, report });
      const unknown = plex.requests.filter(({ kind }) => kind === 'unknown').map(({ route }) => route);
      report.same('the simulator knows all that plexapi asks for', unknown, []);
      report.same(
        'no address holds a token',
        plex.violations.map(({ why }) => why),
        [],
      );
    } finally {
      await plex.stop();
    }
  });
}
