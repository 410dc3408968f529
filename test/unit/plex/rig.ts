import { afterEach, expect } from 'vitest';
import type { PlexLibrary } from '../../../src/plex/answers';
import { PlexClient } from '../../../src/plex/client';
import { PlexError } from '../../../src/plex/errors';
import type { PlexRequestOptions } from '../../../src/plex/request';
import { makeFetch } from '../../../src/shared/fetch';
import { PlexSim, type PlexSimOptions } from '../../sim/plex/plex-sim';

export const signal = new AbortController().signal;

const running: PlexSim[] = [];
afterEach(async () => {
  for (const plex of running.splice(0)) {
    await plex.stop();
    expect(plex.violations).toEqual([]);
  }
});

/** A simulated Plex that is stopped after the test. */
export async function startPlex(options: PlexSimOptions = {}): Promise<PlexSim> {
  const plex = await PlexSim.start(options);
  running.push(plex);
  return plex;
}

export function clientFor(
  { url, token }: { url: string; token: string },
  more: Partial<PlexRequestOptions> = {},
): PlexClient {
  const fetch = makeFetch({ trustAnyCertificate: false });
  return new PlexClient({ url, token, clientIdentifier: 'sluice-test', version: '0.0.1', fetch, ...more });
}

export async function failure(work: Promise<unknown>): Promise<PlexError> {
  const error = await work.then(
    () => 'no failure',
    (reason: unknown) => reason,
  );
  if (!(error instanceof PlexError)) throw new Error(`expected a PlexError, got ${String(error)}`);
  return error;
}

export const library = (key: string, title: string, ...locations: string[]): PlexLibrary => ({
  key,
  title,
  type: 'movie',
  locations,
});
