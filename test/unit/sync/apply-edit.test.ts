/** What cannot be had from the simulator: a Plex that does not do as it is told. */
import { describe, expect, it } from 'vitest';
import type { PlexItem } from '../../../src/plex/answers';
import { PlexError } from '../../../src/plex/errors';
import type { Params } from '../../../src/plex/query-string';
import { applyEdit, ItemVanished } from '../../../src/sync/apply-edit';
import { difference } from '../../../src/sync/difference';

const wanted = {
  title: 't',
  summary: '',
  studio: '',
  originallyAvailableAt: null,
  actors: ['B', 'A'],
  genres: ['g'],
};
const item: PlexItem = {
  ...wanted,
  originallyAvailableAt: '',
  ratingKey: '5',
  sectionKey: '1',
  library: 'Films',
  files: [],
};

async function apply(before: PlexItem, answers: (PlexItem | null)[], failure: Error | null = null) {
  const edit = difference(wanted, before);
  if (!edit) throw new Error('nothing to write');
  const puts: string[][] = [];
  const plex = {
    edit: async (_section: string, _key: string, params: Params) => {
      if (failure) throw failure;
      puts.push(params.map(([name, value]) => `${name}=${value}`));
    },
    item: async () => {
      const answer = answers.shift();
      if (answer === undefined) throw new Error('one look too many');
      return answer;
    },
  };
  const error = await applyEdit(edit, wanted, before, plex, new AbortController().signal).then(
    () => null,
    (reason: unknown) => reason,
  );
  return { puts, error, looksLeft: answers.length };
}

describe('a Plex that', () => {
  const extra = { ...item, genres: ['g', 'x', 'y'] };

  it('removes nothing is asked three times more, tag by tag, and then the tags are named', async () => {
    const { puts, error, looksLeft } = await apply(extra, [extra, extra, extra, extra]);
    expect(error).toBeInstanceOf(PlexError);
    expect(error).toMatchObject({ kind: 'bad-data', message: expect.stringContaining('"x", "y"') });
    const single = [
      ['genre[].tag.tag-=x', 'genre.locked=1'],
      ['genre[].tag.tag-=y', 'genre.locked=1'],
    ];
    expect(puts).toEqual([
      ['genre[0].tag.tag=g', 'genre[].tag.tag-=x,y', 'genre.locked=1'],
      ...single,
      ...single,
      ...single,
    ]);
    expect(looksLeft).toBe(0);
  });

  it('keeps its own order of people is asked to forget them once, and then left alone', async () => {
    const reversed = { ...item, actors: ['A', 'B'] };
    const { puts, error, looksLeft } = await apply(reversed, [reversed]);
    expect(error).toBeNull();
    expect(puts).toEqual([
      ['actor[0].tag.tag=B', 'actor[1].tag.tag=A', 'actor.locked=1'],
      ['actor[].tag=', 'actor[].tag.tag-=A,B', 'actor.locked=1'],
      ['actor[0].tag.tag=B', 'actor[1].tag.tag=A', 'actor.locked=1'],
    ]);
    expect(looksLeft).toBe(0);
  });

  it('loses the item meanwhile is not taken for done', async () => {
    expect((await apply(extra, [null])).error).toBeInstanceOf(ItemVanished);
    const gone = new PlexError('bad-data', 'gone', { status: 404 });
    expect((await apply(extra, [], gone)).error).toBeInstanceOf(ItemVanished);
    const refused = new PlexError('bad-data', 'refused', { status: 400 });
    expect((await apply(extra, [], refused)).error).toBe(refused);
  });
});
