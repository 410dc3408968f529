/**
 * What is to be done for one scene: everything is read, nothing is written. `sync-scene.ts` carries it out, `explain`
 * and `dry_run` tell it.
 *
 * Data flow: the scene, read at this moment -> filters -> what Plex should show -> the ledger, which is believed where
 * a person did not ask for a look -> the item: the remembered one, if it still is the scene's file, otherwise found by
 * file -> the difference. For work in bulk the library is listed once in place of a question per scene. An item that
 * only its file's name speaks for is found anew each time: another one may have the name, or even the path, by now.
 *
 * Holds: an item is only planned for if one of its files is the scene's (or, where the person allows it, the only one
 * with the name of the scene's file); what is done with a plan is done before anybody else looks at the same item.
 */
import type { PlexItem } from '../plex/answers';
import type { PictureKind } from '../plex/client';
import type { Candidate, PlexFinder } from '../plex/finder';
import type { Listed } from '../plex/item-index';
import { pathKey } from '../plex/path-map';
import type { Clock } from '../shared/clock';
import { shortHash } from '../shared/hash';
import type { Scene } from '../stash/scene';
import type { SyncSettings } from '../stash/sync-settings';
import type { EditingPlex } from './apply-edit';
import { type CoverSource, coverOf, noCover, type StashCover } from './cover';
import { compare, difference, type Edit } from './difference';
import type { ListName } from './fields';
import { whyFiltered } from './filters';
import type { Ledger, LedgerEntry } from './ledger-entry';
import * as messages from './messages';
import type { OneAtATime } from './one-at-a-time';
import { isSettled } from './own-values';
import { type PicturePlex, type PictureStep, pictureKinds, pictureSteps, picturesSettled } from './pictures';
import { isAsWeLeftIt } from './sight';
import { formerLists, type Wanted, wantedState } from './wanted';

export interface PlanPorts {
  stash: { scene(id: number, signal: AbortSignal): Promise<Scene | null> } & CoverSource;
  plex: EditingPlex & PicturePlex;
  finder: Pick<PlexFinder, 'find' | 'matches' | 'matchesName' | 'mapped' | 'folders' | 'rules' | 'index'>;
  ledger: Ledger;
  /** One for all lanes of a target. */
  items: OneAtATime;
  settings: SyncSettings;
  clock: Clock;
  signal: AbortSignal;
}

export interface SyncJob {
  scene: number;
  /** A person asked for this sync: look at Plex even if the ledger says that all is well. */
  asked: boolean;
  /** Many scenes are waiting: a listing of the libraries costs less than a question per scene. */
  listFirst?: boolean;
  /** Since when it is to be done, in milliseconds since 1970; and how many events it stands for. */
  queuedAt?: number;
  rev?: number;
  /** It was looked at before its cover existed. */
  secondLook?: boolean | undefined;
}

/** What Stash says about a scene now, and what that means for Plex. */
export interface Aim {
  scene: Scene;
  /** The scene's files as Plex sees them, and a hash of them. */
  files: string[];
  file: string;
  wanted: Wanted;
  former: readonly ListName[];
  kinds: readonly PictureKind[];
  cover: StashCover;
  known: LedgerEntry | undefined;
}

/** The item is there, and this is how it differs. */
export interface Found {
  kind: 'found';
  aim: Aim;
  item: PlexItem;
  how: 'remembered' | 'file' | 'name';
  /** Of what the ledger says, what is about this very item. */
  ours: LedgerEntry | null;
  edit: Edit | null;
  steps: PictureStep[];
  /** As what Plex shows the cover already, and pictures of the person's own that stay. */
  shownPictures: PictureKind[];
  keptPictures: string[];
  /** Something of Plex's own stays where it is. */
  keepsOwn: boolean;
  /** Another scene that has the item until now, and which this one replaces because its id is lower. */
  instead: number | null;
}

export type Plan =
  | { kind: 'gone' }
  | { kind: 'filtered'; rule: string; message: string }
  /** The libraries have to be listed first. */
  | { kind: 'listing' }
  /** All is well; `seen`: as the listing says, at that time of Plex's. */
  | { kind: 'settled'; aim: Aim; known: LedgerEntry; seen: number | null }
  | { kind: 'not-in-plex'; aim: Aim; message: string }
  /** Two candidates, or two scenes: no item is touched. */
  | { kind: 'ambiguous'; aim: Aim; message: string }
  | Found;

