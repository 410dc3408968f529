/** Stash and Plex side by side, field by field. */
import type { Household, Shown } from '../../test/sim/household';

/** What the table at the end shows. */
export type Compared = Pick<Shown, 'title' | 'summary' | 'studio' | 'date' | 'actors' | 'genres' | 'poster'>;
export type FieldName = keyof Compared;

export interface ComparedField {
  inStash: string | string[];
  /** null: Plex has no such item. */
  inPlex: string | string[] | null;
  isSame: boolean;
}

export interface ComparedScene {
  scene: number;
  fields: Record<FieldName, ComparedField>;
}

export async function compare(home: Household): Promise<ComparedScene[]> {
  const scenes = [...(await home.inStash())];
  return scenes.map(([scene, wanted]) =>
    compareScene(scene, { ...wanted, poster: wanted.poster ?? null }, home.inPlex(scene)),
  );
}

export function compareScene(scene: number, wanted: Compared, shown: Compared | null): ComparedScene {
  const field = (name: FieldName): ComparedField => {
    const [inStash, inPlex] = [wanted[name] ?? '', shown && (shown[name] ?? '')];
    return { inStash, inPlex, isSame: JSON.stringify(inStash) === JSON.stringify(inPlex) };
  };
  return {
    scene,
    fields: {
      title: field('title'),
      summary: field('summary'),
      studio: field('studio'),
      date: field('date'),
      actors: field('actors'),
      genres: field('genres'),
      poster: field('poster'),
    },
  };
}

export const isInStep = ({ fields }: ComparedScene): boolean =>
  Object.values(fields).every(({ isSame }) => isSame);
