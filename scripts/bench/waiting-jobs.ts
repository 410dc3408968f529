import type { Job } from '../../src/queue/entries';
import { jobKey } from '../../src/queue/queue';

/** A queue's entries: so many scenes that wait, from id 1 on. */
export function* waitingJobs(count: number): Generator<[string, Job]> {
  const queuedAt = Date.now();
  for (let scene = 1; scene <= count; scene++) {
    const place = { target: 'plex', scene, rev: 1, bulk: true, asked: true, queuedAt };
    yield [jobKey('plex', scene), { is: 'job', ...place, dueAt: 0, attempts: 0, reason: null }];
  }
}
