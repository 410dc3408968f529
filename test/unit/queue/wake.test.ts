import { existsSync, readdirSync, readFileSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isTakenCareOf, startDetached, wake } from '../../../src/queue/wake';
import type { ProcessName } from '../../../src/shared/process';
import { readName } from '../../../src/shared/process';
import { deadProcess, livingProcess, zombie } from '../../support/processes';
import { tempDir } from '../../support/temp-dir';
import { settle } from '../../support/virtual-clock';

const slotMs = 20_000;
let stateDir: string;
let event: string;

beforeEach(() => {
  stateDir = tempDir();
  event = join(stateDir, 'event.json');
  writeFileSync(event, '{}');
});
afterEach(() => void vi.restoreAllMocks());

function setAlive(content: string | ProcessName, forMs = 10_000): void {
  const alive = join(stateDir, 'alive');
  writeFileSync(alive, typeof content === 'string' ? content : `${content.pid} ${content.ticks}\n`);
  const until = new Date(Date.now() + forMs);
  utimesSync(alive, until, until);
}

const claims = (): string[] => readdirSync(stateDir).filter((name) => name.startsWith('starting-'));
const currentSlot = (): number => Math.floor(Date.now() / slotMs);
/** So that no slot ends during a test. */
const stopTheClock = (at = Date.now()): void => void vi.spyOn(Date, 'now').mockReturnValue(at);

describe('an event is taken care of', () => {
  it('while a worker is alive', () => {
    setAlive(livingProcess());
    expect(isTakenCareOf(stateDir, event)).toBe(true);
  });

  it('while a worker is alive whose start the system does not tell', () => {
    setAlive(String(livingProcess().pid));
    expect(isTakenCareOf(stateDir, event)).toBe(true);
  });

  it('when it is not in the inbox any more, worker or not', () => {
    unlinkSync(event);
    expect(isTakenCareOf(stateDir, event)).toBe(true);
    setAlive(livingProcess());
    expect(isTakenCareOf(stateDir, event)).toBe(true);
  });
});

describe('an event is not taken care of', () => {
  it('when there is no worker', () => {
    expect(isTakenCareOf(stateDir, event)).toBe(false);
  });

  it('when the worker has not shown itself for too long', () => {
    setAlive(livingProcess(), -1_000);
    expect(isTakenCareOf(stateDir, event)).toBe(false);
  });

  it('when the worker is dead, a zombie, or its process id another process by now', async () => {
    const living = livingProcess();
    for (const name of [await deadProcess(), await zombie(), { ...living, ticks: '1' }]) {
      setAlive(name);
      expect(isTakenCareOf(stateDir, event)).toBe(false);
    }
  });

  it.each(['', 'garbage', '-1', '0', '1e3', '01', '9'.repeat(30), '\0'])(
    'when the worker is %j',
    (garbage) => {
      setAlive(garbage);
      expect(isTakenCareOf(stateDir, event)).toBe(false);
    },
  );
});

describe('waking', () => {
  it('starts nobody and leaves no claim while a worker is alive', () => {
    setAlive(livingProcess());
    const start = vi.fn();
    expect(wake(stateDir, event, start)).toBe('alive');
    expect(start).not.toHaveBeenCalled();
    expect(claims()).toEqual([]);
  });

  it('starts a worker under a claim that names us', () => {
    stopTheClock();
    const start = vi.fn();
    expect(wake(stateDir, event, start)).toBe('started');
    const claim = join(stateDir, `starting-${currentSlot()}-0`);
    expect(start.mock.calls).toEqual([[claim]]);
    expect(readFileSync(claim, 'utf8')).toBe(`${process.pid}\n`);
  });

  it('starts no second one while the first is at it, also when its name is not written yet', () => {
    stopTheClock();
    const start = vi.fn();
    wake(stateDir, event, start);
    expect(wake(stateDir, event, start)).toBe('starting elsewhere');
    writeFileSync(join(stateDir, `starting-${currentSlot()}-0`), '');
    expect(wake(stateDir, event, start)).toBe('starting elsewhere');
    expect(start).toHaveBeenCalledOnce();
  });

  it('starts another when the one that claimed it died, at most twenty in a slot', async () => {
    stopTheClock();
    const { pid } = await deadProcess();
    const start = vi.fn((claim: string) => writeFileSync(claim, `${pid}\n`));
    const woken = Array.from({ length: 21 }, () => wake(stateDir, event, start));
    expect(woken).toEqual([...Array(20).fill('started'), 'starting elsewhere']);
    expect(claims().sort()).toEqual(
      woken
        .slice(1)
        .map((_, n) => `starting-${currentSlot()}-${n}`)
        .sort(),
    );
  });

  it('starts another in the next slot, whatever happened in this one', () => {
    const now = Date.now();
    const start = vi.fn();
    stopTheClock(now);
    wake(stateDir, event, start);
    stopTheClock(now + slotMs);
    expect(wake(stateDir, event, start)).toBe('started');
  });

  it('starts nobody when a worker came alive after the first look', () => {
    const now = Date.now();
    const living = livingProcess();
    // The time is asked for between the first look and the claim.
    vi.spyOn(Date, 'now').mockImplementationOnce(() => {
      setAlive(living, 10_000);
      return now;
    });
    const start = vi.fn();
    expect(wake(stateDir, event, start)).toBe('alive');
    expect(start).not.toHaveBeenCalled();
    expect(claims()).toEqual([]);
  });
});

describe('a name in a file', () => {
  it.each<[string, ProcessName | null]>([
    ['12 345\n', { pid: 12, ticks: '345' }],
    ['12\n', { pid: 12, ticks: '' }],
    ['12', { pid: 12, ticks: '' }],
    ['', null],
    ['0 1', null],
    ['-5 1', null],
    ['x', null],
  ])('that says %j is %j', (text, name) => {
    const path = join(stateDir, 'name');
    writeFileSync(path, text);
    expect(readName(path)).toEqual(name);
  });

  it('that is not there is none', () => {
    expect(readName(join(stateDir, 'nothing'))).toBeNull();
  });
});

describe('a detached start', () => {
  it('runs the worker in the state folder with paths only, and names it in the claim', async () => {
    const script = join(stateDir, 'worker.js');
    const said = join(stateDir, 'said');
    writeFileSync(
      script,
      `const fs = require('node:fs');
      fs.writeFileSync('said.part', JSON.stringify([process.pid, process.cwd(), process.argv.slice(2)]));
      fs.renameSync('said.part', 'said');`,
    );
    const claim = join(stateDir, 'starting-1-0');
    startDetached({ distDir: stateDir, stateDir, pluginDir: '/plugin folder' })(claim);
    await vi.waitFor(() => expect(existsSync(said)).toBe(true), { timeout: 10_000 });
    const pid = Number(readFileSync(claim, 'utf8'));
    expect(JSON.parse(readFileSync(said, 'utf8'))).toEqual([pid, stateDir, [stateDir, '/plugin folder']]);
  });

  it('that the system refuses leaves the claim as it is and ends nobody', async () => {
    const claim = join(stateDir, 'starting-1-0');
    writeFileSync(claim, `${process.pid}\n`);
    startDetached({ distDir: stateDir, stateDir: join(stateDir, 'nothing here'), pluginDir: stateDir })(
      claim,
    );
    await settle();
    expect(readFileSync(claim, 'utf8')).toBe(`${process.pid}\n`);
  });
});
