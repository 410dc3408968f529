/**
 * Tells a person what would be done for a scene, in lines: which item and why, each field now and wanted, what would be
 * sent, or why the scene would be skipped. Writes nothing.
 */
import type { DeadLetter, Job } from '../queue/entries';
import { compare } from '../sync/difference';
import { parcelsOf } from '../sync/parcels';
import type { Found, Plan, PlanPorts } from '../sync/plan';

/** Longer values are cut where they are told. */
const longestShown = 120;

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
  remembered: 'the item of the last sync, and its file is still the scene’s',
  file: 'found by its file',
  name: 'found by the name of its file alone',
};

function explainFound(scene: number, found: Found, settings: PlanPorts['settings']): string[] {
  const { item, how, edit, steps, keptPictures, aim, ours, instead } = found;
  const options = { keepsOwn: settings.plexKeepsOwn, former: aim.former };
  const fields = compare(aim.wanted, item, ours, options).map(({ called, shown, wanted, verdict }) => {
    if (verdict === 'same') return `  ${called}: ${told(shown)}`;
    const now = `${told(shown)} in Plex, ${told(wanted)} in Stash`;
    return `  ${called}: ${now}: ${verdict === 'write' ? 'would be written' : "Plex's own stays"}`;
  });
  const pictures = aim.kinds.map((kind) => {
    const step = steps.find((one) => one.kind === kind);
    const called = kind === 'poster' ? 'poster' : 'background';
    if (aim.cover.sha1 === null) return `  ${called}: Stash has no cover, so Plex's stays`;
    if (keptPictures.includes(called)) return `  ${called}: Plex's own stays`;
    if (!step) return `  ${called}: the cover of Stash`;
    const what = { upload: 'would be uploaded', select: 'would be selected again', lock: 'would be locked' };
    return `  ${called}: the cover of Stash ${what[step.act]}`;
  });
  return [
    `Scene ${scene} is item ${item.ratingKey} "${item.title}" in "${item.library}" (${hows[how]}): ${item.files.join(', ')}`,
    ...(instead === null ? [] : [`  It would stand for scene ${instead}, which is the same item.`]),
    ...fields,
    ...pictures,
    ...(aim.cover.problem === null ? [] : [`  ${aim.cover.problem}`]),
    sent(found),
  ].map((line) => line.replaceAll('\n', ' '));

  function sent({ edit: change }: Found): string {
    if (edit === null && steps.length === 0) return '  Nothing would be sent: all is in step.';
    const puts = change ? parcelsOf(change) : [];
    const names = puts.flat().map(([name]) => name);
    const uploads = steps.filter(({ act }) => act === 'upload').length;
    const parts = [
      ...(uploads > 0 ? [`${uploads} ${uploads === 1 ? 'upload' : 'uploads'}`] : []),
      ...(puts.length > 0
        ? [`${puts.length === 1 ? 'one edit' : `${puts.length} edits`} (${names.join(', ')})`]
        : []),
      ...(puts.length === 0 && steps.length > 0 ? ['one edit that locks the picture'] : []),
    ];
    return `  Would be sent: ${cut(parts.join(' and '), 1_000)}.`;
  }
}

const cut = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text;

function told(value: string | readonly string[]): string {
  if (typeof value === 'string') return value === '' ? 'nothing' : `"${cut(value, longestShown)}"`;
  return value.length === 0 ? 'none' : cut(value.map((name) => `"${name}"`).join(', '), 4 * longestShown);
}

/** What waits for a scene, or was given up. */
export function explainQueue(job: Job | undefined, letter: DeadLetter | undefined): string[] {
  return [
    ...(letter
      ? [`It is a dead letter since ${new Date(letter.at).toLocaleString()}: ${letter.reason}`]
      : []),
    ...(job
      ? [
          `It waits in the queue${job.attempts > 0 ? `, tried ${job.attempts} times` : ''}${job.reason ? `: ${job.reason}` : '.'}`,
        ]
      : []),
  ];
}
