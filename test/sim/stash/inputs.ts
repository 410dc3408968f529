/** Mutation inputs as the schema lets them through: a key is there only if the request named it. */

export interface SceneUpdateInput {
  clientMutationId?: string | null;
  id: string;
  title?: string | null;
  code?: string | null;
  details?: string | null;
  director?: string | null;
  url?: string | null;
  urls?: string[] | null;
  date?: string | null;
  rating100?: number | null;
  organized?: boolean | null;
  studio_id?: string | null;
  performer_ids?: string[] | null;
  groups?: { group_id: string; scene_index?: number | null }[] | null;
  tag_ids?: string[] | null;
  cover_image?: string | null;
  stash_ids?: { endpoint: string; stash_id: string; updated_at?: string | null }[] | null;
  primary_file_id?: string | null;
}

type Mode = 'SET' | 'ADD' | 'REMOVE';

export interface BulkIds {
  ids?: string[] | null;
  mode: Mode;
}

export interface BulkSceneUpdateInput {
  clientMutationId?: string | null;
  ids?: string[] | null;
  title?: string | null;
  code?: string | null;
  details?: string | null;
  director?: string | null;
  url?: string | null;
  urls?: { values?: string[] | null; mode: Mode } | null;
  date?: string | null;
  rating100?: number | null;
  organized?: boolean | null;
  studio_id?: string | null;
  performer_ids?: BulkIds | null;
  tag_ids?: BulkIds | null;
  group_ids?: BulkIds | null;
}

/** As Go converts a text to a number. */
export function atoi(text: string): number {
  if (!/^[+-]?\d+$/.test(text))
    throw new Error(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** Runs `convert` and says what it was about when it fails. */
export function converting<T>(what: string, convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    throw new Error(`converting ${what}: ${error instanceof Error ? error.message : error}`);
  }
}

/** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`; an empty text is no date. */
export function parseDate(text: string): string | null {
  if (text === '') return null;
  const valid = /^\d{4}(-\d{2}(-\d{2})?)?$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!valid) throw new Error(`failed to parse date ${JSON.stringify(text)}`);
  return text;
}
