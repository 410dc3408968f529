/** The whole story in a few numbers. */
import type { Status } from '../../src/shared/status';
import { type ComparedScene, isInStep } from './comparison';
import type { Handover } from './gate-news';
import type { Recovery, Save } from './moment';
import { fullestSecond, keepsToRamp } from './ramp';
import type { Outcome } from './story';
import { count, median, type Paint, padded, seconds } from './text';

export interface Facts {
  saves: readonly Save[];
  scenes: readonly ComparedScene[];
  status: Status | null;
  requests: number;
  outcome: Outcome;
  /** Null: none was seen. */
  recovery: Recovery | null;
  /** Workers that went on with the recovery of one that was killed. */
  handovers: readonly Handover[];
  tookMs: number;
}

/** Every field agrees, nothing was given up on, nothing waits, and nobody was faster than the ramp. */
export const allIsWell = (facts: Facts): boolean => {
  const { scenes, status, outcome } = facts;
  const isInOrder = status?.deadLetters === 0 && outcome.drained && rampFaults(facts).length === 0;
  return scenes.length > 0 && scenes.every(isInStep) && isInOrder;
};

const rampFaults = ({ recovery, handovers }: Facts): string[] => [
  ...(recovery && !keepsToRamp(recovery) ? ['more scenes were sent in a second than the ramp allowed'] : []),
  ...(handovers.every(({ isSameRamp }) => isSameRamp) ? [] : ['a worker did not go on with the ramp']),
];

export function summary(facts: Facts, paint: Paint): string[] {
  const { saves, scenes, status, requests, outcome, tookMs } = facts;
  const fields = scenes.flatMap((scene) => Object.values(scene.fields));
  const wrong = fields.filter(({ isSame }) => !isSame).length;
  const single = saves.filter((save) => save.scenes === 1).map((save) => save.tookMs);
  const bulk = saves.filter((save) => save.scenes > 1);
  const bulkScenes = bulk.reduce((sum, save) => sum + save.scenes, 0);
  const bulkMs = bulk.reduce((sum, save) => sum + save.tookMs, 0);
  const lost = scenes.filter((scene) => !isInStep(scene)).length;
  const ms = (value: number | null) => (value === null ? '-' : `${value.toFixed(0)} ms`);

  const faults = [
    wrong > 0 ? `${wrong} of ${fields.length} fields ${wrong === 1 ? 'differs' : 'differ'}` : [],
    status === null ? 'Sluice left no status' : [],
    status && status.deadLetters > 0 ? count(status.deadLetters, 'dead letter') : [],
    outcome.drained ? [] : 'the queue did not become empty',
    rampFaults(facts),
  ].flat();
  const verdict = allIsWell(facts)
    ? paint.green(`✓ Stash and Plex agree in all ${fields.length} fields of ${scenes.length} scenes.`)
    : paint.red(`✗ ${faults.join('; ') || 'there is nothing to compare'}.`);
  const rows: [string, string][] = [
    ['edits', `${single.length} single, ${bulk.length} in bulk (${bulkScenes} scenes)`],
    [
      'a save took',
      `${ms(median(single))} (median); in bulk ${ms(bulkScenes === 0 ? null : bulkMs / bulkScenes)} a scene`,
    ],
    ['scenes synced', String(status?.targets.plex?.done ?? 0)],
    ['requests to Plex', String(requests)],
    ['Plex was down for', seconds(outcome.outageMs)],
    ...rampRows(facts),
    ['workers killed', String(outcome.kills)],
    ['dead letters', String(status?.deadLetters ?? '-')],
    ['lost', String(lost)],
    ['all this took', seconds(tookMs)],
  ];
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  return [verdict, '', ...rows.map(([name, value]) => `  ${paint.dim(padded(name, nameWidth))}  ${value}`)];
}

function rampRows({ recovery, handovers }: Facts): [string, string][] {
  if (!recovery) return [['recovery', 'none was seen']];
  const { startedAtMs, endsAtMs, initialRate, targetRate } = recovery;
  const fullest = fullestSecond(recovery);
  const kept = handovers.map(({ isSameRamp, rateBefore, rateAfter }) => {
    const rates = `${rateBefore.toFixed(1)} a second before, ${rateAfter.toFixed(1)} after`;
    return `${isSameRamp ? 'kept' : 'not kept'}: ${rates}`;
  });
  return [
    ['recovery', `${initialRate} to ${targetRate} scenes a second in ${seconds(endsAtMs - startedAtMs)}`],
    [
      'its fullest second',
      fullest ? `${fullest.scenes} scenes; ${fullest.most.toFixed(1)} were allowed there` : '-',
    ],
    ['ramp over the kill', kept.join('; ') || 'not seen'],
  ];
}
