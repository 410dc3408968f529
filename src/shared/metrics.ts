/**
 * The numbers of the status for Prometheus: for the task `metrics`, and for the file `metrics.prom` that node_exporter
 * can pick up.
 *
 * Holds: every number of the status is in it, but the process id, which measures nothing. Units are seconds and shares
 * of 1; instants are seconds since 1970. What has a state has one series per state, 1 for the one that it is in.
 */
import { prometheusText, type Sample, type Value } from './prometheus';
import type { CallKind, Limit, QueueStatus, Status, TargetStatus } from './status';

interface Metric {
  name: string;
  help: string;
  samples(status: Status): Sample[];
}

export const metricsText = (status: Status): string =>
  prometheusText(metrics.map(({ name, help, samples }) => ({ name, help, samples: samples(status) })));

type StatusOfPass = Status['passes'][number];

/** An instant of the status. */
const instant = (iso: string | null): Value => (iso === null ? null : Date.parse(iso) / 1_000);

const overall = (name: string, help: string, value: (status: Status) => Value): Metric => ({
  name: `sluice_${name}`,
  help,
  samples: (status) => [[{}, value(status)]],
});

const perTarget = (
  name: string,
  help: string,
  samples: (target: TargetStatus) => Value | Sample[],
): Metric => ({
  name: `sluice_target_${name}`,
  help,
  samples: ({ targets }) =>
    Object.entries(targets).flatMap(([target, status]) => {
      const found = samples(status);
      const list: Sample[] = Array.isArray(found) ? found : [[{}, found]];
      return list.map(([labels, value]): Sample => [{ target, ...labels }, value]);
    }),
});

const perPass = (name: string, help: string, value: (pass: StatusOfPass) => Value): Metric => ({
  name: `sluice_pass_${name}`,
  help,
  samples: ({ passes }) => passes.map((pass): Sample => [{ pass: pass.name }, value(pass)]),
});

/** One series for each that something can be. */
const oneOf = <T extends string>(label: string, all: Record<T, true>, current: T): Sample[] =>
  Object.keys(all).map((one) => [{ [label]: one }, one === current]);

const breakerStates: Record<TargetStatus['breaker']['state'], true> = {
  CLOSED: true,
  OPEN: true,
  HALF_OPEN: true,
};

const limits: Record<Limit, true> = {
  none: true,
  paused: true,
  'not configured': true,
  breaker: true,
  'retry-after': true,
  cooldown: true,
  ramp: true,
  cap: true,
  lanes: true,
};

type Latency = NonNullable<TargetStatus['latency'][CallKind]>;

const latencies = ({ latency }: TargetStatus, ms: (of: Latency) => number): Sample[] =>
  Object.entries(latency).map(([kind, of]) => [{ kind }, ms(of) / 1_000]);

const queueMetrics: [string, string, (queue: QueueStatus) => number][] = [
  ['waiting', 'Jobs that are not finished.', (queue) => queue.waiting],
  ['due', 'Jobs that could be sent now, if the gate allows it.', (queue) => queue.due],
  ['in_flight', 'Jobs that are being sent.', (queue) => queue.inFlight],
  ['parked', 'Jobs that wait for the end of a cooldown.', (queue) => queue.parked],
  ['retrying', 'Jobs that failed before.', (queue) => queue.retrying],
];

