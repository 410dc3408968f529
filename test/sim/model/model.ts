/**
 * A random life of a small household: all that can happen in Stash, all that can go wrong with Plex, and in the end
 * every item has to show what `expectation.ts` says. The steps of a seed are always the same; how they fall together
 * with the work of the real worker is not.
 *
 * Holds in the end, when the trouble is over, a reconcile has run and nothing waits:
 * - every field of the item of every scene is as expected, also after Plex's agent ran over it: what was written is
 *   locked;
 * - so it is before the reconcile for those scenes that a hook told of;
 * - the items of no scene are as they were;
 * - no request was one that no client may make, and nothing was given up, except for a scene with two items.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mapFiles, recover } from '../../../src/persist/journal-format';
import { parseDeadLetter } from '../../../src/queue/entries';
import { MemoryLog } from '../../support/memory-log';
import { seeded } from '../../support/seeded';
import { Household, type HouseholdOptions, until } from '../household';
import type { Behaviour } from '../plex/behaviour';
import { Chance } from './chance';
import { disagreements, expectedItem } from './expectation';
import { editInPlex, plexSteps } from './plex-steps';
import { destroy, kinds, richValues, stashSteps } from './stash-steps';
import { type SettingsName, type Variation, variation } from './variation';
import { fileOf, pause, scenesOf, type World } from './world';

export interface ModelOptions {
  seed: number;
  tags: Behaviour['tags'];
  settings: SettingsName;
  scenes?: number;
}

/** Everything is quick to try again, and no job is given up for what this run does to Plex. */
const hurried = {
  SLUICE_POLL_SECONDS: '0.5',
  SLUICE_DEBUG: '1',
  SLUICE_FLOW_REQUEST_SECONDS: '1',
  SLUICE_FLOW_OPEN_SECONDS: '1',
  SLUICE_FLOW_OPEN_MAX_SECONDS: '1',
  SLUICE_FLOW_COOLDOWN_SECONDS: '0.1',
  SLUICE_FLOW_COOLDOWN_MAX_SECONDS: '0.5',
  SLUICE_FLOW_TRANSIENT_BASE_SECONDS: '0.2',
  SLUICE_FLOW_TRANSIENT_MAX_SECONDS: '1',
  SLUICE_FLOW_TRANSIENT_TRIES: '100',
  SLUICE_FLOW_MISSING_BASE_SECONDS: '0.2',
  SLUICE_FLOW_MISSING_MAX_SECONDS: '1',
  SLUICE_FLOW_MISSING_TRIES: '100',
  SLUICE_FLOW_COVER_SECONDS: '1',
  SLUICE_FLOW_DEATHS: '100',
};

/** An edit in Plex within the seconds of a write of ours cannot be told from that write. */
const quietMs = 3_500;

export class ModelRun {
  /** What happened, for a person who has to understand a failure. */
  readonly story: string[] = [];
  readonly #world: World;
  readonly #others: string;
  readonly #early: string[] = [];

