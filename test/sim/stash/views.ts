import { basename } from 'node:path/posix';
import { unixSeconds } from './go-time';
import type { Job } from './jobs';
import type { Plugin } from './manifest';
import type {
  FileRecord,
  GroupRecord,
  PerformerRecord,
  Picture,
  SceneRecord,
  StudioRecord,
  TagRecord,
} from './records';
import type { RequestContext } from './request-context';
import type { Store } from './store';

/**
 * Records as the API shows them. A function stands for a field that is worked out only when it is asked for; it gets
 * the field's arguments and the request.
 */
export class Views {
  constructor(
    private readonly store: Store,
    private readonly apiKey: () => string,
  ) {}

  scene = (scene: SceneRecord) => ({
    id: scene.id,
    title: scene.title,
    code: scene.code,
    details: scene.details,
    director: scene.director,
    urls: scene.urls,
    date: scene.date,
    rating100: scene.rating100,
    organized: scene.organized,
    interactive: false,
    interactive_speed: null,
    created_at: scene.createdAt,
    updated_at: scene.updatedAt,
    last_played_at: scene.playDates.at(-1) ?? null,
    resume_time: scene.resumeTime,
    play_duration: scene.playDuration,
    play_count: scene.playDates.length,
    play_history: scene.playDates.toReversed(),
    files: () => scene.fileIds.flatMap((id) => this.store.files.get(id) ?? []).map(this.file),
    paths: (_: unknown, { baseUrl }: RequestContext) => this.#paths(scene, baseUrl),
    scene_markers: () =>
      scene.markers.map((marker) => ({ ...marker, primary_tag: () => this.tagOf(marker.primaryTagId) })),
    galleries: [],
    studio: () => this.studioOf(scene.studioId),
    groups: () =>
      scene.groups.map(({ groupId, sceneIndex }) => ({
        group: this.groupOf(groupId),
        scene_index: sceneIndex,
      })),
    tags: () => this.store.tagsInOrder(scene.tagIds).map(this.tag),
    performers: () => scene.performerIds.map((id) => this.performerOf(id)),
    stash_ids: scene.stashIds,
  });

  file = (file: FileRecord) => ({
    id: file.id,
    path: file.path,
    basename: basename(file.path),
    mod_time: file.modTime,
    size: file.size,
    fingerprint: ({ type }: { type: string }) => (type === 'oshash' ? file.oshash : null),
    fingerprints: [{ type: 'oshash', value: file.oshash }],
    format: file.format,
    width: file.width,
    height: file.height,
    duration: file.duration,
    video_codec: file.videoCodec,
    audio_codec: file.audioCodec,
    frame_rate: file.frameRate,
    bit_rate: file.bitRate,
    created_at: file.createdAt,
    updated_at: file.updatedAt,
  });

  performer = (performer: PerformerRecord) => ({
    id: performer.id,
    name: performer.name,
    disambiguation: performer.disambiguation,
    urls: performer.urls,
    gender: performer.gender,
    birthdate: performer.birthdate,
    country: performer.country,
    alias_list: performer.aliases,
    favorite: performer.favorite,
    tags: () => this.store.tagsInOrder(performer.tagIds).map(this.tag),
    image_path: imagePath('performer', 'image', performer, performer.image),
    rating100: performer.rating100,
    details: performer.details,
    created_at: performer.createdAt,
    updated_at: performer.updatedAt,
    custom_fields: performer.customFields,
    scene_count: () => this.#scenes((scene) => scene.performerIds.includes(performer.id)).length,
    scenes: () => this.#scenes((scene) => scene.performerIds.includes(performer.id)).map(this.scene),
  });

  studio = (studio: StudioRecord): object => ({
    id: studio.id,
    name: studio.name,
    urls: studio.urls,
    parent_studio: () => this.studioOf(studio.parentId),
    child_studios: () =>
      [...this.store.studios.all()].filter(({ parentId }) => parentId === studio.id).map(this.studio),
    aliases: studio.aliases,
    tags: () => this.store.tagsInOrder(studio.tagIds).map(this.tag),
    image_path: imagePath('studio', 'image', studio, studio.image),
    rating100: studio.rating100,
    favorite: studio.favorite,
    details: studio.details,
    created_at: studio.createdAt,
    updated_at: studio.updatedAt,
  });

