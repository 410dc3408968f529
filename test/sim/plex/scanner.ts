import { createHash } from 'node:crypto';
import type { Clock } from '../../../src/shared/clock';
import type { Behaviour } from './behaviour';
import { type Catalogue, isInside } from './catalogue';
import type { Activity, Events } from './events';
import type { Section } from './section';

/** Looks for new files, as Plex does when it is told that a folder changed. */
export class Scanner {
  readonly running = new Set<Activity>();
  #scans = 0;

  constructor(
    readonly catalogue: Catalogue,
    readonly events: Events,
    readonly behaviour: Behaviour,
    readonly clock: Clock,
  ) {}

  /**
   * Scans a folder, or the whole library when `folder` is null; `force` also runs the agent for every item.
   * A folder outside the library's locations is only worth a line in Plex's log.
   */
  async scan(section: Section, folder: string | null, force: boolean): Promise<void> {
    if (folder !== null && !section.locations.some((root) => folder === root || isInside(folder, root)))
      return;
    this.#scans += 1;
    const activity: Activity = {
      uuid: createHash('sha1').update(String(this.#scans)).digest('hex').slice(0, 32),
      title: `Scanning ${section.title}`,
      subtitle: folder ?? '',
      progress: 0,
      sectionKey: section.key,
    };
    this.running.add(activity);
    section.refreshing = true;
    this.events.activity('started', activity);
    await this.clock.sleep(this.behaviour.scanMs);
    this.#finish(section, folder, force);
    activity.progress = 100;
    this.running.delete(activity);
    section.refreshing = [...this.running].some(({ sectionKey }) => sectionKey === section.key);
    this.events.activity('ended', activity);
  }

  #finish(section: Section, folder: string | null, force: boolean): void {
    for (const item of this.catalogue.scan(section, folder)) {
      this.events.timeline(item, 'created');
      const settled = section.hasAgent ? 'processed' : 'matched';
      this.events.timeline(item, settled);
      this.events.timeline(item, settled);
    }
    if (force) for (const item of section.items.values()) item.revertUnlocked(this.catalogue.now());
    section.scannedAt = this.catalogue.now();
  }
}