/** `conclude` is called once, while no other lane is at the same item. */
export async function planScene<T>(
  job: SyncJob,
  ports: PlanPorts,
  conclude: (plan: Plan) => Promise<T>,
): Promise<T> {
  const { stash, finder, ledger, settings, signal } = ports;
  const scene = await stash.scene(job.scene, signal);
  if (scene === null) return await conclude({ kind: 'gone' });
  const filtered = whyFiltered(scene, settings);
  if (filtered) return await conclude({ kind: 'filtered', ...filtered });

  const isListed = job.listFirst === true && finder.index.isReady();
  // Where Plex is looked at in any case, nothing is fetched before the listing is there.
  const looksAnyway = job.asked || ledger.get(scene.id) === undefined;
  if (job.listFirst && !isListed && looksAnyway) return await conclude({ kind: 'listing' });

  const kinds = pictureKinds(settings);
  const again = (job.asked && !job.listFirst) || job.secondLook === true;
  const before = ledger.get(scene.id)?.pictures;
  const cover = kinds.length > 0 ? await coverOf(scene, before, again, stash, signal) : noCover;
  // Only now: while the cover came, another scene may have taken over the item.
  const known = ledger.get(scene.id);
  const aim = aimFor(scene, cover, known, ports);
  const { files } = aim;
  const settled = known !== undefined && saysAllIsWell(known, aim, settings) ? known : null;
  if (settled && !job.asked) return await conclude({ kind: 'settled', aim, known: settled, seen: null });
  if (job.listFirst && !isListed) return await conclude({ kind: 'listing' });
  if (settled && isListed) {
    const seen = seenInListing(settled, aim, ports);
    if (seen !== null) return await conclude({ kind: 'settled', aim, known: settled, seen });
  }

  // A scene that got another file may be several items by now.
  const maybeSeveral = files.length > 1 && known?.file !== aim.file;
  const isRemembered = known && !known.byName && !maybeSeveral;
  if (isRemembered && !(isListed && finder.index.item(known.ratingKey) === null)) {
    const done = await atItem(known.ratingKey, 'remembered', aim, ports, conclude);
    if (done) return done.result;
  }
  const listed = isListed ? await finder.find(files, signal, true) : [];
  const [only] = listed;
  if (only && listed.length === 1) {
    const done = await atItem(only.ratingKey, howOf(only), aim, ports, conclude);
    if (done) return done.result;
    finder.index.forget(only.ratingKey);
  }
  // What came to Plex since the listing is not in it, and what went is still there: then Plex itself is asked.
  const isOlder = (job.rev ?? 1) === 1 && finder.index.knows(job.queuedAt ?? ports.clock.now());
  const isMissing = listed.length === 0 && isListed && isOlder;
  const candidates = isMissing ? [] : await finder.find(files, signal, false);
  const [candidate] = candidates;
  if (candidates.length > 1) {
    return await conclude({ kind: 'ambiguous', aim, message: messages.severalItems(scene, candidates) });
  }
  const done = candidate && (await atItem(candidate.ratingKey, howOf(candidate), aim, ports, conclude));
  if (done) return done.result;
  const message = messages.notInPlex(scene, files, finder.rules, finder.folders());
  return await conclude({ kind: 'not-in-plex', aim, message });
}

export function aimFor(
  scene: Scene,
  cover: StashCover,
  known: LedgerEntry | undefined,
  { finder, settings }: Pick<PlanPorts, 'finder' | 'settings'>,
): Aim {
  const files = scene.files.map((path) => finder.mapped(path));
  return {
    scene,
    files,
    file: shortHash(files.map(pathKey).sort()),
    wanted: wantedState(scene, settings),
    former: formerLists(settings),
    kinds: pictureKinds(settings),
    cover,
    known,
  };
}

const howOf = ({ byName }: Candidate): Found['how'] => (byName ? 'name' : 'file');

/** Whether what the ledger knows is what is wanted now, and there is nothing that a person should be told. */
export function saysAllIsWell(
  known: LedgerEntry,
  { wanted, former, kinds, cover, file }: Aim,
  { plexKeepsOwn }: SyncSettings,
): boolean {
  if (known.stale || known.file !== file || cover.problem !== null) return false;
  if (known.keptOwn && !plexKeepsOwn) return false;
  return isSettled(wanted, former, known) && picturesSettled(kinds, cover, known.pictures);
}