const metrics: Metric[] = [
  {
    name: 'sluice_info',
    help: 'The version of Sluice.',
    samples: ({ version }) => [[{ version }, 1]],
  },
  overall('paused', 'Whether it is paused.', ({ paused }) => paused),
  overall('worker_alive', 'Whether a worker runs.', ({ worker }) => worker.alive),
  overall('worker_start_timestamp_seconds', 'When the worker started.', ({ worker }) =>
    instant(worker.since),
  ),
  overall('stash_reachable', 'Whether Stash answers.', ({ stash }) => stash.reachable),
  overall('stash_change_timestamp_seconds', 'Since when Stash has been answering, or not.', ({ stash }) =>
    instant(stash.since),
  ),
  overall('inbox_files', 'Files that are not in the queue yet.', ({ inbox }) => inbox),
  ...queueMetrics.map(([name, help, value]) =>
    overall(`queue_${name}`, `${help.slice(0, -1)}, over all targets.`, ({ queue }) => value(queue)),
  ),
  overall(
    'queue_fan_outs',
    'Noted changes of performers, studios, tags and groups.',
    ({ queue }) => queue.fanOuts,
  ),
  overall(
    'dead_letters',
    'Jobs that were given up, and wait for a person.',
    ({ deadLetters }) => deadLetters,
  ),

  perPass('start_timestamp_seconds', 'When the pass that is under way began.', ({ startedAt }) =>
    instant(startedAt),
  ),
  perPass('looked', 'Scenes that it has looked at.', ({ looked }) => looked),
  perPass('queued', 'Scenes that it has queued.', ({ queued }) => queued),
  perPass('scenes', 'Scenes that there are to look at.', ({ total }) => total),

  perTarget('configured', 'Whether address and token are set.', ({ url }) => url !== null),
  perTarget('breaker_state', 'The state of the circuit breaker.', ({ breaker }) =>
    oneOf('state', breakerStates, breaker.state),
  ),
  perTarget(
    'breaker_change_timestamp_seconds',
    'When the outage began, or when the last one ended.',
    ({ breaker }) => instant(breaker.since),
  ),
  perTarget('breaker_retry_timestamp_seconds', 'When Plex is asked next.', ({ breaker }) =>
    instant(breaker.retryAt),
  ),
  perTarget(
    'failures_in_a_row',
    'How often Plex failed since its last success.',
    ({ breaker }) => breaker.failuresInARow,
  ),
  perTarget(
    'overloads_in_a_row',
    'How often Plex was overloaded since its last success.',
    ({ breaker }) => breaker.overloadsInARow,
  ),
  perTarget(
    'error_ratio',
    'The share of failures among the latest results.',
    ({ breaker }) => breaker.errorRate,
  ),

  perTarget('recovery_active', 'Whether a recovery period is under way.', ({ recovery }) => recovery.active),
  perTarget('recovery_start_timestamp_seconds', 'When the recovery period began.', ({ recovery }) =>
    instant(recovery.startedAt),
  ),
  perTarget('recovery_end_timestamp_seconds', 'When the recovery period ends.', ({ recovery }) =>
    instant(recovery.endsAt),
  ),
  perTarget(
    'recovery_progress_ratio',
    'How much of the recovery period is over.',
    ({ recovery }) => recovery.progress,
  ),
  perTarget(
    'recovery_multiplier_ratio',
    'What the rate of the recovery period is multiplied by because of errors.',
    ({ recovery }) => recovery.multiplier,
  ),

  perTarget('limit', 'What keeps the next job back, or slows it down.', ({ rate }) =>
    oneOf('limit', limits, rate.limitedBy),
  ),
  perTarget(
    'allowed_jobs_per_second',
    'What the limits allow; missing without a limit.',
    ({ rate }) => rate.perSecond,
  ),
  perTarget('achieved_jobs_per_second', 'What was sent over the last seconds.', ({ rate }) => rate.achieved),
  perTarget('cap_jobs_per_second', 'The adaptive cap; missing without one.', ({ rate }) => rate.cap),
  perTarget('tokens', 'What is in the token bucket.', ({ rate }) => rate.tokens),

  perTarget('cooldown_end_timestamp_seconds', 'When the cooldown ends.', ({ cooldown }) =>
    instant(cooldown.until),
  ),
  perTarget('retry_after_timestamp_seconds', 'Until when Plex asked us to wait.', ({ cooldown }) =>
    instant(cooldown.retryAfter),
  ),
  perTarget('cooldowns_total', 'Cooldowns after an overload.', ({ cooldown }) => cooldown.generations),
  perTarget(
    'cooldown_participants_total',
    'Jobs that met the overload of a cooldown.',
    ({ cooldown }) => cooldown.participants,
  ),
  perTarget('parked_total', 'Jobs that were parked.', ({ cooldown }) => cooldown.parked),
  perTarget('released_total', 'Parked jobs that came back.', ({ cooldown }) => cooldown.released),

  perTarget('latency_smoothed_seconds', 'How long Plex takes to answer, smoothed.', (target) =>
    latencies(target, ({ smoothedMs }) => smoothedMs),
  ),
  perTarget('latency_normal_seconds', 'How long Plex normally takes to answer.', (target) =>
    latencies(target, ({ normalMs }) => normalMs),
  ),
  perTarget('latency_p95_seconds', 'What 95 of 100 answers take at most.', (target) =>
    latencies(target, ({ p95Ms }) => p95Ms),
  ),

  ...queueMetrics.map(([name, help, value]) => perTarget(`queue_${name}`, help, ({ queue }) => value(queue))),
  perTarget('done_total', 'Jobs that ended well.', ({ done }) => done),
  perTarget('retried_total', 'Tries of jobs that failed and were put off.', ({ retried }) => retried),
  perTarget('failed_total', 'Jobs that were given up.', ({ failed }) => failed),
  perTarget(
    'filtered_total',
    'Jobs that ended well because the scene is left out, by the setting that does so or by the reason.',
    ({ filtered }) => Object.entries(filtered).map(([rule, count]) => [{ rule }, count]),
  ),
];
