/**
 * What a sync of all or of recent scenes would do, without writing anything: every scene is planned as `sync-scene` would,
 * and counted. Page by page, so that its memory does not grow with the library; the libraries of Plex are listed once,
 * and a scene that is in step by that costs no request.
 */

import type { PlexFinder } from '../plex/finder';
import { counted } from '../shared/words';
import { type Plan, type PlanPorts, planScene } from '../sync/plan';

export interface DryRunPorts extends PlanPorts {
  finder: PlanPorts['finder'] & Pick<PlexFinder, 'advance'>;
}

/** How many scenes are named for each reason. */
const examples = 5;

/** Counts reasons, and remembers the first few scenes of each. */
export class Histogram {
  readonly #found = new Map<string, { count: number; scenes: number[] }>();

  add(reason: string, scene: number): void {
    const found = this.#found.get(reason) ?? { count: 0, scenes: [] };
    found.count++;
    if (found.scenes.length < examples) found.scenes.push(scene);
    this.#found.set(reason, found);
  }

  lines(): string[] {
    const longest = Math.max(0, ...[...this.#found.values()].map(({ count }) => String(count).length));
    return [...this.#found]
      .sort(([, a], [, b]) => b.count - a.count)
      .map(([reason, { count, scenes }]) => {
        const more = count > scenes.length ? ', …' : '';
        return `${String(count).padStart(longest)}  ${reason} (scene ${scenes.join(', ')}${more})`;
      });
  }
}

export class DryRun {
  readonly #reasons = new Histogram();
  readonly #fields = new Map<string, number>();
  #looked = 0;

  async look(scene: number, ports: DryRunPorts): Promise<void> {
    const job = { scene, asked: true, listFirst: true };
    let plan = await planScene(job, ports, async (one) => one);
    while (plan.kind === 'listing') {
      await ports.finder.advance(ports.signal);
      plan = await planScene(job, ports, async (one) => one);
    }
    this.#looked++;
    this.#reasons.add(reasonOf(plan), scene);
    if (plan.kind !== 'found') return;
    const pictures = plan.steps.map(({ kind }) => (kind === 'poster' ? 'poster' : 'background'));
    for (const field of [...(plan.edit?.fields ?? []), ...pictures])
      this.#fields.set(field, (this.#fields.get(field) ?? 0) + 1);
  }

  lines(): string[] {
    const fields = [...this.#fields]
      .sort(([, a], [, b]) => b - a)
      .map(([field, count]) => `${field} ${count}`);
    return [
      `Dry run: ${counted(this.#looked, 'scene was', 'scenes were')} looked at, nothing was written.`,
      ...this.#reasons.lines(),
      ...(fields.length > 0 ? [`Fields that would be written: ${fields.join(', ')}.`] : []),
      ...(this.#looked > 0 ? ['For one scene in detail, ask for "explain" with its number.'] : []),
    ];
  }
}

function reasonOf(plan: Plan): string {
  switch (plan.kind) {
    case 'filtered':
      return `left out by ${plan.rule}`;
    case 'found':
      return plan.edit || plan.steps.length > 0 ? 'would be written' : 'in step';
    case 'settled':
      return 'in step';
    case 'not-in-plex':
      return 'not in Plex';
    case 'ambiguous':
      return 'several items, or several scenes of one item: none would be touched';
    default:
      return 'gone from Stash';
  }
}
