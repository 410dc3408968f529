/**
 * A scene's cover as Plex's poster and background.
 *
 * Data flow: the cover's address in Stash -> its bytes, only when the address is new -> their SHA-1 -> what Plex needs:
 * nothing, another of its pictures selected, or an upload. Plex names an upload by the SHA-1 of its bytes, and the
 * ledger knows which ones Plex has from us; where it does not know (a first sync, an interrupted one), Plex's list
 * is read first.
 *
 * Holds: nothing is uploaded that Plex has from us; a scene without a cover leaves Plex's picture alone; a picture
 * that cannot be used is a sentence for the log and never keeps the other fields back.
 *
 * Every item has a picture, because Plex takes one from the film. So of pictures only one that is locked is a
 * person's own: Plex locks what a person chooses.
 */
import type { PlexImage, PlexItem } from '../plex/answers';
import type { PictureKind, PlexClient } from '../plex/client';
import { PlexError } from '../plex/errors';
import type { Params } from '../plex/query-string';
import { type Cover, UnusableCover } from '../stash/picture';
import type { Scene } from '../stash/scene';
import type { SyncSettings } from '../stash/sync-settings';
import { ItemVanished } from './apply-edit';
import type { KnownPictures } from './ledger-entry';

export interface CoverSource {
  cover(path: string, signal: AbortSignal): Promise<Cover | null>;
}

export type PicturePlex = Pick<PlexClient, 'images' | 'upload' | 'select'>;

/** Above this Plex answers with an error. */
const mostBytes = 10_000_000;
/** How many uploads of one item are remembered; the oldest are forgotten first. */
const mostRemembered = 10;

/** The cover as Stash has it now. */
export interface StashCover {
  from: string | null;
  /** Null: there is none that Plex could show. */
  sha1: string | null;
  /** Why there is none, if that is for a person to know. */
  problem: string | null;
  bytes(): Promise<Buffer | null>;
}

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

export const noCover: StashCover = { from: null, sha1: null, problem: null, bytes: async () => null };

