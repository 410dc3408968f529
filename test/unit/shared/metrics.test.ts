import { describe, expect, it } from 'vitest';
import { metricsText } from '../../../src/shared/metrics';
import { prometheusText } from '../../../src/shared/prometheus';
import type { Status, TargetStatus } from '../../../src/shared/status';
import { readPrometheus } from '../../support/prometheus';

/** Every field has a value, and no two numbers are the same. */
const target: TargetStatus = {
  url: 'http://plex:32400',
  reason: 'Plex is being spared.',
  breaker: {
    state: 'HALF_OPEN',
    cause: 'Plex is not answering.',
    since: '2026-11-16T14:02:00.250Z',
    retryAt: '2026-11-16T14:03:00.000Z',
    failuresInARow: 11,
    overloadsInARow: 12,
    errorRate: 0.13,
  },
  recovery: {
    active: true,
    startedAt: '2026-11-16T14:04:00.000Z',
    endsAt: '2026-11-16T14:09:00.000Z',
    progress: 0.14,
    multiplier: 0.5,
  },
  rate: { perSecond: 16.5, limitedBy: 'ramp', achieved: 17.5, tokens: 0.18, cap: 19.5 },
  cooldown: {
    until: '2026-11-16T14:05:00.000Z',
    retryAfter: '2026-11-16T14:06:00.000Z',
    generations: 20,
    participants: 21,
    parked: 22,
    released: 23,
  },
  latency: {
    read: { smoothedMs: 24, normalMs: 25, p95Ms: 26 },
    edit: { smoothedMs: 27, normalMs: 28, p95Ms: 29 },
    upload: { smoothedMs: 30, normalMs: 31, p95Ms: 32 },
    listing: { smoothedMs: 33, normalMs: 34, p95Ms: 35 },
  },
  queue: { waiting: 36, due: 37, inFlight: 38, parked: 39, retrying: 40 },
  done: 41,
  retried: 42,
  failed: 43,
  filtered: { syncOnlyOrganized: 44, 'not-in-plex': 45 },
};

const status: Status = {
  version: '1.2.3',
  paused: true,
  worker: { alive: true, pid: 4242, since: '2026-11-16T14:00:00.000Z' },
  stash: { reachable: true, since: '2026-11-16T14:00:01.000Z', error: null },
  inbox: 9,
  queue: { waiting: 2, due: 3, inFlight: 4, parked: 5, retrying: 6, fanOuts: 7 },
  deadLetters: 8,
  passes: [
    { name: 'sync_all', startedAt: '2026-11-16T13:50:00.000Z', looked: 51, queued: 52, total: 53 },
    { name: 'reconcile', startedAt: '2026-11-16T13:51:00.000Z', looked: 54, queued: 55, total: 56 },
  ],
  targets: { plex: target },
};

const read = (of: Status) => readPrometheus(metricsText(of));
const samples = (of: Status, name: string) => read(of).get(name)?.samples;

