import { describe, expect, it } from 'vitest';
import { Suspicion } from '../../../src/resilience/suspicion';

describe('a server fault', () => {
  it('is never the fault of a job while the server is down', () => {
    const suspicion = new Suspicion();
    for (let n = 0; n < 20; n++) {
      expect(suspicion.fault('plex/1', { well: 0, successes: 0 })).toBe('not its fault');
    }
  });

  it('that a job meets again although the server was well in between sends it behind the others', () => {
    const suspicion = new Suspicion();
    suspicion.fault('plex/1', { well: 0, successes: 0 });
    expect(suspicion.fault('plex/1', { well: 1, successes: 0 })).toEqual({ lastFor: 1 });
    expect(suspicion.fault('plex/1', { well: 2, successes: 0 })).toEqual({ lastFor: 2 });
  });

  it('is charged to a job only when others succeeded meanwhile, more than once', () => {
    const suspicion = new Suspicion();
    suspicion.fault('plex/1', { well: 0, successes: 0 });
    expect(suspicion.fault('plex/1', { well: 5, successes: 4 })).toEqual({ lastFor: 1 });
    expect(suspicion.fault('plex/1', { well: 9, successes: 7 })).toBe('its fault');
  });

  it('is forgotten when the job succeeds', () => {
    const suspicion = new Suspicion();
    suspicion.fault('plex/1', { well: 0, successes: 0 });
    suspicion.clear('plex/1');
    expect(suspicion.fault('plex/1', { well: 5, successes: 4 })).toBe('not its fault');
  });
});

describe('a failure of a job', () => {
  it('is charged the first time, and then only if another succeeded since', () => {
    const suspicion = new Suspicion();
    expect(suspicion.failure('plex/1', { well: 0, successes: 0 })).toBe('its fault');
    expect(suspicion.failure('plex/1', { well: 0, successes: 0 })).toEqual({ lastFor: 1 });
    expect(suspicion.failure('plex/1', { well: 3, successes: 3 })).toBe('its fault');
  });
});
