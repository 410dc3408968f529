import { basename, extname } from 'node:path/posix';
import { naturalOrder } from './collation';
import { stamp } from './go-time';
import type {
  Dated,
  FileRecord,
  GroupRecord,
  Marker,
  PerformerRecord,
  SceneRecord,
  StudioRecord,
  TagRecord,
} from './records';
import { Table } from './table';

export type NewFile = Partial<Omit<FileRecord, 'id'>> & { path: string };

/** A scene as a test writes it down; what is left out is empty, and there is one file with a made-up path. */
export type NewScene = Partial<Omit<SceneRecord, 'id' | 'fileIds' | 'markers' | 'groups'>> & {
  path?: string;
  /** Instead of `path`: several files, the first is primary, or none at all. */
  files?: NewFile[];
  groups?: { groupId: number; sceneIndex?: number | null }[];
  markers?: Omit<Marker, 'id'>[];
};

type New<T extends Dated & { name: string }> = string | (Partial<Omit<T, 'id'>> & { name: string });

/** Stash's database. Every method leaves it as a committed transaction would. */
export class Store {
  readonly scenes = new Table<SceneRecord>('scenes');
  readonly files = new Table<FileRecord>('files');
  readonly performers = new Table<PerformerRecord>('performers');
  readonly studios = new Table<StudioRecord>('studios');
  readonly tags = new Table<TagRecord>('tags');
  readonly groups = new Table<GroupRecord>('groups');
  #lastMarkerId = 0;
  /** Large libraries are made within few seconds: each second's text is made once. */
  #lastStamp = { second: Number.NaN, offset: 0, text: '' };

  constructor(
    readonly now: () => number,
    /** Of the server's time zone; Stash writes its times in it. */
    public utcOffsetMinutes: number,
  ) {}