  tag = (tag: TagRecord): object => ({
    id: tag.id,
    name: tag.name,
    sort_name: tag.sortName,
    description: tag.description,
    aliases: tag.aliases,
    created_at: tag.createdAt,
    updated_at: tag.updatedAt,
    favorite: tag.favorite,
    image_path: imagePath('tag', 'image', tag, tag.image),
    parents: () => this.store.tagsInOrder(tag.parentIds).map(this.tag),
  });

  group = (group: GroupRecord) => ({
    id: group.id,
    name: group.name,
    aliases: group.aliases,
    date: group.date,
    rating100: group.rating100,
    studio: () => this.studioOf(group.studioId),
    director: group.director,
    synopsis: group.synopsis,
    urls: group.urls,
    tags: () => this.store.tagsInOrder(group.tagIds).map(this.tag),
    created_at: group.createdAt,
    updated_at: group.updatedAt,
    front_image_path: imagePath('group', 'frontimage', group, group.image),
    back_image_path: null,
    scenes: () =>
      this.#scenes((scene) => scene.groups.some(({ groupId }) => groupId === group.id)).map(this.scene),
  });

  performerOf = (id: number) => shown(this.store.performers.get(id), this.performer);
  studioOf = (id: number | null) => shown(this.store.studios.get(id ?? 0), this.studio);
  tagOf = (id: number) => shown(this.store.tags.get(id), this.tag);
  groupOf = (id: number) => shown(this.store.groups.get(id), this.group);
  sceneOf = (id: number) => shown(this.store.scenes.get(id), this.scene);

  #scenes(matches: (scene: SceneRecord) => boolean): SceneRecord[] {
    return [...this.store.scenes.all()].filter(matches);
  }

  #paths(scene: SceneRecord, baseUrl: string) {
    const hash = this.store.primaryFile(scene)?.oshash ?? '';
    const own = `${baseUrl}/scene/${scene.id}`;
    const apiKey = this.apiKey();
    return {
      screenshot: `${own}/screenshot?t=${unixSeconds(scene.updatedAt)}`,
      preview: `${own}/preview`,
      stream: `${own}/stream${apiKey ? `?${new URLSearchParams({ apikey: apiKey })}` : ''}`,
      webp: `${own}/webp`,
      vtt: `${baseUrl}/scene/${hash}_thumbs.vtt`,
      sprite: `${baseUrl}/scene/${hash}_sprite.jpg`,
      funscript: `${own}/funscript`,
      interactive_heatmap: `${own}/interactive_heatmap`,
      caption: `${own}/caption`,
    };
  }
}

export const pluginView = (plugin: Plugin, enabled: boolean): object => ({
  id: plugin.id,
  name: plugin.name || plugin.id,
  description: plugin.description,
  url: plugin.url,
  version: plugin.version,
  enabled,
  tasks: plugin.tasks.map(({ name, description }) => ({
    name,
    description,
    plugin: () => pluginView(plugin, enabled),
  })),
  hooks: plugin.hooks.map(({ name, description, triggeredBy }) => ({
    name,
    description,
    hooks: triggeredBy,
    plugin: () => pluginView(plugin, enabled),
  })),
  settings: plugin.settings.map(({ displayName, ...setting }) => ({ ...setting, display_name: displayName })),
  requires: null,
  paths: { javascript: null, css: null },
});

export const jobView = (job: Job): object => ({ ...job, subTasks: null });

/** The address changes with the record, and says when there is no picture. */
function imagePath(kind: string, name: string, record: { id: number; updatedAt: string }, picture: Picture) {
  return (_: unknown, { baseUrl }: RequestContext) =>
    `${baseUrl}/${kind}/${record.id}/${name}?t=${unixSeconds(record.updatedAt)}${picture ? '' : '&default=true'}`;
}

function shown<T, V>(record: T | undefined, show: (record: T) => V): V | null {
  return record === undefined ? null : show(record);
}
