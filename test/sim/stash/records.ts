/** What Stash's database holds, as far as the simulator keeps it. Times are texts, as in the database. */

export interface Dated {
  readonly id: number;
  createdAt: string;
  updatedAt: string;
}

export interface StashId {
  endpoint: string;
  stash_id: string;
  updated_at: string;
}

export interface Marker {
  id: number;
  title: string;
  seconds: number;
  primaryTagId: number;
}

/** `generated` is a picture made from the id: the cover that a scan would have made. */
export type Picture = 'generated' | Buffer | null;

export interface SceneRecord extends Dated {
  title: string;
  code: string;
  details: string;
  director: string;
  urls: string[];
  date: string | null;
  rating100: number | null;
  organized: boolean;
  studioId: number | null;
  /** Ascending: Stash does not keep the order in which performers were given. */
  performerIds: number[];
  tagIds: number[];
  groups: { groupId: number; sceneIndex: number | null }[];
  /** The first is the primary file. */
  fileIds: number[];
  stashIds: StashId[];
  markers: Marker[];
  playDates: string[];
  playDuration: number;
  resumeTime: number;
  cover: Picture;
}

export interface FileRecord extends Dated {
  path: string;
  size: number;
  modTime: string;
  duration: number;
  width: number;
  height: number;
  videoCodec: string;
  audioCodec: string;
  frameRate: number;
  bitRate: number;
  format: string;
  oshash: string;
}

export interface PerformerRecord extends Dated {
  name: string;
  disambiguation: string;
  aliases: string[];
  gender: string | null;
  birthdate: string | null;
  details: string;
  urls: string[];
  country: string;
  favorite: boolean;
  rating100: number | null;
  tagIds: number[];
  customFields: Record<string, unknown>;
  image: Picture;
}

export interface StudioRecord extends Dated {
  name: string;
  aliases: string[];
  details: string;
  urls: string[];
  favorite: boolean;
  rating100: number | null;
  parentId: number | null;
  tagIds: number[];
  image: Picture;
}

export interface TagRecord extends Dated {
  name: string;
  sortName: string;
  description: string;
  aliases: string[];
  favorite: boolean;
  parentIds: number[];
  image: Picture;
}

export interface GroupRecord extends Dated {
  name: string;
  aliases: string;
  synopsis: string;
  director: string;
  urls: string[];
  date: string | null;
  rating100: number | null;
  studioId: number | null;
  tagIds: number[];
  image: Picture;
}