  /** The present as the database writes it. */
  stamp(): string {
    const second = Math.floor(this.now() / 1000);
    const offset = this.utcOffsetMinutes;
    if (this.#lastStamp.second !== second || this.#lastStamp.offset !== offset)
      this.#lastStamp = { second, offset, text: stamp(second * 1000, offset) };
    return this.#lastStamp.text;
  }

  addScene(given: NewScene = {}): SceneRecord {
    const { path, files, markers = [], groups = [], performerIds = [], ...fields } = given;
    const id = this.scenes.nextId();
    const ofOne = [{ path: path ?? `/data/library/Scene ${id}.mp4` }];
    return this.scenes.put({
      ...this.#dated(id),
      title: '',
      code: '',
      details: '',
      director: '',
      urls: [],
      date: null,
      rating100: null,
      organized: false,
      studioId: null,
      tagIds: [],
      stashIds: [],
      playDates: [],
      playDuration: 0,
      resumeTime: 0,
      cover: 'generated',
      ...fields,
      performerIds: ascending(performerIds),
      fileIds: (files ?? ofOne).map((file) => this.addFile(file).id),
      groups: groups.map(({ groupId, sceneIndex = null }) => ({ groupId, sceneIndex })),
      markers: markers.map((marker) => ({ ...marker, id: ++this.#lastMarkerId })),
    });
  }

  addFile(given: NewFile): FileRecord {
    const id = this.files.nextId();
    return this.files.put({
      ...this.#dated(id),
      size: 50_000 + id,
      modTime: this.stamp(),
      duration: 60,
      width: 1920,
      height: 1080,
      videoCodec: 'h264',
      audioCodec: 'aac',
      frameRate: 25,
      bitRate: 100_000,
      format: extname(given.path).slice(1) || 'mp4',
      oshash: id.toString(16).padStart(16, '0'),
      ...given,
    });
  }

  addPerformer(given: New<PerformerRecord>): PerformerRecord {
    return this.performers.put({
      ...this.#dated(this.performers.nextId()),
      disambiguation: '',
      aliases: [],
      gender: null,
      birthdate: null,
      details: '',
      urls: [],
      country: '',
      favorite: false,
      rating100: null,
      tagIds: [],
      customFields: {},
      image: null,
      ...named(given),
    });
  }

  addStudio(given: New<StudioRecord>): StudioRecord {
    return this.studios.put({
      ...this.#dated(this.studios.nextId()),
      aliases: [],
      details: '',
      urls: [],
      favorite: false,
      rating100: null,
      parentId: null,
      tagIds: [],
      image: null,
      ...named(given),
    });
  }

  addTag(given: New<TagRecord>): TagRecord {
    return this.tags.put({
      ...this.#dated(this.tags.nextId()),
      sortName: '',
      description: '',
      aliases: [],
      favorite: false,
      parentIds: [],
      image: null,
      ...named(given),
    });
  }

  addGroup(given: New<GroupRecord>): GroupRecord {
    return this.groups.put({
      ...this.#dated(this.groups.nextId()),
      aliases: '',
      synopsis: '',
      director: '',
      urls: [],
      date: null,
      rating100: null,
      studioId: null,
      tagIds: [],
      image: null,
      ...named(given),
    });
  }

  primaryFile(scene: SceneRecord): FileRecord | undefined {
    return this.files.get(scene.fileIds[0] ?? 0);
  }

  fileName(scene: SceneRecord): string {
    return basename(this.primaryFile(scene)?.path ?? '');
  }

  /** As Stash lists them: by their sort name or else their name. */
  tagsInOrder(ids: number[]): TagRecord[] {
    const key = (tag: TagRecord) => tag.sortName || tag.name;
    return ids.flatMap((id) => this.tags.get(id) ?? []).sort((a, b) => naturalOrder(key(a), key(b)));
  }

  /** Scenes lose what is gone without being touched themselves: their `updated_at` stays. */
  removePerformer(id: number): void {
    this.performers.remove(id);
    for (const scene of this.scenes.all()) scene.performerIds = without(scene.performerIds, id);
  }

  removeStudio(id: number): void {
    this.studios.remove(id);
    for (const scene of this.scenes.all()) if (scene.studioId === id) scene.studioId = null;
    for (const studio of this.studios.all()) if (studio.parentId === id) studio.parentId = null;
    for (const group of this.groups.all()) if (group.studioId === id) group.studioId = null;
  }

  /** A marker cannot be without its first tag. */
  refuseRemovingTag(id: number): void {
    for (const scene of this.scenes.all())
      if (scene.markers.some(({ primaryTagId }) => primaryTagId === id))
        throw new Error('cannot delete tag used as a primary tag in scene markers');
  }

  removeTag(id: number): void {
    this.refuseRemovingTag(id);
    this.tags.remove(id);
    for (const owner of this.#tagged()) owner.tagIds = without(owner.tagIds, id);
    for (const tag of this.tags.all()) tag.parentIds = without(tag.parentIds, id);
  }

  removeGroup(id: number): void {
    this.groups.remove(id);
    for (const scene of this.scenes.all())
      scene.groups = scene.groups.filter(({ groupId }) => groupId !== id);
  }

  removeScene(id: number): void {
    const scene = this.scenes.get(id);
    this.scenes.remove(id);
    for (const fileId of scene?.fileIds ?? []) this.files.remove(fileId);
  }

  /** What had a source has the destination. */
  mergePerformers(sources: number[], destination: number): void {
    for (const scene of this.scenes.all())
      if (scene.performerIds.some((id) => sources.includes(id)))
        scene.performerIds = ascending([...scene.performerIds, destination]);
    for (const id of sources) this.removePerformer(id);
  }

  /** What had a source has the destination, and the sources' names become its aliases. */
  mergeTags(sources: number[], destination: TagRecord): void {
    for (const owner of this.#tagged()) {
      if (!owner.tagIds.some((id) => sources.includes(id))) continue;
      const kept = owner.tagIds.filter((id) => !sources.includes(id));
      owner.tagIds = kept.includes(destination.id) ? kept : [...kept, destination.id];
    }
    for (const scene of this.scenes.all())
      for (const marker of scene.markers)
        if (sources.includes(marker.primaryTagId)) marker.primaryTagId = destination.id;
    for (const id of sources) {
      const source = this.tags.get(id);
      if (source) destination.aliases.push(source.name, ...source.aliases);
      this.tags.remove(id);
      for (const tag of this.tags.all()) tag.parentIds = without(tag.parentIds, id);
    }
  }

  #dated(id: number): Dated {
    return { id, createdAt: this.stamp(), updatedAt: this.stamp() };
  }

  *#tagged(): Generator<{ tagIds: number[] }> {
    yield* this.scenes.all();
    yield* this.performers.all();
    yield* this.studios.all();
    yield* this.groups.all();
  }
}

export const ascending = (ids: number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

const without = (ids: number[], id: number): number[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : ids;

function named<T extends { name: string }>(given: string | T): T | { name: string } {
  return typeof given === 'string' ? { name: given } : given;
}