/** `again`: an address under which there was no cover is asked once more; some are generated within the same second. */
export async function coverOf(
  scene: Scene,
  known: KnownPictures | undefined,
  again: boolean,
  stash: CoverSource,
  signal: AbortSignal,
): Promise<StashCover> {
  const from = scene.cover;
  if (from === null) return noCover;
  const fetched = () => stash.cover(from, signal);
  if (known?.from === from && (known.sha1 !== null || !again)) {
    return { from, sha1: known.sha1, problem: null, bytes: async () => (await fetched())?.bytes ?? null };
  }
  const none = { from, sha1: null, bytes: async () => null };
  try {
    const cover = await fetched();
    if (cover === null) return { ...none, problem: null };
    if (cover.bytes.length > mostBytes) {
      return {
        ...none,
        problem: unusable(
          scene,
          `it is too large (${megabytes(cover.bytes.length)}; Plex takes at most ${megabytes(mostBytes)}).`,
        ),
      };
    }
    return { from, sha1: cover.sha1, problem: null, bytes: async () => cover.bytes };
  } catch (error) {
    if (!(error instanceof UnusableCover)) throw error;
    return { ...none, problem: unusable(scene, error.message) };
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

const unusable = ({ id }: Scene, why: string): string =>
  `The cover of scene ${id} was not sent, and the picture in Plex stays as it is: ${why}`;

export interface PictureQuestion {
  kinds: readonly PictureKind[];
  cover: StashCover;
  item: PlexItem;
  /** What the ledger knows of this very item; `trusted`: and nothing was interrupted since. */
  known: KnownPictures | undefined;
  trusted: boolean;
  keepsOwn: boolean;
}

/** What is to be done; `kept`: pictures of the person's own that stay. */
export async function pictureSteps(
  question: PictureQuestion,
  plex: PicturePlex,
  signal: AbortSignal,
): Promise<{ steps: PictureStep[]; kept: string[] }> {
  const steps: PictureStep[] = [];
  const kept: string[] = [];
  for (const kind of question.cover.sha1 === null ? [] : question.kinds) {
    const found = await stepFor(kind, question.cover.sha1 ?? '', question, plex, signal);
    if (found === 'keep') kept.push(inWords[kind]);
    else if (found !== 'nothing') steps.push({ kind, ...found });
  }
  return { steps, kept };
}

async function stepFor(
  kind: PictureKind,
  sha1: string,
  { item, known, trusted, keepsOwn }: PictureQuestion,
  plex: PicturePlex,
  signal: AbortSignal,
): Promise<Act | 'keep' | 'nothing'> {
  const address = item[fieldOf[kind]];
  const isLocked = item.locked.includes(fieldOf[kind]);
  const shown = known?.shown[kind];
  const isUntouched = shown === undefined || shown === address;
  if (trusted && known?.set[kind] === sha1 && isUntouched) return 'nothing';

  const isOurs = trusted && known?.set[kind] !== undefined && isUntouched;
  const mayBeOwn = keepsOwn && isLocked && !isOurs;
  if (!mayBeOwn && trusted && known && !known.uploaded[kind]?.includes(sha1)) return { act: 'upload' };

  const images = await plex.images(item.ratingKey, kind, signal);
  const selected = images.find((image) => image.selected);
  const ours = [sha1, known?.set[kind] ?? sha1, ...(known?.uploaded[kind] ?? [])];
  if (mayBeOwn && selected && !ours.some((one) => isUploadOf(one, selected))) return 'keep';
  if (selected && isUploadOf(sha1, selected)) return isLocked ? 'nothing' : { act: 'lock' };
  const there = images.find((image) => isUploadOf(sha1, image));
  return there ? { act: 'select', key: there.key } : { act: 'upload' };
}

/** Brings the pictures to Plex; gives the locks that the edit of the fields should carry, and what was not possible. */
export async function applyPictures(
  steps: readonly PictureStep[],
  cover: StashCover,
  item: PlexItem,
  plex: PicturePlex,
  signal: AbortSignal,
): Promise<{ done: PictureStep[]; locks: Params; fields: string[]; problems: string[] }> {
  const done: PictureStep[] = [];
  const problems: string[] = [];
  for (const step of steps) {
    try {
      if (await show(step, cover, item, plex, signal)) done.push(step);
    } catch (error) {
      if (!(error instanceof PlexError)) throw error;
      if (error.status === 404) throw new ItemVanished();
      if (error.kind !== 'bad-data') throw error;
      problems.push(`Plex did not take the ${inWords[step.kind]}: ${error.message}`);
    }
  }
  return {
    done,
    locks: done
      .filter(({ kind }) => !item.locked.includes(fieldOf[kind]))
      .map(({ kind }) => [`${fieldOf[kind]}.locked`, '1'] as const),
    fields: done.map(({ kind }) => inWords[kind]),
    problems,
  };
}

/** False: the cover went away meanwhile. */
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

/**
 * What the ledger should know after the steps were done. `seen`: the item, if nothing at all was written: the address
 * of a picture moves with every edit of the item, so after a write of ours it is not known until the next look.
 */
export function picturesAfter(
  { cover, kinds }: { cover: StashCover; kinds: readonly PictureKind[] },
  done: readonly PictureStep[],
  seen: PlexItem | null,
  known: KnownPictures | undefined,
  now: number,
): KnownPictures {
  const next: KnownPictures = {
    from: cover.from,
    sha1: cover.sha1,
    settled: Object.fromEntries(kinds.map((kind) => [kind, cover.sha1 ?? ''])),
    set: { ...known?.set },
    shown: seen ? { ...known?.shown } : {},
    uploaded: { ...known?.uploaded },
  };
  if (cover.sha1 === null) return { ...next, missingSince: known?.missingSince ?? now };
  const { sha1 } = cover;
  for (const kind of kinds) {
    if (done.some((step) => step.kind === kind)) {
      next.set[kind] = sha1;
      const others = (next.uploaded[kind] ?? []).filter((one) => one !== sha1);
      next.uploaded[kind] = [...others, sha1].slice(-mostRemembered);
    } else if (seen && next.set[kind] === sha1) next.shown[kind] = seen[fieldOf[kind]];
  }
  return next;
}