/** When Plex last changed the item, if the listing says that it is the scene's and as we left it. */
function seenInListing(known: LedgerEntry, { files }: Aim, ports: PlanPorts): number | null {
  const listed = listedAs(known, files, ports);
  return listed && isAsWeLeftIt(known, listed.updatedAt) ? listed.updatedAt : null;
}

/** The remembered item in the listing, if the listing says that it still is the scene's. */
export function listedAs(
  { ratingKey, byName }: LedgerEntry,
  files: readonly string[],
  { finder: { index }, settings }: Pick<PlanPorts, 'finder' | 'settings'>,
): Listed | null {
  const byPath = files.flatMap((file) => index.find(file));
  const there = byPath.find((one) => one.ratingKey === ratingKey);
  if (there || byPath.length > 0 || !byName || !settings.plexMatchByName) return there ?? null;
  const named = files.flatMap((file) => index.findByName(file));
  return named.every((one) => one.ratingKey === ratingKey) ? (named[0] ?? null) : null;
}

/** Null if there is no such item, or it is not this scene's. */
function atItem<T>(
  ratingKey: string,
  how: Found['how'],
  aim: Aim,
  ports: PlanPorts,
  conclude: (plan: Plan) => Promise<T>,
): Promise<{ result: T } | null> {
  return ports.items.run(ratingKey, async () => {
    const { finder, plex, settings, ledger, signal } = ports;
    const item = await plex.item(ratingKey, signal);
    if (item === null) {
      finder.index.forget(ratingKey);
      return null;
    }
    const isByPath = finder.matches(item, aim.files);
    if (!isByPath && !(how === 'name' && finder.matchesName(item, aim.files))) return null;

    const rival = await rivalFor(item, aim.scene, ports);
    // A whole path says more than a name.
    const isTheirs = rival && (rival.isByPath === isByPath ? rival.scene < aim.scene.id : rival.isByPath);
    if (rival && isTheirs) {
      const message = messages.sameItem(aim.scene.id, rival.scene, item, rival.isByPath && !isByPath);
      return { result: await conclude({ kind: 'ambiguous', aim, message }) };
    }
    // Only now: a lane that was here before may have written since. What we wrote is ours for whichever scene it was.
    const entry = ledger.get(ledger.sceneAt(item.ratingKey) ?? aim.scene.id);
    const ours = entry?.ratingKey === item.ratingKey ? entry : null;
    const { plexKeepsOwn: keepsOwn } = settings;
    const options = { keepsOwn, former: aim.former };
    const pictures = await pictureSteps(
      {
        kinds: aim.kinds,
        cover: aim.cover,
        item,
        known: ours?.pictures,
        trusted: ours !== null && !ours.stale,
        isAsLeft: ours !== null && isAsWeLeftIt(ours, item.updatedAt),
        keepsOwn,
      },
      plex,
      signal,
    );
    const edit = difference(aim.wanted, item, ours, options);
    const keepsField = edit
      ? edit.kept.length > 0
      : compare(aim.wanted, item, ours, options).some(({ verdict }) => verdict === 'kept');
    const found: Found = {
      kind: 'found',
      aim,
      item,
      how,
      ours,
      edit,
      steps: pictures.steps,
      shownPictures: pictures.shown,
      keptPictures: pictures.kept,
      keepsOwn: keepsOwn && (keepsField || pictures.kept.length > 0),
      instead: rival?.scene ?? null,
    };
    return { result: await conclude(found) };
  });
}

/**
 * Another scene that has this very item, or null. The ledger only says who had it: that scene may be gone, merged
 * into this one, left out by now, or have another file, and Stash runs no hook for some of these.
 */
async function rivalFor(
  item: PlexItem,
  scene: Scene,
  { ledger, stash, finder, settings, signal }: PlanPorts,
): Promise<{ scene: number; isByPath: boolean } | null> {
  const owner = ledger.sceneAt(item.ratingKey);
  if (owner === undefined || owner === scene.id) return null;
  const isByName = ledger.get(owner)?.byName === true && settings.plexMatchByName;
  const other = await stash.scene(owner, signal);
  if (other === null || whyFiltered(other, settings)) return null;
  const files = other.files.map((path) => finder.mapped(path));
  if (finder.matches(item, files)) return { scene: owner, isByPath: true };
  return isByName && finder.matchesName(item, files) ? { scene: owner, isByPath: false } : null;
}
