/**
 * What a sync of all or of recent scenes would do, without writing anything: every scene is planned as `sync-scene` would,
 * and counted. The scenes come page by page, so that its memory does not grow with the library; the libraries of Plex are
 * listed once, and a scene that is in step by that costs no request.
 */
import { counted } from '../shared/words';
import type { Scene } from '../stash/scene';
import { syncRows } from '../stash/sync-settings';
import { type Plan, type PlanPorts, planScene } from '../sync/plan';

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

  get looked(): number {
    return this.#looked;
  }

  /** False: Plex's libraries have to be listed first. */
  async look(scene: Scene, ports: PlanPorts): Promise<boolean> {
    const stash: PlanPorts['stash'] = {
      scene: async (id, signal) => (id === scene.id ? scene : await ports.stash.scene(id, signal)),
      cover: (path, signal) => ports.stash.cover(path, signal),
    };
    const job = { scene: scene.id, asked: true, listFirst: true, queuedAt: 0 };
    const plan = await planScene(job, { ...ports, stash }, async (one) => one);
    if (plan.kind === 'listing') return false;
    this.#looked++;
    this.#reasons.add(reasonOf(plan), scene.id);
    if (plan.kind !== 'found') return true;
    const pictures = plan.steps.map(({ kind }) => (kind === 'poster' ? 'poster' : 'background'));
    for (const field of [...(plan.edit?.fields ?? []), ...pictures])
      this.#fields.set(field, (this.#fields.get(field) ?? 0) + 1);
    return true;
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

function reasonOf(plan: Exclude<Plan, { kind: 'listing' }>): string {
  switch (plan.kind) {
    case 'filtered':
      return plan.rule === 'no-file' ? 'left out: it has no file' : `left out by "${labelOf(plan.rule)}"`;
    case 'found':
      return plan.edit || plan.steps.length > 0 ? 'would be written' : 'in step';
    case 'settled':
      return 'in step';
    case 'not-in-plex':
      return 'not in Plex';
    case 'ambiguous':
      return 'several items, or several scenes of one item: none would be touched';
    case 'gone':
      return 'gone from Stash';
  }
}

/** As the settings page calls it. */
const labelOf = (rule: string): string =>
  Object.entries(syncRows).find(([key]) => key === rule)?.[1].label ?? rule;
