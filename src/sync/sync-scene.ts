/**
 * Brings one scene's item in Plex in step with Stash, by the plan of `plan.ts`.
 *
 * Holds: success goes into the ledger last, so that an interruption at any point means that this is done again; a
 * repetition writes nothing.
 *
 * Rejects only when `signal` aborts, or when something other than Stash and Plex failed (a ledger that may no
 * longer be written): neither says anything about the job.
 */
import { isItemsFault, PlexError, toOutcome } from '../plex/errors';
import type { PlexFinder } from '../plex/finder';
import type { FolderScanner } from '../plex/scanner';
import type { Outcome } from '../shared/outcome';
import type { Scene } from '../stash/scene';
import { StashTrouble } from '../stash/trouble';
import { applyEdit, ItemVanished } from './apply-edit';
import { isFresh } from './cover';
import type { Habits } from './habits';
import type { KnownPictures, Relations } from './ledger-entry';
import * as messages from './messages';
import { oursAfter, triedBefore } from './own-values';
import { applyPictures, picturesAfter, picturesBefore } from './pictures';
import { type Aim, type Found, type Plan, type PlanPorts, planScene, type SyncJob } from './plan';

export interface SyncPorts extends PlanPorts {
  finder: PlanPorts['finder'] & Pick<PlexFinder, 'libraries' | 'advance'>;
  scanner: Pick<FolderScanner, 'request'>;
  /** What the server was seen to do with lists; one for all lanes of a target. */
  habits: Habits;
  /** How long after a scene was first seen without a cover one more look is worth it. */
  coverMs: number;
  /** Resolves when the ledger is on disk. */
  keep(): Promise<void>;
}

export async function syncScene(job: SyncJob, ports: SyncPorts): Promise<Outcome> {
  try {
    return await planScene(job, ports, (plan) => carryOut(plan, job, ports));
  } catch (error) {
    ports.signal.throwIfAborted();
    if (error instanceof StashTrouble) return { kind: 'stash-away', message: error.message };
    return outcomeFor(job.scene, error);
  }
}

async function carryOut(plan: Plan, job: SyncJob, ports: SyncPorts): Promise<Outcome> {
  const { ledger } = ports;
  switch (plan.kind) {
    case 'gone':
      ledger.remove(job.scene);
      return plan;
    case 'filtered':
      return plan;
    case 'listing':
      await list(ports);
      return plan;
    case 'settled':
      noteSettled(plan, ports);
      return { kind: 'unchanged', looked: false, ...lookAgain(plan.aim, job, ports) };
    case 'ambiguous':
      return { kind: 'bad-data', message: plan.message };
    case 'not-in-plex':
      return await miss(plan.aim, plan.message, ports);
    case 'found':
      return await bringInStep(plan, job, ports);
  }
}

/** One page. If Plex is well and cannot give it, scenes are asked for one by one for a while. */
async function list({ finder, signal }: SyncPorts): Promise<void> {
  try {
    await finder.advance(signal);
  } catch (error) {
    if (error instanceof PlexError && isItemsFault(error)) finder.index.failed();
    throw error;
  }
}

async function miss(aim: Aim, message: string, ports: SyncPorts): Promise<Outcome> {
  const { ledger, finder, scanner, settings, signal } = ports;
  // Not forgotten: if it comes back, what we wrote there is still ours.
  const known = ledger.get(aim.scene.id);
  if (known && !known.stale) ledger.put(aim.scene.id, { ...known, stale: true });
  let isAsked = false;
  for (const file of settings.plexScan ? aim.files : []) {
    isAsked = (await scanner.request(file, await finder.libraries(signal), signal)) || isAsked;
  }
  const said = isAsked ? `${message} Plex was asked to scan its folder.` : message;
  if (settings.plexMissing === 'drop') return { kind: 'filtered', rule: 'not-in-plex', message: said };
  return { kind: 'not-in-plex', message: said };
}

