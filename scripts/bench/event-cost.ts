/** What one event costs the worker: from a file in the inbox to a line in the queue's journal. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InboxReader, type Receiver } from '../../src/queue/fold';
import type { Queue } from '../../src/queue/queue';
import { systemClock } from '../../src/shared/clock';
import { type Compared, compare, type Sampled, timeOf } from './measure';
import { type OwnState, openOwnState, queueScenes, targetName } from './own-state';

const atOnce = 500;
const rounds = { single: 150, batch: 15, journal: 2 };

interface HookInput {
  args: { hookContext: { id: number; input: { id: string } } };
}

export async function eventCost(many: number, few: number): Promise<Compared[]> {
  const [none, short, long] = [await openOwnState(), await openOwnState(), await openOwnState()];
  await queueScenes(short, few);
  await queueScenes(long, many);
  const wait = `${many} jobs wait`;
  const single = {
    what: `fold one event by itself, ${wait}`,
    of: folding(long, 1, wait),
    to: folding(none, 1, 'none waits'),
    limit: 1.2,
  };
  const batch = {
    what: `fold one event of ${atOnce}, ${wait}`,
    of: folding(long, atOnce, wait),
    to: folding(none, atOnce, 'none waits'),
    limit: 1.2,
  };
  const journal = {
    what: `of that the queue and its journal with snapshots, against ${few} jobs`,
    of: journaling(long.queue, many, wait),
    to: journaling(short.queue, few, `${few} wait`),
    limit: null,
  };
  const compared = [
    ...(await compare([single], rounds.single, { warmUp: 10 })),
    ...(await compare([batch], rounds.batch, { warmUp: 2 })),
    ...(await compare([journal], rounds.journal)),
  ];
  for (const state of [none, short, long]) await state.remove();
  return compared;
}

/** `count` scenes, each edited by a person: their hooks have left a file each. */
function folding({ paths, queue, log }: OwnState, count: number, name: string): Sampled {
  const receiver: Receiver = {
    connection: () => {},
    event: ({ ids, bulk }) => {
      for (const id of ids) queue.add(targetName, id, { bulk, asked: false });
    },
    command: () => {},
    flush: () => queue.flush(),
    passOn: () => false,
  };
  const folder = new InboxReader(paths, '/plugins/sluice', receiver, systemClock, log);
  const recorded = readFileSync(join('test', 'fixtures', 'stash', 'hook-scene-update.json'), 'utf8');
  const input = JSON.parse(recorded) as HookInput;
  return {
    name: `fold ${count} event(s), ${name}`,
    sample: async () => {
      for (let scene = 1; scene <= count; scene++) {
        input.args.hookContext.id = scene;
        input.args.hookContext.input.id = String(scene);
        writeFileSync(join(paths.inbox, `h${scene}-0.json`), JSON.stringify(input));
      }
      const ms = await timeOf(async () => {
        await folder.fold();
        queue.nextAt(targetName); // what the drain loop asks when the bell rings
      });
      return ms / count;
    },
  };
}

/** Enough events that the journal of a long queue is replaced by a snapshot on the way. */
function journaling(queue: Queue, jobs: number, name: string): Sampled {
  const events = 210_000;
  let scene = 0;
  const all = async () => {
    for (let event = 1; event <= events; event++) {
      scene = (scene % jobs) + 1;
      queue.add(targetName, scene, { bulk: false, asked: false });
      if (event % atOnce > 0) continue;
      await queue.flush();
      queue.nextAt(targetName);
    }
  };
  return { name: `journal ${events} events, ${name}`, sample: async () => (await timeOf(all)) / events };
}
