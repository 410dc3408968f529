/**
 * Tells a person what would be done for a scene, in lines: which item and why, each field now and wanted, what would be
 * sent, or why the scene would be skipped. Writes nothing.
 */
import type { PictureKind } from '../plex/client';
import type { DeadLetter, Job } from '../queue/entries';
import { dayAndTime } from '../shared/time-words';
import { counted } from '../shared/words';
import { type Compared, compare } from '../sync/difference';
import { parcelsOf } from '../sync/parcels';
import type { PictureStep } from '../sync/pictures';
import type { Found, Plan, PlanPorts } from '../sync/plan';

/** Longer values are cut where they are told. */
const longestShown = 120;
const longestSent = 1_000;

export function explainPlan(scene: number, plan: Plan, settings: PlanPorts['settings']): string[] {
  switch (plan.kind) {
    case 'gone':
      return [`Scene ${scene} is not in Stash. Nothing would be done in Plex.`];
    case 'filtered':
      return [plan.message];
    case 'ambiguous':
      return [plan.message];
    case 'not-in-plex':
      return [plan.message, whenMissing(settings)];
    case 'listing':
      return [`Scene ${scene}: Plex's libraries have to be listed first.`];
    case 'settled':
      return [`Scene ${scene} is in step: nothing would be sent.`];
    case 'found':
      return explainFound(scene, plan, settings);
  }
}

function whenMissing({ plexMissing, plexScan }: PlanPorts['settings']): string {
  const scan = plexScan ? 'Plex would be asked to scan its folder, and the scene' : 'It';
  return plexMissing === 'drop'
    ? `${scan} would be dropped, because "Scenes that Plex does not have" says so.`
    : `${scan} would be tried again for a while, and then become a dead letter.`;
}

const hows: Record<Found['how'], string> = {
  remembered: "the item of the last sync, and its file is still the scene's",
  file: 'found by its file',
  name: 'found by the name of its file alone',
};

function explainFound(scene: number, found: Found, settings: PlanPorts['settings']): string[] {
  const { item, how, aim, ours, instead } = found;
  const options = { keepsOwn: settings.plexKeepsOwn, former: aim.former };
  return [
    `Scene ${scene} is item ${item.ratingKey} "${item.title}" in "${item.library}" (${hows[how]}): ${item.files.join(', ')}`,
    ...(instead === null ? [] : [`  It would stand for scene ${instead}, which is the same item.`]),
    ...compare(aim.wanted, item, ours, options).map(fieldInWords),
    ...aim.kinds.map((kind) => pictureInWords(kind, found)),
    ...(aim.cover.problem === null ? [] : [`  ${aim.cover.problem}`]),
    sentInWords(found),
  ].map(onOneLine);
}

function fieldInWords({ called, shown, wanted, verdict }: Compared): string {
  if (verdict === 'same') return `  ${called}: ${told(shown)}`;
  const both = `${told(shown)} in Plex, ${told(wanted)} wanted`;
  if (verdict === 'write') return `  ${called}: ${both}: would be written`;
  // Of a list that has all that is wanted, the rest is Plex's own.
  return `  ${called}: ${Array.isArray(wanted) ? told(shown) : both}: Plex's own stays`;
}

function pictureInWords(kind: PictureKind, { aim, steps, keptPictures }: Found): string {
  const called = kind === 'poster' ? 'poster' : 'background';
  const step = steps.find((one) => one.kind === kind);
  if (aim.cover.sha1 === null) return `  ${called}: Stash has no cover, so Plex's stays`;
  if (keptPictures.includes(called)) return `  ${called}: Plex's own stays`;
  if (!step) return `  ${called}: the cover of Stash`;
  const what = { upload: 'would be uploaded', select: 'would be selected again', lock: 'would be locked' };
  return `  ${called}: the cover of Stash ${what[step.act]}`;
}

function sentInWords({ edit, steps, item }: Found): string {
  if (edit === null && steps.length === 0) return '  Nothing would be sent: all is in step.';
  const puts = edit ? parcelsOf(edit) : [];
  const names = puts.flat().map(([name]) => name);
  const count = (wanted: PictureStep['act']) => steps.filter(({ act }) => act === wanted).length;
  const isLocked = (kind: PictureKind) => item.locked.includes(kind === 'poster' ? 'thumb' : 'art');
  const locks = puts.length === 0 && steps.some(({ kind }) => !isLocked(kind));
  const parts = [
    ...(count('upload') > 0 ? [counted(count('upload'), 'upload', 'uploads')] : []),
    ...(count('select') > 0 ? [counted(count('select'), 'choice of a picture', 'choices of pictures')] : []),
    ...(puts.length > 0 ? [`${counted(puts.length, 'edit', 'edits')} (${names.join(', ')})`] : []),
    ...(locks ? ['1 edit that locks the picture'] : []),
  ];
  return `  Would be sent: ${cut(parts.join(' and '), longestSent)}.`;
}

/** Never through the middle of a character that is two units long. */
const cut = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

const onOneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

function told(value: string | readonly string[]): string {
  if (typeof value === 'string') return value === '' ? 'nothing' : `"${cut(value, longestShown)}"`;
  return value.length === 0 ? 'none' : cut(value.map((name) => `"${name}"`).join(', '), 4 * longestShown);
}

/** What waits for a scene, or was given up. */
export function explainQueue(job: Job | undefined, letter: DeadLetter | undefined, now: number): string[] {
  const lines: string[] = [];
  if (letter) lines.push(`It is a dead letter since ${dayAndTime(letter.at, now)}: ${letter.reason}`);
  if (job) {
    const tried = job.attempts === 1 ? ', tried once' : `, tried ${job.attempts} times`;
    lines.push(
      `It waits in the queue${job.attempts > 0 ? tried : ''}${job.reason ? `: ${job.reason}` : '.'}`,
    );
  }
  return lines;
}
