import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { askWorker } from '../../../src/tasks/ask-worker';
import { modeOf } from '../../support/files';
import { TaskRig } from './rig';

describe('what a task asks of the worker', () => {
  let rig: TaskRig;

  beforeEach(() => {
    rig = new TaskRig();
    rig.workerLives();
  });

  it('lies in the inbox as a private file with the connection, and the answer is fetched and shown', async () => {
    const answer = askWorker(rig.context, 'sync_recent', { hours: 3 });
    const [name = ''] = readdirSync(rig.paths.inbox);
    expect(modeOf(join(rig.paths.inbox, name))).toBe('600');
    expect(rig.commands()).toMatchObject([{ command: 'sync_recent', args: { hours: 3 } }]);
    for (const [message, progress] of [
      ['1000 of 2000', 0.5],
      ['1500 of 2000', 0.75],
    ] as const) {
      await rig.answer({ done: false, message, progress });
      await rig.clock.advance(200);
    }
    await rig.answer({ done: true, message: '2000 scenes are queued.', progress: 1 });
    await rig.clock.advance(200);
    expect(await answer).toBe('2000 scenes are queued.');
    expect(rig.log.fractions).toEqual([0.5, 0.75, 1]);
    expect(readdirSync(rig.paths.answers)).toEqual([]);
  });

  it('fails with what the worker says went wrong', async () => {
    const answer = askWorker(rig.context, 'sync_recent').catch((error: Error) => error.message);
    await rig.answer({ done: true, message: '"hours" is wrong.', failed: true });
    await rig.clock.advance(200);
    expect(await answer).toBe('"hours" is wrong.');
    expect(readdirSync(rig.paths.answers)).toEqual([]);
  });

  it('that nobody answers is recorded all the same, and where to look is said', async () => {
    const answer = askWorker(rig.context, 'pause').catch((error: Error) => error.message);
    await rig.clock.advance(40_100);
    expect(await answer).toMatch(/did not answer within 40 s\. What you asked for is recorded.*worker\.log/);
    expect(rig.commands()).toMatchObject([{ command: 'pause' }]);
  });

  it('is waited for as long as it gets on, also when the words stay the same', async () => {
    const answer = askWorker(rig.context, 'dry_run');
    for (let page = 1; page <= 3; page++) {
      await rig.answer({ done: false, message: 'Comparing …', progress: page / 4 });
      await rig.clock.advance(30_000);
    }
    await rig.answer({ done: true, message: 'One line.\nAnd another.' });
    await rig.clock.advance(200);
    expect(await answer).toBe('One line.\nAnd another.');
    expect(rig.log.fractions).toEqual([0.25, 0.5, 0.75]);
  });

  it('is waited for as long as there is news, and then goes on without the task', async () => {
    const answer = askWorker(rig.context, 'sync_all');
    for (let page = 1; page <= 3; page++) {
      await rig.answer({ done: false, message: `${page}000 scenes are queued so far.`, progress: page / 9 });
      await rig.clock.advance(30_000);
    }
    await rig.clock.advance(11_000);
    expect(await answer).toBe('3000 scenes are queued so far. The worker goes on in the background.');
  });
});
