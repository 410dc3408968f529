/**
 * A scene's cover as Plex's poster and background.
 *
 * Data flow: the cover in Stash (`cover.ts`) -> its SHA-1 -> what Plex needs: nothing, another of its pictures
 * selected, or an upload. Plex names an upload by the SHA-1 of its bytes, and the
 * ledger knows which ones Plex has from us; where it does not know (a first sync, an interrupted one), Plex's list
 * is read first.
 *
 * Holds: nothing is uploaded that Plex has from us; a scene without a cover leaves Plex's picture alone; a picture
 * that cannot be used is a sentence for the log, and no trouble with a picture keeps the other fields back.
 *
 * Every item has a picture, because Plex takes one from the film. So of pictures only one that is locked is a
 * person's own: Plex locks what a person chooses.
 */
import type { PlexImage, PlexItem } from '../plex/answers';
import type { PictureKind, PlexClient } from '../plex/client';
import { PlexError } from '../plex/errors';
import type { Params } from '../plex/query-string';
import type { SyncSettings } from '../stash/sync-settings';
import { ItemVanished } from './apply-edit';
import { isFresh, type StashCover } from './cover';
import type { KnownPictures } from './ledger-entry';

export type PicturePlex = Pick<PlexClient, 'images' | 'upload' | 'select'>;

/** How many uploads of one item are remembered; the oldest are forgotten first. */
const mostRemembered = 10;

export type PictureStep = { kind: PictureKind } & Act;

type Act =
  | { act: 'upload' }
  /** Plex has it: `key` is its name there. */
  | { act: 'select'; key: string }
  | { act: 'lock' };

/** What a picture is called in Plex's edits and in its items. */
const fieldOf = { poster: 'thumb', art: 'art' } as const;
const inWords = { poster: 'poster', art: 'background' } as const;
/** Plex calls an upload `upload://posters/<sha1>`; of backgrounds sources disagree about the middle. */
const isUploadOf = (sha1: string, { key }: PlexImage): boolean =>
  key.startsWith('upload://') && key.endsWith(`/${sha1}`);

export function pictureKinds({ syncPictureAs, syncSkipFields }: SyncSettings): PictureKind[] {
  if (syncPictureAs === 'none' || syncSkipFields.includes('picture')) return [];
  if (syncPictureAs === 'both') return ['poster', 'art'];
  return [syncPictureAs === 'poster' ? 'poster' : 'art'];
}

/** Whether the ledger says that nothing is to be done for the pictures. */
export const picturesSettled = (
  kinds: readonly PictureKind[],
  cover: StashCover,
  known: KnownPictures | undefined,
): boolean => kinds.every((kind) => known?.settled[kind] === (cover.sha1 ?? ''));

interface PictureQuestion {
  kinds: readonly PictureKind[];
  cover: StashCover;
  item: PlexItem;
  /** What the ledger knows of this very item; `trusted`: and nothing was interrupted since. */
  known: KnownPictures | undefined;
  trusted: boolean;
  /** Nobody changed the item since we last looked, or wrote. */
  isAsLeft: boolean;
  keepsOwn: boolean;
}

interface PicturePlan {
  steps: PictureStep[];
  /** As what Plex shows the cover already. */
  shown: PictureKind[];
  /** Pictures of the person's own that stay, for people. */
  kept: string[];
}

export async function pictureSteps(
  question: PictureQuestion,
  plex: PicturePlex,
  signal: AbortSignal,
): Promise<PicturePlan> {
  const plan: PicturePlan = { steps: [], shown: [], kept: [] };
  for (const kind of question.cover.sha1 === null ? [] : question.kinds) {
    const found = await stepFor(kind, question.cover.sha1 ?? '', question, plex, signal);
    if (found === 'keep') plan.kept.push(inWords[kind]);
    else if (found === 'nothing') plan.shown.push(kind);
    else plan.steps.push({ kind, ...found });
  }
  return plan;
}

async function stepFor(
  kind: PictureKind,
  sha1: string,
  { item, known, trusted, isAsLeft, keepsOwn }: PictureQuestion,
  plex: PicturePlex,
  signal: AbortSignal,
): Promise<Act | 'keep' | 'nothing'> {
  const isLocked = item.locked.includes(fieldOf[kind]);
  const isUntouched = isAsLeft || known?.shown[kind] === item[fieldOf[kind]];
  const isOurs = trusted && known?.set[kind] !== undefined && isUntouched;
  if (isOurs && known.set[kind] === sha1) return 'nothing';

  const mayBeOwn = keepsOwn && isLocked && !isOurs;
  if (!mayBeOwn && trusted && known && !known.uploaded[kind]?.includes(sha1)) return { act: 'upload' };

  const images = await imagesOf(item, kind, plex, signal);
  const selected = images.find((image) => image.selected);
  const ours = [sha1, known?.set[kind] ?? sha1, ...(known?.uploaded[kind] ?? [])];
  if (mayBeOwn && selected && !ours.some((one) => isUploadOf(one, selected))) return 'keep';
  if (selected && isUploadOf(sha1, selected)) return isLocked ? 'nothing' : { act: 'lock' };
  const there = images.find((image) => isUploadOf(sha1, image));
  return there ? { act: 'select', key: there.key } : { act: 'upload' };
}