async function bringInStep(found: Found, job: SyncJob, ports: SyncPorts): Promise<Outcome> {
  const { aim, item, ours, edit, steps, instead } = found;
  const { plex, ledger, clock, signal, settings, habits } = ports;
  const { scene, wanted, former, cover, kinds } = aim;
  const owner = ledger.sceneAt(item.ratingKey);
  if (owner !== undefined && owner !== scene.id) ledger.remove(owner);
  const place = {
    ratingKey: item.ratingKey,
    file: aim.file,
    ...(found.how === 'name' ? { byName: true as const } : {}),
    ...relationsOf(scene),
  };
  const isWrite = edit !== null || steps.length > 0;
  if (isWrite) {
    // From here on Plex shows neither the old nor the new state for sure, and a write that seems to have failed may
    // have arrived: if the person takes their edit back now, the ledger must not say that all is well.
    const tried = triedBefore(wanted, edit, ours);
    const pictures = picturesBefore(cover, steps, ours?.pictures);
    ledger.put(scene.id, { ...place, ...tried, ...(pictures && { pictures }), at: clock.now(), stale: true });
    // Otherwise a crash would make our own values look like Plex's own.
    if (settings.plexKeepsOwn) await ports.keep();
  }
  const shown = await applyPictures(steps, cover, item, plex, signal);
  const applied = isWrite ? await applyEdit(edit, item, plex, habits, signal, shown.locks) : null;
  if (shown.failure) throw shown.failure;
  const now = clock.now();
  const seen = isWrite ? null : item;
  const pictures = picturesAfter(aim, found.shownPictures, shown, seen, ours?.pictures, now);
  ledger.put(scene.id, {
    ...place,
    ...oursAfter(wanted, item, edit, ours, { former }, applied),
    at: now,
    ...(seen && { seen: seen.updatedAt }),
    ...(found.keepsOwn ? { keptOwn: true as const } : {}),
    ...((kinds.length > 0 || ours?.pictures) && { pictures }),
  });
  const more = { ...lookAgain(aim, job, ports), ...(instead !== null && { displaced: instead }) };
  const problems = [
    ...(cover.problem === null ? [] : [cover.problem]),
    ...shown.problems,
    ...(applied?.cut ?? []),
  ];
  if (!isWrite && problems.length === 0) return { kind: 'unchanged', looked: true, ...more };
  const fields = [...(edit?.fields ?? []), ...shown.fields];
  const kept = [...(edit?.kept ?? []), ...found.keptPictures];
  const title = wanted.title ?? item.title;
  const message = messages.written(scene, title, {
    fields,
    kept,
    problems,
    instead,
    byName: found.how === 'name',
  });
  return { kind: 'ok', message, ...more };
}

/** A scan tells of a scene before its cover exists, and of the cover not at all. */
function lookAgain({ scene, kinds, cover }: Aim, job: SyncJob, ports: SyncPorts): { lookAgain?: true } {
  if (kinds.length === 0 || cover.sha1 !== null || job.secondLook) return {};
  const since = ports.ledger.get(scene.id)?.pictures?.missingSince;
  return since !== undefined && ports.clock.now() - since < ports.coverMs ? { lookAgain: true } : {};
}

/** A deleted performer cannot be asked for its scenes: the ledger has to know, also when nothing was written. */
function noteSettled(
  { aim, known, seen }: Extract<Plan, { kind: 'settled' }>,
  { ledger, clock }: SyncPorts,
): void {
  const relations = relationsOf(aim.scene);
  const { studio, studioParent, performers, tags, groups } = known;
  const before = { studio, ...(studioParent !== undefined && { studioParent }), performers, tags, groups };
  const isSame = JSON.stringify(before) === JSON.stringify(relations);
  const pictures =
    known.pictures && aim.kinds.length > 0 ? fetchedNow(known.pictures, aim, clock.now()) : null;
  const isSameCover =
    pictures === null || (pictures.from === known.pictures?.from && pictures.fresh === known.pictures?.fresh);
  if (isSame && isSameCover && (seen === null || seen === known.seen)) return;
  const { studioParent: _, ...rest } = known;
  ledger.put(aim.scene.id, {
    ...rest,
    ...relations,
    ...(pictures && { pictures }),
    ...(seen !== null && { seen }),
  });
}

/** The same cover, found under this address now. */
function fetchedNow(known: KnownPictures, { cover: { from } }: Aim, now: number): KnownPictures {
  const { fresh: _, ...rest } = known;
  return { ...rest, from, ...(isFresh(from, now) && { fresh: true }) };
}

export function relationsOf(scene: Scene): Relations {
  return {
    studio: scene.studio?.id ?? null,
    ...(scene.studio?.parent && { studioParent: scene.studio.parent.id }),
    performers: scene.performers.map(({ id }) => id),
    tags: scene.tags.map(({ id }) => id),
    groups: scene.groups.map(({ id }) => id),
  };
}

/** What went wrong with this one item says which scene it was; what is wrong with the server concerns all. */
function outcomeFor(scene: number, error: unknown): Outcome {
  if (error instanceof ItemVanished) return { kind: 'not-in-plex', message: messages.vanished(scene) };
  const outcome = toOutcome(error);
  if (outcome.kind !== 'bad-data' && outcome.kind !== 'transient') return outcome;
  return { kind: outcome.kind, message: `Scene ${scene} was not synced: ${outcome.message}` };
}
