/**
 * Brings one scene's item in Plex in step with Stash.
 *
 * The scene is read at this moment, so ten edits cost one sync and nothing stale is written. What the ledger says
 * we wrote is believed, and costs no request; what it says about where is checked, because a rebuilt Plex gives
 * old keys to other items.
 *
 * Holds: nothing is written to an item whose file is not the scene's; success goes into the ledger last, so that
 * an interruption at any point means that this is done again; a repetition writes nothing.
 *
 * Rejects only when `signal` aborts, or when something other than Stash and Plex failed (a ledger that may no
 * longer be written): neither says anything about the job.
 */
import type { PlexItem } from '../plex/answers';
import { toOutcome } from '../plex/errors';
import type { PlexFinder } from '../plex/finder';
import { pathKey } from '../plex/path-map';
import type { Clock } from '../shared/clock';
import { shortHash } from '../shared/hash';
import type { Outcome } from '../shared/outcome';
import type { Scene } from '../stash/scene';
import { StashTrouble } from '../stash/trouble';
import { applyEdit, type EditingPlex, ItemVanished } from './apply-edit';
import { difference } from './difference';
import { fingerprints } from './fields';
import type { Ledger, LedgerEntry } from './ledger-entry';
import * as messages from './messages';
import type { OneAtATime } from './one-at-a-time';
import { type Wanted, wantedState } from './wanted';

export interface SyncPorts {
  stash: { scene(id: number, signal: AbortSignal): Promise<Scene | null> };
  plex: EditingPlex;
  finder: Pick<PlexFinder, 'find' | 'matches' | 'mapped' | 'folders' | 'rules'>;
  ledger: Ledger;
  /** One for all lanes of a target. */
  items: OneAtATime;
  clock: Clock;
  signal: AbortSignal;
}

export interface SyncJob {
  scene: number;
  /** A person asked for this sync: look at Plex even if the ledger says that all is well. */
  asked: boolean;
}

export async function syncScene(job: SyncJob, ports: SyncPorts): Promise<Outcome> {
  try {
    return await sync(job, ports);
  } catch (error) {
    ports.signal.throwIfAborted();
    if (error instanceof StashTrouble) return { kind: 'stash-away', message: error.message };
    return outcomeFor(job.scene, error);
  }
}

async function sync(job: SyncJob, ports: SyncPorts): Promise<Outcome> {
  const { stash, finder, ledger, signal } = ports;
  const scene = await stash.scene(job.scene, signal);
  if (scene === null) {
    ledger.remove(job.scene);
    return { kind: 'gone' };
  }
  if (scene.files.length === 0) {
    return {
      kind: 'filtered',
      message: `Scene ${scene.id} has no file, so Plex has nothing to show it with.`,
    };
  }
  const files = scene.files.map((path) => finder.mapped(path));
  const wanted = wantedState(scene);
  const wrote = { ...fingerprints(wanted), file: shortHash(files.map(pathKey).sort()) };
  const known = ledger.get(scene.id);
  if (known && !job.asked && Object.entries(wrote).every(([name, hash]) => known.wrote[name] === hash)) {
    keepRelations(scene, known, ledger);
    return { kind: 'unchanged', looked: false };
  }

  const work: Work = { scene, files, wanted, wrote };
  const remembered = known && (await syncItem(known.ratingKey, work, ports));
  if (remembered) return remembered;

  const candidates = await finder.find(files, signal);
  const [candidate] = candidates;
  if (candidates.length > 1) return { kind: 'bad-data', message: messages.severalItems(scene, candidates) };
  const outcome = candidate && (await syncItem(candidate.ratingKey, work, ports));
  if (outcome) return outcome;

  if (known) ledger.remove(scene.id);
  return { kind: 'not-in-plex', message: messages.notInPlex(scene, files, finder.rules, finder.folders()) };
}

/** What is to be done for a scene, whichever item it turns out to be. */
interface Work {
  scene: Scene;
  /** The scene's files as Plex sees them. */
  files: string[];
  wanted: Wanted;
  wrote: Record<string, string>;
}

/** Null if there is no such item, or it is not this scene's. */
function syncItem(ratingKey: string, work: Work, ports: SyncPorts): Promise<Outcome | null> {
  return ports.items.run(ratingKey, async () => {
    const item = await ports.plex.item(ratingKey, ports.signal);
    if (item === null || !ports.finder.matches(item, work.files)) return null;
    return bringInStep(item, work, ports);
  });
}

async function bringInStep(item: PlexItem, work: Work, ports: SyncPorts): Promise<Outcome> {
  const { scene, wanted, wrote } = work;
  const { plex, ledger, clock, signal } = ports;
  const rival = await rivalFor(item, scene, ports);
  if (rival !== null && rival < scene.id) {
    return { kind: 'bad-data', message: messages.sameItem(scene.id, rival, item) };
  }
  const edit = difference(wanted, item);
  if (rival !== null) ledger.remove(rival);
  if (edit) {
    disbelieve(scene.id, ledger);
    await applyEdit(edit, wanted, item, plex, signal);
  }
  ledger.put(scene.id, { ratingKey: item.ratingKey, wrote, at: clock.now(), ...relationsOf(scene) });
  if (!edit) return { kind: 'unchanged', looked: true };
  return { kind: 'ok', message: messages.written(scene, wanted.title, edit.fields, rival) };
}

/**
 * Another scene that has this very item, or null. The ledger only says who had it: that scene may be gone, merged
 * into this one, or have another file by now, and Stash runs no hook for some of these.
 */
async function rivalFor(item: PlexItem, scene: Scene, ports: SyncPorts): Promise<number | null> {
  const owner = ports.ledger.sceneAt(item.ratingKey);
  if (owner === undefined || owner === scene.id) return null;
  const other = await ports.stash.scene(owner, ports.signal);
  const files = other?.files.map((path) => ports.finder.mapped(path)) ?? [];
  if (ports.finder.matches(item, files)) return owner;
  ports.ledger.remove(owner);
  return null;
}

/**
 * From the first write to the last Plex shows neither the old nor the new state for sure, and a write that seems to
 * have failed may have arrived. If the person takes their edit back now, the ledger must not say that all is well.
 */
function disbelieve(scene: number, ledger: Ledger): void {
  const known = ledger.get(scene);
  if (known) ledger.put(scene, { ...known, wrote: {} });
}

/** A deleted performer cannot be asked for its scenes: the ledger has to know, also when nothing was written. */
function keepRelations(scene: Scene, known: LedgerEntry, ledger: Ledger): void {
  const { studio, performers, tags, groups } = known;
  const now = relationsOf(scene);
  if (JSON.stringify({ studio, performers, tags, groups }) === JSON.stringify(now)) return;
  ledger.put(scene.id, { ...known, ...now });
}

function relationsOf(scene: Scene): Pick<LedgerEntry, 'studio' | 'performers' | 'tags' | 'groups'> {
  return {
    studio: scene.studio?.id ?? null,
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
