import { describe, expect, it } from 'vitest';
import { bars, columnsOf, runs, shaded } from '../../../scripts/demo/chart';
import type { Sample } from '../../../scripts/demo/moment';
import { painter } from '../../../scripts/demo/text';
import { legend, timeline } from '../../../scripts/demo/timeline';

const sample = (atMs: number, more: Partial<Sample> = {}): Sample => ({
  atMs,
  requests: 0,
  waiting: 0,
  plexIsUp: true,
  workerLives: true,
  gate: 'closed',
  ramp: 0,
  ...more,
});

describe('columns of the chart', () => {
  it('count requests per second, whatever the length of a column', () => {
    const samples = [sample(0, { requests: 2 }), sample(100, { requests: 3 }), sample(500, { requests: 1 })];
    expect(columnsOf(samples, 500, 10).map(({ requestsPerSecond }) => requestsPerSecond)).toEqual([10, 2]);
    expect(columnsOf(samples, 1_000, 10).map(({ requestsPerSecond }) => requestsPerSecond)).toEqual([6]);
  });

  it('go on as they were while nobody looked, but claim no requests', () => {
    const first = sample(0, { requests: 5, waiting: 3, plexIsUp: false, gate: 'recovery', ramp: 0.5 });
    const columns = columnsOf([first, sample(350)], 100, 9);
    expect(columns).toHaveLength(4);
    expect(columns[2]).toEqual({
      requestsPerSecond: 0,
      waiting: 3,
      plexIsUp: false,
      workerLives: true,
      gate: 'recovery',
      ramp: 0.5,
    });
  });

  it('show trouble that was shorter than a column, and the longest queue', () => {
    const samples = [sample(0, { waiting: 9 }), sample(100, { workerLives: false }), sample(200)];
    expect(columnsOf(samples, 1_000, 9)).toMatchObject([{ waiting: 9, workerLives: false }]);
  });

  it('show the rarest state of the gate in them: a trial is over in no time', () => {
    const states = ['open', 'half-open', 'recovery', 'closed'] as const;
    const samples = states.map((gate, n) => sample(n * 100, { gate }));
    expect(columnsOf(samples, 1_000, 9)).toMatchObject([{ gate: 'half-open' }]);
    expect(columnsOf(samples, 200, 9)).toMatchObject([{ gate: 'half-open' }, { gate: 'recovery' }]);
  });

  it('move out on the left when there are too many', () => {
    const samples = [1, 2, 3, 4].map((n) => sample(n * 100, { waiting: n }));
    expect(columnsOf(samples, 100, 2).map(({ waiting }) => waiting)).toEqual([3, 4]);
  });
});

describe('bars', () => {
  it('fill from below in eighths', () => {
    expect(bars([0, 4, 8, 12, 16], 2, 16)).toEqual(['   ▄█', ' ▄███']);
  });

  it('show the smallest value above nothing, and never more than the top', () => {
    expect(bars([0.001, 99], 2, 10)).toEqual([' █', '▁█']);
  });
});

describe('a shade', () => {
  it('is behind bars, up to its own height, and hides nothing of them', () => {
    expect(shaded(bars([0, 8, 16, 2], 2, 16), [16, 16, 8, 16], 16)).toEqual(['░░█░', '░██▂']);
  });

  it('is rounded to whole cells', () => {
    expect(shaded(bars([0, 0], 2, 16), [11, 12], 16)).toEqual([' ░', '░░']);
  });
});

it('runs join equal neighbours', () => {
  expect(runs([true, true, false, true])).toEqual([
    { is: true, length: 2 },
    { is: false, length: 1 },
    { is: true, length: 1 },
  ]);
});

describe('the timeline', () => {
  const lines = (samples: Sample[]) => timeline(samples, 60, 3, painter(false));

  it('is drawn before anything was measured', () => {
    expect(lines([])).toHaveLength(7);
  });

  it('keeps every line within the width, however long it has run', () => {
    const samples = Array.from({ length: 900 }, (_, n) => sample(n * 100, { requests: n % 7, waiting: n }));
    for (const line of lines(samples)) expect([...line].length).toBeLessThanOrEqual(60);
  });

  it('marks an outage, and a worker only once there was one', () => {
    const samples = [
      sample(0, { workerLives: false }),
      sample(1_000),
      sample(2_000, { plexIsUp: false }),
      sample(3_000, { workerLives: false }),
    ];
    const [plex = '', , worker = ''] = lines(samples).slice(-3);
    expect(plex).toMatch(/^Plex +│━+░+━+$/);
    expect(worker).toMatch(/^worker +│ +━+░+$/);
  });

  it('shows the gate in marks that can be told apart without colours, and a recovery as a ramp', () => {
    const samples = [
      sample(0),
      sample(1_000, { gate: 'open' }),
      sample(3_000, { gate: 'half-open' }),
      ...[0.1, 0.4, 0.7, 1].map((ramp, n) => sample(4_000 + n * 1_000, { gate: 'recovery', ramp })),
      sample(8_000),
    ];
    const breaker = lines(samples).find((line) => line.startsWith('breaker'));
    expect(breaker).toMatch(/^breaker +│━░+◆+▁+▃+▆+█+━$/);
    for (const mark of ['━ closed', '░ open', '◆ half open', '▁▃▅▇ recovery']) {
      expect(legend(painter(false))).toContain(mark);
    }
  });
});
