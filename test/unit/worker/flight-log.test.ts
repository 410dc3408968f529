import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FlightLog } from '../../../src/worker/flight-log';
import { modeOf } from '../../support/files';
import { tempDir } from '../../support/temp-dir';

describe('the flight log', () => {
  let path: string;
  /** The next process. */
  const next = () => new FlightLog(path);

  beforeEach(() => {
    path = join(tempDir(), 'in-flight.json');
  });

  it('counts a death in a row for each scene that was in flight', () => {
    const first = next();
    first.took(1);
    first.took(2);
    first.took(3);
    first.landed(2, true);
    const second = next();
    expect(second.suspects).toEqual([1, 3]);
    expect([1, 2, 3].map((scene) => second.deaths(scene))).toEqual([1, 0, 1]);
    second.took(3);
    const third = next();
    expect([1, 2, 3].map((scene) => third.deaths(scene))).toEqual([1, 0, 2]);
  });

  it('begins to count anew when another has finished, but the scene stays a suspect until it has finished itself', () => {
    next().took(1);
    const second = next();
    second.took(2);
    second.landed(2, true);
    expect(second.deaths(1)).toBe(0);
    expect(second.isSuspect(1)).toBe(true);
    second.took(1);
    const third = next();
    expect(third.deaths(1)).toBe(1);
    third.took(1);
    third.landed(1, true);
    expect(next().suspects).toEqual([]);
  });

  it('blames nobody for a scene that came back unfinished, nor for a process that ended in peace', () => {
    const first = next();
    first.took(1);
    first.landed(1, false);
    first.close();
    expect(next().suspects).toEqual([]);
  });

  it.each(['garbage', '{"inFlight":[1', ''])('is empty when its file is %j, as after a power cut', (text) => {
    writeFileSync(path, text);
    expect(next().suspects).toEqual([]);
  });

  it('is whole at every instant, also when it gets shorter, and private', () => {
    const log = next();
    for (const scene of [1, 22, 333, 4_444]) log.took(scene);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ inFlight: [1, 22, 333, 4_444], deaths: {} });
    for (const scene of [1, 4_444]) log.landed(scene, true);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ inFlight: [22, 333], deaths: {} });
    expect(modeOf(path)).toBe('600');
  });
});
