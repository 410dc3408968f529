import { createHash } from 'node:crypto';
import { type FieldName, fieldNames, personal, type Values } from './fields';
import { type ImageKind, ImageShelf, imageKinds, isImageKind } from './images';
import { sortTitle } from './scanned-title';
import { noAgent, type Section } from './section';
import { type Taggings, type TagKind, tagKindNames } from './tags';

/** What the agent says about an item, and says again at every refresh. */
export interface Scanned {
  readonly values: Values;
  readonly tags: Taggings;
}

const nothingLocked: ReadonlySet<string> = new Set();

/** One film (or show, or artist). Times are Plex's: whole seconds since 1970. */
export class Item {
  values: Values;
  tags: Taggings;
  locked: ReadonlySet<string> = nothingLocked;
  updatedAt: number;
  lastRatedAt: number | null = null;
  readonly #shelves: Partial<Record<ImageKind, ImageShelf>> = {};
  /** When a picture was last chosen; nothing for the one that the scan came with. */
  readonly #chosenAt: Partial<Record<ImageKind, number>> = {};

  constructor(
    readonly ratingKey: number,
    readonly section: Section,
    /** Versions of the film, each of one file or of several that play one after the other. */
    public media: readonly (readonly string[])[],
    readonly scanned: Scanned,
    readonly durationMs: number,
    readonly givenGuid: string | null,
    addedAt: number,
  ) {
    this.values = { addedAt: String(addedAt), ...scanned.values };
    this.tags = scanned.tags;
    this.updatedAt = addedAt;
  }

  get files(): string[] {
    return this.media.flat();
  }

  get guid(): string {
    if (this.givenGuid !== null) return this.givenGuid;
    const digest = createHash('sha1').update(String(this.ratingKey)).digest('hex');
    if (!this.section.hasAgent) return `${noAgent}://${digest}?lang=xn`;
    return `plex://${this.section.type}/${digest.slice(0, 24)}`;
  }

  /** Plex makes it of the title until somebody says otherwise, and again when somebody empties it. */
  get titleSort(): string {
    return this.values.titleSort ?? sortTitle(this.values.title ?? '', this.section.behaviour);
  }

  get year(): number | null {
    const date = this.values.originallyAvailableAt;
    return date === undefined ? null : Number(date.slice(0, 4));
  }

  shelf(kind: ImageKind): ImageShelf {
    const shelf = this.#shelves[kind] ?? new ImageShelf(this.#found(kind));
    this.#shelves[kind] = shelf;
    return shelf;
  }

  /** Like `shelf(kind).selected`, but makes no shelf: a listing of a large library would keep two for each item. */
  selectedImage(kind: ImageKind): string | null {
    const shelf = this.#shelves[kind];
    return shelf ? shelf.selected : this.#found(kind);
  }

  /**
   * The end of the address of the picture that is shown. Another one whenever another picture is chosen, also
   * within the same second.
   */
  imageNumber(kind: ImageKind): number {
    const chosenAt = this.#chosenAt[kind] ?? 0;
    if (this.section.behaviour.pictureNumber === 'item') return Math.max(this.updatedAt, chosenAt);
    return Math.max(Number(this.values.addedAt ?? 0), chosenAt);
  }

  /** To be called after another picture was chosen. */
  imageChosen(kind: ImageKind, now: number): void {
    this.#chosenAt[kind] = Math.max(now, this.imageNumber(kind) + 1);
    this.updatedAt = now;
    this.section.changed(false);
  }

  /** A scan takes a still from the film as its poster. */
  #found(kind: ImageKind): string | null {
    return kind === 'posters' ? `media://${this.ratingKey}.bundle/Contents/Thumbnails/thumb1.jpg` : null;
  }

  setValue(name: FieldName, value: string): void {
    const { [name]: _, ...others } = this.values;
    this.values = value === '' ? others : { ...others, [name]: value };
  }

  setLocked(name: string, locked: boolean): void {
    if (this.locked.has(name) === locked) return;
    const names = new Set(this.locked);
    if (locked) names.add(name);
    else names.delete(name);
    this.locked = names;
  }

  /** What a refresh does: all that is not locked becomes what the agent says. */
  revertUnlocked(now: number): void {
    for (const name of fieldNames) {
      if (!this.locked.has(name) && !personal.has(name)) this.setValue(name, this.scanned.values[name] ?? '');
    }
    const tags: Partial<Record<TagKind, Taggings[TagKind]>> = {};
    for (const kind of tagKindNames) {
      const list = this.locked.has(kind) ? this.tags[kind] : this.scanned.tags[kind];
      if (list) tags[kind] = list;
    }
    this.tags = tags as Taggings;
    for (const kind of Object.keys(this.#shelves).filter(isImageKind)) {
      const shelf = this.shelf(kind);
      if (this.locked.has(imageKinds[kind].field) || shelf.selected === shelf.found) continue;
      shelf.revert();
      this.imageChosen(kind, now);
    }
    this.updatedAt = now;
    this.section.changed();
  }
}