  private constructor(
    readonly household: Household,
    readonly variation: Variation,
    chance: Chance,
  ) {
    this.#world = {
      household,
      chance,
      keepsOwn: variation.settings.plexKeepsOwn ?? false,
      count: 0,
      isDown: false,
      untold: new Set(),
      changedInPlex: new Set(),
      ambiguous: new Set(),
    };
    this.#others = this.#itemsOfNobody();
  }

  static async begin({ seed, tags, settings, scenes = 15 }: ModelOptions): Promise<ModelRun> {
    const chance = new Chance(seeded(seed));
    const chosen = variation(tags, settings, chance);
    const options: HouseholdOptions = {
      scenes: 0,
      settings: { syncReconcile: 'never', ...chosen.settings },
      env: hurried,
      plex: { behaviour: chosen.plex },
    };
    const household = await Household.open(options);
    furnish(household, scenes);
    const run = new ModelRun(household, chosen, chance);
    run.story.push(`seed ${seed}, ${settings}, ${JSON.stringify(chosen.plex)}`);
    return run;
  }

  /** Steps in Stash and trouble in Plex, and halfway a quiet moment for somebody to edit in Plex. */
  async live(steps: number): Promise<void> {
    const { chance } = this.#world;
    await this.#beginnings();
    for (let step = 1; step <= steps; step++) {
      const possible = chance.is(0.25) ? plexSteps : stashSteps;
      this.#note(await chance.weighted(possible).take(this.#world));
      await pause(chance.number(chance.is(0.2) ? 400 : 40));
      if (step === Math.floor(steps / 2)) await this.#quietMoment();
    }
  }

  /** Scenes that know much already, and a person who has just installed Sluice. */
  async #beginnings(): Promise<void> {
    const { stash } = this.household;
    for (const { id } of scenesOf(this.#world)) {
      const { studio_id, performer_ids, tag_ids, groups, ...rest } = richValues(this.#world);
      const record = stash.store.scenes.get(id);
      if (!record) continue;
      Object.assign(record, rest, {
        details: rest.details?.trim(),
        studioId: studio_id ? Number(studio_id) : null,
        performerIds: (performer_ids ?? []).map(Number).sort((a, b) => a - b),
        tagIds: (tag_ids ?? []).map(Number),
        groups: (groups ?? []).map(({ group_id }) => ({ groupId: Number(group_id), sceneIndex: null })),
      });
    }
    await stash.runOperation('sluice', { mode: 'sync_all' });
  }

  /** The trouble is over, and what nobody told us of is looked for. */
  async end(): Promise<void> {
    const { stash } = this.household;
    await this.#calmDown();
    this.#checkTold();
    // Who had them Stash cannot say any more. One kind after the other, so that none queues the scenes of the next.
    for (const kind of kinds) {
      this.#note(await destroy(this.#world, kind));
      await this.#drained();
      this.#checkTold();
    }
    this.#note('the end: reconcile');
    await stash.runOperation('sluice', { mode: 'reconcile' });
    await this.#drained();
  }

  /** One line for everything that is not as it has to be. */
  differences(): string[] {
    return [...this.#early, ...this.#itemDifferences(), ...this.#runDifferences()];
  }

  /** The same after Plex's agent has looked at each item: what is not locked is lost. */
  differencesAfterRefresh(): string[] {
    const { plex } = this.household;
    for (const { ratingKey } of [...plex.items()]) plex.refreshMetadata(ratingKey);
    return this.#itemDifferences().map((line) => `not locked: ${line}`);
  }

  /** The steps that name one of the scenes in these lines, or no scene at all, and what the worker said of it. */
  explain(lines: string[]): string {
    const scenes = new Set(lines.flatMap((line) => /scene (\d+)/.exec(line)?.[1] ?? []));
    const about = (line: string) =>
      [...scenes].some((id) => new RegExp(`\\bscenes?\\b.*\\b${id}\\b`, 'i').test(line));
    const log = this.household.log().split('\n').filter(about).slice(-40);
    return [...lines, ...this.story, 'worker.log:', ...log].join('\n');
  }

  close(): Promise<void> {
    return this.household.close();
  }

  #note(what: string | null): void {
    if (what !== null) this.story.push(`${new Date().toISOString().slice(14, 23)} ${what}`);
  }

  async #calmDown(): Promise<void> {
    const { stash, plex } = this.household;
    plex.setFault(null);
    if (this.#world.isDown) await plex.comeBack();
    this.#world.isDown = false;
    // Killed workers are started by the next thing that happens in Stash; here it is a task.
    await stash.runOperation('sluice', { mode: 'reset_breaker' });
    await this.#drained();
  }

  async #quietMoment(): Promise<void> {
    if (!this.variation.handEdits) return;
    await this.#calmDown();
    this.#checkTold();
    const { plex } = this.household;
    const isWrite = ({ method, applied }: { method: string; applied: boolean }) =>
      method !== 'GET' && applied;
    const last = plex.requests.findLast(isWrite)?.at ?? 0;
    await pause(Math.max(0, last + quietMs - Date.now()));
    for (let n = 0; n < 5; n++) this.#note(await editInPlex(this.#world));
    await pause(1_100);
  }

  /** Nothing waits, is under way, or is still to be looked for, as the worker says after the inbox was seen empty. */
  async #drained(): Promise<void> {
    const { state } = this.household;
    let emptyAt: number | null = null;
    await until(
      'nothing waits',
      () => {
        if (readdirSync(state.inbox).some((name) => name.endsWith('.json'))) emptyAt = null;
        else emptyAt ??= Date.now();
        const status = this.household.status();
        if (!status || emptyAt === null || statSync(state.status).mtimeMs <= emptyAt) return false;
        const { queue, passes } = status;
        return queue.waiting + queue.inFlight + queue.fanOuts + passes.length === 0;
      },
      60_000,
    );
  }

  /** What a hook told us of has arrived without a reconcile. */
  #checkTold(): void {
    const { untold, changedInPlex } = this.#world;
    this.#early.push(
      ...this.#itemDifferences((id) => !untold.has(id) && !changedInPlex.has(id)).map(
        (line) => `before the reconcile: ${line}`,
      ),
    );
  }

  #itemDifferences(isMeant: (scene: number) => boolean = () => true): string[] {
    const { stash, plex } = this.household;
    const givenUp = this.#givenUp();
    const scenes = scenesOf(this.#world).filter(({ id }) => isMeant(id));
    return scenes.flatMap((scene) => {
      const file = fileOf(this.#world, scene);
      if (!plex.itemByFile(file)) return [`scene ${scene.id}: Plex has no item for ${file}`];
      if (this.#world.ambiguous.has(scene.id) && givenUp.includes(scene.id)) return [];
      const expected = expectedItem(stash.store, scene, this.variation.settings);
      return disagreements(expected, plex.shown(file)).map((line) => `scene ${scene.id}, ${line}`);
    });
  }

  #runDifferences(): string[] {
    const lines = this.household.plex.violations.map(({ why, request }) => `${why}: ${request.url}`);
    if (this.#itemsOfNobody() !== this.#others) lines.push('an item of no scene was changed');
    for (const scene of this.#givenUp())
      if (!this.#world.ambiguous.has(scene)) lines.push(`scene ${scene} was given up`);
    if (this.household.log().includes('damaged')) lines.push('a file was damaged');
    return lines;
  }

  /** Scenes with a dead letter, as the next worker would read them. */
  #givenUp(): number[] {
    const files = mapFiles(join(this.household.state.root, 'dead-letters'));
    const { entries } = recover(files, 'dead letters', parseDeadLetter, new MemoryLog());
    return [...entries.values()].map(({ scene }) => scene);
  }

  #itemsOfNobody(): string {
    const items = [...this.household.plex.items()].filter(({ files }) =>
      files[0]?.startsWith('/media/nobody'),
    );
    return JSON.stringify(items);
  }
}

function furnish(household: Household, scenes: number): void {
  const { stash, plex } = household;
  for (const name of ['chiara moss', 'Evening Concert']) stash.addPerformer({ name });
  stash.addPerformer({ name: 'Ada Heron', disambiguation: 'the younger' });
  for (const name of ['night', 'Kelp Forest', 'a/b "c"']) stash.addTag({ name });
  const parentId = household.studios[0] ?? null;
  for (const name of ['Fjord, Inc.', 'tiny lens']) stash.addStudio({ name, parentId });
  for (const name of ['The Long River', 'Shorts, vol. 1', 'on lichens', '"Best of"'])
    stash.addGroup({ name });
  for (let n = 1; n <= scenes; n++) {
    const subject = ['Kelp Forest', 'Snow Leopard', 'River Delta', 'Evening Concert', 'The Lichen'][n % 5];
    household.addScene(`${n % 3 === 0 ? 'shelf 0/' : ''}${subject} ${String(n).padStart(3, '0')}.mp4`);
  }
  for (const n of [1, 2])
    plex.addItem({
      library: 'Films',
      file: `/media/nobody/Family ${n}.mp4`,
      title: 'Take 1 of it',
      genres: ['Wetland', 'Family'],
      actors: ['Ada Heron'],
      studio: 'North Shore Films',
      userRating: 4,
    });
}