async function imagesOf(
  { ratingKey }: PlexItem,
  kind: PictureKind,
  plex: PicturePlex,
  signal: AbortSignal,
): Promise<PlexImage[]> {
  try {
    return await plex.images(ratingKey, kind, signal);
  } catch (error) {
    throw error instanceof PlexError && error.status === 404 ? new ItemVanished() : error;
  }
}

interface ShownPictures {
  done: PictureStep[];
  /** What the edit of the fields should carry. */
  locks: Params;
  /** What was written, for people. */
  fields: string[];
  /** What was not possible, in sentences. */
  problems: string[];
  /** Plex failed with one of them: worth another try, after the fields were written. */
  failure: PlexError | null;
  /** Stash has another cover by now, or none. */
  isOutdated: boolean;
}

export async function applyPictures(
  steps: readonly PictureStep[],
  cover: StashCover,
  item: PlexItem,
  plex: PicturePlex,
  signal: AbortSignal,
): Promise<ShownPictures> {
  const done: PictureStep[] = [];
  const problems: string[] = [];
  let failure: PlexError | null = null;
  let isOutdated = false;
  for (const step of steps) {
    try {
      if (await show(step, cover, item, plex, signal)) done.push(step);
      else isOutdated = true;
    } catch (error) {
      if (!(error instanceof PlexError)) throw error;
      if (error.status === 404) throw new ItemVanished();
      const said = `Plex did not take the ${inWords[step.kind]}: ${error.message}`;
      if (error.kind === 'bad-data') problems.push(said);
      else if (error.kind === 'transient') failure = new PlexError('transient', said, { cause: error });
      else throw error;
    }
  }
  return {
    done,
    locks: done
      .filter(({ kind }) => !item.locked.includes(fieldOf[kind]))
      .map(({ kind }) => [`${fieldOf[kind]}.locked`, '1'] as const),
    fields: done.map(({ kind }) => inWords[kind]),
    problems,
    failure,
    isOutdated,
  };
}

/** False: the cover is another by now, or went away. */
async function show(
  step: PictureStep,
  cover: StashCover,
  item: PlexItem,
  plex: PicturePlex,
  signal: AbortSignal,
): Promise<boolean> {
  if (step.act === 'lock') return true;
  if (step.act === 'select') {
    await plex.select(item.ratingKey, step.kind, step.key, signal);
    return true;
  }
  const bytes = await cover.bytes();
  if (bytes === null) return false;
  await plex.upload(item.ratingKey, step.kind, bytes, signal);
  return true;
}

const nothingKnown: KnownPictures = {
  from: null,
  sha1: null,
  settled: {},
  set: {},
  shown: {},
  uploaded: {},
};

/** What the ledger should know before the first step: an upload that seems to fail may arrive, and is ours. */
export function picturesBefore(
  { sha1 }: StashCover,
  steps: readonly PictureStep[],
  known: KnownPictures | undefined,
): KnownPictures | undefined {
  const uploads = steps.filter(({ act }) => act === 'upload');
  if (sha1 === null || uploads.length === 0) return known;
  const before = known ?? nothingKnown;
  const tried = uploads.map(({ kind }) => [kind, remembered(before.uploaded[kind], sha1)] as const);
  return { ...before, uploaded: { ...before.uploaded, ...Object.fromEntries(tried) } };
}

/**
 * What the ledger should know after the steps were done. `seen`: the item, if nothing at all was written: the address
 * of a picture moves with every edit of the item, so after a write of ours it is not known until the next look.
 * Where Plex does not show the cover (a picture of the person's own, a refused one, none) only uploads are known.
 */
export function picturesAfter(
  { cover, kinds }: { cover: StashCover; kinds: readonly PictureKind[] },
  shown: readonly PictureKind[],
  { done, isOutdated }: Pick<ShownPictures, 'done' | 'isOutdated'>,
  seen: PlexItem | null,
  known: KnownPictures | undefined,
  now: number,
): KnownPictures {
  const { sha1 } = cover;
  // An outdated cover is fetched anew, whatever its address.
  const from = isOutdated ? null : cover.from;
  const next: KnownPictures = {
    from,
    ...(isFresh(from, now) && { fresh: true }),
    sha1,
    settled: {},
    set: {},
    shown: {},
    uploaded: { ...known?.uploaded },
  };
  const isMissing = sha1 === null && cover.problem === null && kinds.length > 0;
  if (isMissing) next.missingSince = known?.missingSince ?? now;
  for (const kind of kinds) {
    if (!isOutdated) next.settled[kind] = sha1 ?? '';
    if (sha1 === null || !(shown.includes(kind) || done.some((step) => step.kind === kind))) continue;
    next.set[kind] = sha1;
    next.uploaded[kind] = remembered(known?.uploaded[kind], sha1);
    if (seen) next.shown[kind] = seen[fieldOf[kind]];
  }
  return next;
}

const remembered = (uploaded: readonly string[] | undefined, sha1: string): string[] =>
  [...(uploaded ?? []).filter((one) => one !== sha1), sha1].slice(-mostRemembered);
