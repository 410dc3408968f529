import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { metricsText } from '../../../src/shared/metrics';
import { reportMetrics } from '../../../src/tasks/metrics';
import { readPrometheus } from '../../support/prometheus';
import { TaskRig } from './rig';

describe('the task "metrics"', () => {
  it('answers with the status of this moment as Prometheus reads it, and says one line', async () => {
    const rig = new TaskRig();
    rig.workerLives();
    rig.says({ queue: { waiting: 7 }, plex: { done: 5 } });
    const text = await reportMetrics(rig.context);
    expect(text).toBe(metricsText(rig.status({ queue: { waiting: 7 }, plex: { done: 5 } })));
    expect(readPrometheus(text).get('sluice_target_done_total')?.samples).toEqual([
      { labels: { target: 'plex' }, value: 5 },
    ]);
    expect(rig.log.lines).toHaveLength(1);
    expect(rig.log.lines[0]).toMatchObject({ level: 'info' });
    expect(rig.log.lines[0]?.message).toContain(rig.paths.metrics);
    expect(existsSync(rig.paths.metrics)).toBe(false); // that file is the worker's
  });

  it('works before anything was ever done', async () => {
    const metrics = readPrometheus(await reportMetrics(new TaskRig().context));
    expect(metrics.get('sluice_worker_alive')?.samples).toEqual([{ labels: {}, value: 0 }]);
  });
});
