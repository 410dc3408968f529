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

  it('sends a job no further behind while the server stays down', () => {
    const suspicion = new Suspicion();
    suspicion.fault('plex/1', { well: 0, successes: 0 });
    suspicion.fault('plex/1', { well: 1, successes: 0 });
    expect(suspicion.fault('plex/1', { well: 1, successes: 0 })).toBe('not its fault');
    expect(suspicion.fault('plex/1', { well: 2, successes: 0 })).toEqual({ lastFor: 2 });
  });

  it('is charged to a job only when others succeeded meanwhile, more than once', () => {
    const suspicion = new Suspicion();
    suspicion.fault('plex/1', { well: 0, successes: 0 });
    expect(suspicion.fault('plex/1', { well: 5, successes: 4 })).toEqual({ lastFor: 1 });
    expect(suspicion.fault('plex/1', { well: 9, successes: 7 })).toBe('its fault');
  });

  it('is never charged when the server answers probes but no job succeeds', () => {
    const suspicion = new Suspicion();
    for (let well = 0; well < 20; well++) {
      expect(suspicion.fault('plex/1', { well, successes: 3 })).not.toBe('its fault');
    }
  });

  it('of one job is nothing to another', () => {
    const suspicion = new Suspicion();
    suspicion.fault('plex/1', { well: 0, successes: 0 });
    expect(suspicion.fault('plex/2', { well: 1, successes: 1 })).toBe('not its fault');
    expect(suspicion.has('plex/3')).toBe(false);
  });

  it('is forgotten when the job succeeds', () => {
    const suspicion = new Suspicion();
    suspicion.fault('plex/1', { well: 0, successes: 0 });
    expect(suspicion.has('plex/1')).toBe(true);
    suspicion.clear('plex/1');
    expect(suspicion.has('plex/1')).toBe(false);
    expect(suspicion.fault('plex/1', { well: 5, successes: 4 })).toBe('not its fault');
  });
});

describe('an overload', () => {
  it('leaves a job its place for three rounds, then lets the others go first', () => {
    const suspicion = new Suspicion();
    const rounds = Array.from({ length: 6 }, (_, n) =>
      suspicion.fault('plex/1', { well: n, successes: n }, true),
    );
    const inPlace = 'not its fault';
    expect(rounds).toEqual([inPlace, inPlace, inPlace, inPlace, { lastFor: 1 }, { lastFor: 2 }]);
  });

  it('is never charged, however often', () => {
    const suspicion = new Suspicion();
    for (let n = 0; n < 50; n++) {
      expect(suspicion.fault('plex/1', { well: n, successes: n }, true)).not.toBe('its fault');
    }
  });
});

describe('a failure of a job', () => {
  it('is charged the first time, and then only if another succeeded since', () => {
    const suspicion = new Suspicion();
    expect(suspicion.failure('plex/1', { well: 0, successes: 0 })).toBe('its fault');
    expect(suspicion.failure('plex/1', { well: 0, successes: 0 })).toEqual({ lastFor: 1 });
    expect(suspicion.failure('plex/1', { well: 3, successes: 3 })).toBe('its fault');
  });

  it('is not charged because a probe was answered since', () => {
    const suspicion = new Suspicion();
    suspicion.failure('plex/1', { well: 0, successes: 0 });
    expect(suspicion.failure('plex/1', { well: 9, successes: 0 })).toEqual({ lastFor: 1 });
  });

  it('is not charged right after a fault of the server', () => {
    const suspicion = new Suspicion();
    suspicion.fault('plex/1', { well: 0, successes: 2 });
    expect(suspicion.failure('plex/1', { well: 1, successes: 2 })).toEqual({ lastFor: 1 });
  });

  it('makes the job a bad trial', () => {
    const suspicion = new Suspicion();
    suspicion.failure('plex/1', { well: 0, successes: 0 });
    expect(suspicion.has('plex/1')).toBe(true);
  });
});
