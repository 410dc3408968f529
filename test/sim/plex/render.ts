import { type Attribute, type Element, element } from './element';
import { numberOf } from './fields';
import { type ImageKind, imageKinds } from './images';
import type { Item } from './item';
import type { Section } from './section';
import { tagKindNames, tagKinds } from './tags';

const mediaTags = { mediaTagPrefix: '/system/bundle/media/flags/', mediaTagVersion: 1775731696 };

export function container(attributes: Record<string, Attribute>, children: Element[] = []): Element {
  return element('MediaContainer', { size: children.length, ...attributes }, children);
}

export function sectionElement(section: Section): Element {
  return element(
    'Directory',
    {
      allowSync: true,
      art: `/:/resources/${section.type}-fanart.jpg`,
      composite: `/library/sections/${section.key}/composite/${section.scannedAt}`,
      filters: true,
      refreshing: section.refreshing,
      thumb: `/:/resources/${section.type}.png`,
      key: String(section.key),
      type: section.type,
      title: section.title,
      agent: section.agent,
      scanner: section.scanner,
      language: section.hasAgent ? 'en-US' : 'xn',
      uuid: section.uuid,
      updatedAt: section.scannedAt,
      createdAt: section.createdAt,
      scannedAt: section.scannedAt,
      content: true,
      directory: true,
      contentChangedAt: section.contentChangedAt,
      hidden: 0,
    },
    section.locations.map((path, index) => element('Location', { id: section.key * 100 + index, path })),
  );
}

/** What stands on the container of everything that comes from one library. */
export function sectionAttributes(section: Section): Record<string, Attribute> {
  return {
    allowSync: true,
    identifier: 'com.plexapp.plugins.library',
    librarySectionID: section.key,
    librarySectionTitle: section.title,
    librarySectionUUID: section.uuid,
    ...mediaTags,
  };
}

/** A line in a listing: the first few tags without their numbers, no labels, no locks. */
export function listedItem(item: Item): Element {
  return itemElement(item, {}, [...mediaElements(item, false), ...tagElements(item, false)]);
}

export function fullItem(item: Item): Element {
  const { section } = item;
  return itemElement(
    item,
    {
      librarySectionTitle: section.title,
      librarySectionID: section.key,
      librarySectionKey: `/library/sections/${section.key}`,
    },
    [
      ...mediaElements(item, true),
      ...tagElements(item, true),
      ...[...item.locked].map((name) => element('Field', { locked: true, name })),
    ],
  );
}

function itemElement(item: Item, where: Record<string, Attribute>, children: Element[]): Element {
  const { section, values } = item;
  const key = `/library/metadata/${item.ratingKey}`;
  const image = (kind: ImageKind) =>
    item.selectedImage(kind) === null ? null : `${key}/${imageKinds[kind].field}/${item.imageNumber(kind)}`;
  const attributes: Record<string, Attribute> = {
    ratingKey: String(item.ratingKey),
    key,
    guid: item.guid,
    editionTitle: values.editionTitle,
    studio: values.studio,
    type: section.type,
    title: values.title ?? '',
    titleSort: item.titleSort === values.title ? null : item.titleSort,
    ...where,
    originalTitle: values.originalTitle,
    contentRating: values.contentRating,
    summary: values.summary ?? '',
    rating: numberOf(values, 'rating'),
    audienceRating: numberOf(values, 'audienceRating'),
    userRating: numberOf(values, 'userRating'),
    lastRatedAt: item.lastRatedAt,
    year: item.year,
    tagline: values.tagline,
    thumb: image('posters'),
    art: image('arts'),
    duration: item.durationMs,
    originallyAvailableAt: values.originallyAvailableAt,
    addedAt: numberOf(values, 'addedAt'),
    updatedAt: item.updatedAt,
  };
  return element(section.type === 'movie' ? 'Video' : 'Directory', attributes, children, 'Metadata');
}

/** Only films have files of their own; those of a show belong to its episodes. */
function mediaElements(item: Item, full: boolean): Element[] {
  if (item.section.type !== 'movie') return [];
  return item.media.map((files, version) => {
    const id = item.ratingKey * 100 + version;
    const parts = files.map((file, index) => partElement(item, id * 10 + index, file, full));
    return element(
      'Media',
      {
        id,
        duration: item.durationMs,
        bitrate: 3250,
        width: 1280,
        height: 720,
        aspectRatio: 1.78,
        audioChannels: 2,
        audioCodec: 'aac',
        videoCodec: 'h264',
        videoResolution: '720',
        container: extension(files[0] ?? ''),
        videoFrameRate: '24p',
        videoProfile: 'high',
      },
      parts,
    );
  });
}

function partElement(item: Item, id: number, file: string, full: boolean): Element {
  const streams = [
    element('Stream', { id: id * 10, streamType: 1, codec: 'h264', index: 0, width: 1280, height: 720 }),
    element('Stream', { id: id * 10 + 1, streamType: 2, codec: 'aac', index: 1, channels: 2 }),
  ];
  return element(
    'Part',
    {
      id,
      key: `/library/parts/${id}/${item.updatedAt}/file.${extension(file)}`,
      duration: item.durationMs,
      file,
      size: 12_213_299,
      container: extension(file),
    },
    full ? streams : [],
  );
}

function tagElements(item: Item, full: boolean): Element[] {
  return tagKindNames.flatMap((kind) => {
    const { element: name, listed } = tagKinds[kind];
    const taggings = item.tags[kind] ?? [];
    if (!full) return taggings.slice(0, listed).map(({ tag }) => element(name, { tag: tag.name }));
    return taggings.map(({ tag, text }) =>
      element(name, {
        id: tag.id,
        filter: `${kind}=${tag.id}`,
        tag: tag.name,
        role: kind === 'actor' && text !== '' ? text : null,
        thumb: tag.thumb,
      }),
    );
  });
}

export function imageElements(item: Item, kind: ImageKind): Element[] {
  const shelf = item.shelf(kind);
  return shelf.keys.map((ratingKey) => {
    const key = `/library/metadata/${item.ratingKey}/file?url=${encodeURIComponent(ratingKey)}`;
    return element(
      'Photo',
      { key, ratingKey, selected: ratingKey === shelf.selected, thumb: key },
      [],
      'Metadata',
    );
  });
}

function extension(path: string): string {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? 'mp4';
}
