/** What happens in the demo, in order. Nothing here waits for a fixed time where it can wait for the thing itself. */
import { systemClock } from '../../src/shared/clock';
import type { Household } from '../../test/sim/household';
import type { BulkSceneUpdateInput, SceneUpdateInput } from '../../test/sim/stash/inputs';
import type { Library } from './library';
import { films } from './library';
import { count } from './text';
import type { Watch } from './watch';

export interface Stage {
  home: Household;
  library: Library;
  watch: Watch;
  signal: AbortSignal;
}

export interface Outcome {
  outageMs: number;
  /** Workers that were killed. */
  kills: number;
  /** Nothing was waiting any more at the end. */
  drained: boolean;
}

/** Between two things that a person should see one after the other. */
const beatMs = 900;
const longestWaitMs = 15_000;
/** Plex is slow when it has just started; later on it is as quick as a small server is. */
const slowLatencyMs = 200;
const usualLatencyMs = 50;
/** Where on the ramp a worker is killed: far enough up to be told from its beginning. */
const killAtProgress = 0.3;

export async function tell(stage: Stage): Promise<Outcome> {
  const { home, library, watch, signal } = stage;
  const { people, tags, studio } = library;
  const say = watch.say.bind(watch);

  const pause = async (ms = beatMs): Promise<void> => {
    await systemClock.sleep(ms, signal);
    signal.throwIfAborted();
  };
  const comesTrue = async (isSo: () => boolean): Promise<boolean> => {
    const end = watch.atMs + longestWaitMs;
    while (!isSo() && watch.atMs < end) await pause(50);
    return isSo();
  };
  const edit = async (title: string, what: string, change: Omit<SceneUpdateInput, 'id'>): Promise<void> => {
    const input = { id: library.scene(title), ...change };
    await watch.save(
      1,
      () => `"${title}" ${what}`,
      () => home.stash.edit(input, { signal }),
    );
    await pause();
  };
  const editMany = async (
    titles: readonly string[],
    what: string,
    change: Omit<BulkSceneUpdateInput, 'ids'>,
  ): Promise<void> => {
    const ids = titles.map(library.scene);
    const text = (ms: number) =>
      `${ids.length} scenes at once: ${what} (${(ms / ids.length).toFixed(0)} ms each)`;
    await watch.save(ids.length, text, () => home.stash.editMany(ids, change, { signal }));
  };
  let kills = 0;
  const killWorker = async (): Promise<void> => {
    const pid = watch.worker;
    if (pid === null) throw new Error('There is no worker to kill');
    process.kill(pid, 'SIGKILL');
    kills++;
    say('bad', `worker killed with -9 (pid ${pid})`);
    await comesTrue(() => watch.worker === null);
    say('note', `nobody is at work; ${count(home.status()?.queue.waiting ?? 0, 'scene')} wait on disk`);
  };
  const nothingWaits = () => home.status()?.queue.waiting === 0 && watch.moment().inbox === 0;
  const all = films.map(({ title }) => title);

  home.plex.latencyMs = usualLatencyMs;
  say('note', `${films.length} scenes: Stash knows them well, Plex only their files`);
  await pause(2 * beatMs);

  await edit('Kelp Forest', 'gets a new title (first save: sets Sluice up)', {
    title: 'Kelp Forest: A Year Below',
  });
  await comesTrue(() => watch.worker !== null);
  await edit('Night Ferry', 'gets a new summary', { details: 'Two harbours, eight hours, no hurry.' });
  await edit('On Lichens', 'gets a second speaker', { performer_ids: people('Runa Ødegård', 'Mina Sato') });
  await edit('Evening Concert', 'gets its true date', { date: '2020-06-20' });

  say('note', 'Plex is about to fail two requests: only those scenes wait');
  home.plex.setFault({ kind: 'server-error', on: 'edit', every: 8, times: 2 });
  await editMany(all, 'tag "Watch again"', { tag_ids: { mode: 'ADD', ids: tags('Watch again') } });
  if (await comesTrue(nothingWaits)) say('good', 'Plex shows all of it');
  home.plex.setFault(null);
  await pause();

  say('bad', 'Plex goes down');
  const downAtMs = watch.atMs;
  watch.plexIs(false);
  await home.plex.goDown();
  await pause();
  await edit('Snow Leopard', 'loses its studio', { studio_id: null });
  await edit('Tiny Boats', 'gets a longer title', { title: 'Tiny Boats, Big Sea' });
  await edit('River Delta', 'gets a new person', { performer_ids: people('Lea Marchetti') });
  await edit('River Delta', 'again: two edits, one job', {
    performer_ids: people('Ada Heron', 'Lea Marchetti'),
  });
  await editMany(all, 'tag "Restored"', { tag_ids: { mode: 'ADD', ids: tags('Restored') } });
  await pause();

  await killWorker();
  await pause();
  await edit('Moss', 'moves to another studio, and wakes a worker', { studio_id: studio('Tidewater') });
  await comesTrue(() => watch.worker !== null);
  await comesTrue(() => watch.moment().inbox === 0);
  await pause(2 * beatMs);

  home.plex.latencyMs = slowLatencyMs;
  await home.plex.comeBack();
  watch.plexIs(true);
  const outageMs = watch.atMs - downAtMs;
  say('good', 'Plex comes back; Sluice notices at its next try');
  await comesTrue(() => watch.recovery !== null);
  home.plex.latencyMs = usualLatencyMs;

  await comesTrue(() => watch.progress >= killAtProgress);
  await killWorker();
  await pause();
  await edit('Clocks & Tides', 'gets a new summary, and wakes the next one', {
    details: 'Why the sea is late, and by how much.',
  });
  const emptied = async (): Promise<boolean> => {
    const isEmpty = await comesTrue(nothingWaits);
    if (isEmpty) say('good', 'the queue is empty');
    else say('bad', 'the queue is still not empty');
    return isEmpty;
  };
  const [drained] = await Promise.all([emptied(), comesTrue(() => watch.gate === 'closed')]);
  await watch.compare();
  await pause();
  return { outageMs, kills, drained };
}
