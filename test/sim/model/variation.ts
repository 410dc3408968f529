import type { Behaviour } from '../plex/behaviour';
import type { Chance } from './chance';
import type { ShownSettings } from './expectation';

/** What a run is about: how Plex behaves, what the person has set, and whether people edit in Plex too. */
export interface Variation {
  plex: Partial<Behaviour>;
  settings: ShownSettings & { plexKeepsOwn?: boolean };
  handEdits: boolean;
}

export const settingsInUse = {
  default: {},
  'labels and collections': {
    syncTagsAs: 'labels',
    syncCollectionsFrom: 'studio, groups',
    syncStudioParent: true,
    syncContentRating: 'PG',
    syncPictureAs: 'poster',
  },
  'all tags as collections': {
    syncTagsAs: 'collections',
    syncCollectionsFrom: 'groups',
    syncPictureAs: 'background',
    syncSkipFields: 'code, rating',
  },
  /** Nobody edits in Plex then, so nothing is Plex's own, whatever was interrupted. */
  'keeps own': { plexKeepsOwn: true, syncCollectionsFrom: 'studio, tag:Wetland' },
} as const satisfies Record<string, Variation['settings']>;

export type SettingsName = keyof typeof settingsInUse;

export function variation(tags: Behaviour['tags'], settings: SettingsName, chance: Chance): Variation {
  const oneRemovalPerPut = chance.is(0.3);
  return {
    plex: {
      tags,
      oneRemovalPerPut,
      // With neither, people could be put into another order only by a request for each of them.
      clearsLists: chance.is(0.7) || oneRemovalPerPut,
      capitaliseTags: chance.is(0.3),
      uploadLocks: chance.is(0.5),
      refreshOnGet: chance.is(0.3),
      sortArticles: chance.is(0.7),
      pictureNumber: chance.one(['item', 'picture']),
      pageCap: chance.one([null, 4]),
    },
    settings: settingsInUse[settings],
    handEdits: settings !== 'keeps own',
  };
}

/** Both ways of Plex with tags, and each of the settings at least once. */
export const runsOfTheModel = [
  ['merge', 'default'],
  ['replace', 'default'],
  ['merge', 'labels and collections'],
  ['replace', 'all tags as collections'],
  ['replace', 'keeps own'],
  ['merge-front', 'keeps own'],
] as const satisfies [Behaviour['tags'], SettingsName][];