describe('the metrics', () => {
  it('are well-formed, and each says what it is', () => {
    const metrics = read({ ...status, targets: { plex: target, attic: target } });
    expect(metrics.size).toBeGreaterThan(40);
    for (const [name, { help, samples }] of metrics) {
      expect(name).toMatch(/^sluice_/);
      expect(help).toMatch(/\.$/);
      if (name.startsWith('sluice_target_')) {
        expect(new Set(samples.map(({ labels }) => labels.target))).toEqual(new Set(['plex', 'attic']));
      }
    }
  });

  it('hold every number and every instant of the status but the process id', () => {
    const expected: number[] = [];
    const collect = (value: unknown, path: string): void => {
      if (typeof value === 'number') expected.push(path.endsWith('Ms') ? value / 1_000 : value);
      else if (typeof value === 'string' && /^\d{4}-.*Z$/.test(value))
        expected.push(Date.parse(value) / 1_000);
      else if (typeof value === 'object' && value !== null) {
        for (const [key, inner] of Object.entries(value)) if (key !== 'pid') collect(inner, `${path}.${key}`);
      }
    };
    collect(status, '');
    expect(expected.length).toBeGreaterThan(45);
    expect(new Set(expected).size).toBe(expected.length);
    const found = [...read(status).values()].flatMap(({ samples }) => samples.map(({ value }) => value));
    for (const value of expected) expect(found).toContain(value);
    expect(found).not.toContain(4242);
  });

  it('count in seconds and shares, and name counters as such', () => {
    const metrics = read(status);
    expect(metrics.get('sluice_target_breaker_change_timestamp_seconds')?.samples).toEqual([
      { labels: { target: 'plex' }, value: Date.parse('2026-11-16T14:02:00.250Z') / 1_000 },
    ]);
    expect(metrics.get('sluice_target_latency_p95_seconds')?.samples).toContainEqual({
      labels: { target: 'plex', kind: 'listing' },
      value: 0.035,
    });
    expect(metrics.get('sluice_target_error_ratio')).toMatchObject({
      type: 'gauge',
      samples: [{ value: 0.13 }],
    });
    const counters = [...metrics].filter(([, { type }]) => type === 'counter').map(([name]) => name);
    expect(counters).toEqual([
      'sluice_target_cooldowns_total',
      'sluice_target_cooldown_participants_total',
      'sluice_target_parked_total',
      'sluice_target_released_total',
      'sluice_target_done_total',
      'sluice_target_retried_total',
      'sluice_target_failed_total',
      'sluice_target_filtered_total',
    ]);
  });

  it('tell by which rule scenes were left out, of each server', () => {
    const attic: TargetStatus = { ...target, filtered: { 'no-file': 3 } };
    expect(samples({ ...status, targets: { plex: target, attic } }, 'sluice_target_filtered_total')).toEqual([
      { labels: { target: 'plex', rule: 'syncOnlyOrganized' }, value: 44 },
      { labels: { target: 'plex', rule: 'not-in-plex' }, value: 45 },
      { labels: { target: 'attic', rule: 'no-file' }, value: 3 },
    ]);
  });

  it('tell how far each pass has come, and nothing about passes while there is none', () => {
    expect(samples(status, 'sluice_pass_looked')).toEqual([
      { labels: { pass: 'sync_all' }, value: 51 },
      { labels: { pass: 'reconcile' }, value: 54 },
    ]);
    const [first] = status.passes;
    const early: Status = { ...status, passes: first ? [{ ...first, total: null }] : [] };
    expect(samples(early, 'sluice_pass_scenes')).toBeUndefined();
    expect(samples(early, 'sluice_pass_queued')).toEqual([{ labels: { pass: 'sync_all' }, value: 52 }]);
    expect(metricsText({ ...status, passes: [] })).not.toContain('sluice_pass');
  });

  it('tell a state by one series per state', () => {
    for (const state of ['CLOSED', 'OPEN', 'HALF_OPEN'] as const) {
      const one: Status = {
        ...status,
        targets: { plex: { ...target, breaker: { ...target.breaker, state } } },
      };
      expect(samples(one, 'sluice_target_breaker_state')).toEqual(
        ['CLOSED', 'OPEN', 'HALF_OPEN'].map((other) => ({
          labels: { target: 'plex', state: other },
          value: Number(other === state),
        })),
      );
    }
    const limits = samples(status, 'sluice_target_limit');
    expect(limits).toHaveLength(9);
    expect(limits?.filter(({ value }) => value === 1)).toEqual([
      { labels: { target: 'plex', limit: 'ramp' }, value: 1 },
    ]);
  });

  it('tell the version, and whether things are as they should be', () => {
    const off: Status = {
      ...status,
      paused: false,
      worker: { alive: false, pid: null, since: null },
      stash: { reachable: false, since: null, error: 'Stash is not answering.' },
    };
    expect(samples(off, 'sluice_info')).toEqual([{ labels: { version: '1.2.3' }, value: 1 }]);
    for (const name of ['sluice_paused', 'sluice_worker_alive', 'sluice_stash_reachable']) {
      expect(samples(status, name)).toEqual([{ labels: {}, value: 1 }]);
      expect(samples(off, name)).toEqual([{ labels: {}, value: 0 }]);
    }
  });

  it('leave out what is not known, rather than call it 0', () => {
    const quiet: TargetStatus = {
      ...target,
      url: null,
      breaker: { ...target.breaker, since: null, retryAt: null, errorRate: null },
      recovery: { active: false, startedAt: null, endsAt: null, progress: null, multiplier: 1 },
      rate: { perSecond: null, limitedBy: 'none', achieved: 0, tokens: null, cap: null },
      cooldown: { ...target.cooldown, until: null, retryAfter: null },
      latency: { edit: { smoothedMs: 27, normalMs: 28, p95Ms: 29 } },
    };
    const metrics = read({ ...status, targets: { plex: quiet } });
    const known = [...read(status).keys()];
    expect(known.filter((name) => !metrics.has(name))).toEqual([
      'sluice_target_breaker_change_timestamp_seconds',
      'sluice_target_breaker_retry_timestamp_seconds',
      'sluice_target_error_ratio',
      'sluice_target_recovery_start_timestamp_seconds',
      'sluice_target_recovery_end_timestamp_seconds',
      'sluice_target_recovery_progress_ratio',
      'sluice_target_allowed_jobs_per_second',
      'sluice_target_cap_jobs_per_second',
      'sluice_target_tokens',
      'sluice_target_cooldown_end_timestamp_seconds',
      'sluice_target_retry_after_timestamp_seconds',
    ]);
    expect(metrics.get('sluice_target_latency_normal_seconds')?.samples).toEqual([
      { labels: { target: 'plex', kind: 'edit' }, value: 0.028 },
    ]);
    expect(metrics.get('sluice_target_configured')?.samples).toEqual([
      { labels: { target: 'plex' }, value: 0 },
    ]);
    expect([...read({ ...status, targets: {} }).keys()].some((name) => name.includes('target'))).toBe(false);
  });

  it('hold no address', () => {
    expect(metricsText(status)).not.toContain('plex:32400');
  });
});

describe("Prometheus' text", () => {
  it('escapes what has a meaning in it', () => {
    const labels = { target: 'a "b" \\ c\nd, e="f" {} \\n' };
    const text = prometheusText([
      { name: 'one', help: 'Two\nlines, and a \\ "quoted".', samples: [[labels, 1]] },
    ]);
    expect(text.split('\n')).toHaveLength(4);
    expect(text).toContain('# HELP one Two\\nlines, and a \\\\ "quoted".\n');
    expect(readPrometheus(text).get('one')?.samples).toEqual([{ labels, value: 1 }]);
  });

  it('has numbers of any size, and none that is no number', () => {
    const values = [0, -0, 1.5, -2, 1e21, 1e-9, Number.MAX_SAFE_INTEGER];
    const samples = [...values, Number.NaN, Number.POSITIVE_INFINITY, null].map(
      (value, n): [Record<string, string>, number | null] => [{ n: String(n) }, value],
    );
    const read = readPrometheus(prometheusText([{ name: 'one', help: 'One.', samples }])).get('one');
    expect(read?.samples.map(({ value }) => value)).toEqual(values.map((value) => value + 0));
  });
});
