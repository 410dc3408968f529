/** The task `metrics`: the status in Prometheus' text format, as the worker also writes it to `metrics.prom`. */
import { metricsText } from '../shared/metrics';
import type { TaskContext } from './ask-worker';
import { currentStatus } from './status';

export async function reportMetrics(context: TaskContext): Promise<string> {
  const text = metricsText(await currentStatus(context));
  const { log, paths } = context;
  log.info(`The metrics are what this task answers; while a worker runs they are also in ${paths.metrics}.`);
  return text;
}
