/** An edit on its way to the simulated Plex over HTTP, and to one that does not do as it is told. */
import { afterEach, describe, expect, it } from 'vitest';
import type { PlexItem } from '../../../src/plex/answers';
import { PlexClient } from '../../../src/plex/client';
import { PlexError } from '../../../src/plex/errors';
import type { Params } from '../../../src/plex/query-string';
import { makeFetch } from '../../../src/shared/fetch';
import { type Applied, applyEdit, ItemVanished } from '../../../src/sync/apply-edit';
import { difference } from '../../../src/sync/difference';
import { nameHash } from '../../../src/sync/fields';
import { Habits } from '../../../src/sync/habits';
import { type Ours, oursAfter, triedBefore } from '../../../src/sync/own-values';
import type { Wanted } from '../../../src/sync/wanted';
import { type Behaviour, usualBehaviour } from '../../sim/plex/behaviour';
import { PlexSim } from '../../sim/plex/plex-sim';
import { shownItem } from './shown-item';

const signal = new AbortController().signal;
const replaces = { keepsOwn: false, former: [] };
const keeps = { keepsOwn: true, former: [] };

class Home {
  readonly habits = new Habits();
  readonly client: PlexClient;
  #made = 0;

  constructor(readonly plex: PlexSim) {
    this.client = new PlexClient({
      url: plex.url,
      token: plex.token,
      clientIdentifier: 'sluice-test',
      version: '0',
      fetch: makeFetch({ trustAnyCertificate: false }),
    });
  }

  /** An item that once got `before`, by whatever way. */
  async item(before: Wanted): Promise<number> {
    this.#made += 1;
    const { ratingKey } = this.plex.addItem({ file: `/media/${this.#made}.mp4` });
    const behaviour = { ...this.plex.behaviour };
    Object.assign(this.plex.behaviour, usualBehaviour);
    const shown = await this.shown(ratingKey);
    const edit = difference(before, shown, null, replaces);
    if (edit) await applyEdit(edit, shown, this.client, new Habits(), signal);
    Object.assign(this.plex.behaviour, behaviour);
    return ratingKey;
  }

  async shown(ratingKey: number): Promise<PlexItem> {
    const item = await this.client.item(String(ratingKey), signal);
    if (!item) throw new Error('no such item');
    return item;
  }

  /** Writes what differs; the kinds of requests that it took, the look before not counted. */
  async write(ratingKey: number, wanted: Wanted, options = replaces) {
    const shown = await this.shown(ratingKey);
    const edit = difference(wanted, shown, null, options);
    const before = this.plex.requests.length;
    const applied: Applied | null = edit && (await applyEdit(edit, shown, this.client, this.habits, signal));
    const requests = this.plex.requests.slice(before).map(({ kind, status }) => `${kind} ${status}`);
    return { requests, applied, item: await this.shown(ratingKey) };
  }
}

const homes: Home[] = [];
async function home(behaviour: Partial<Behaviour> = {}): Promise<Home> {
  const opened = new Home(await PlexSim.start({ behaviour }));
  homes.push(opened);
  return opened;
}

afterEach(async () => {
  for (const { plex } of homes.splice(0)) {
    expect(plex.violations).toEqual([]);
    await plex.stop();
  }
});

const put = 'edit 200';
const look = 'item 200';
const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
const odd = [
  'Slow, quiet',
  'Wild/life',
  '"Quoted"',
  '🌊',
  'e\u0301te\u0301',
  'שלום עולם',
  '50%',
  'a+b&c=d',
  '%2C',
];

const servers: [string, Partial<Behaviour>][] = [
  ['merges', { tags: 'merge' }],
  ['puts what is sent in front', { tags: 'merge-front' }],
  ['replaces', { tags: 'replace' }],
  ['merges and capitalises', { tags: 'merge', capitaliseTags: true }],
  ['replaces and capitalises', { tags: 'replace', capitaliseTags: true }],
];

describe.each(servers)('a Plex that %s', (_, behaviour) => {
  const everything: Wanted = {
    title: 'The Sea, "open" & wide',
    titleSort: 'Sea, "open" & wide',
    summary: 'One line.\r\nAnother. שלום 🌊',
    studio: 'Shore (Ocean)',
    originallyAvailableAt: '2024-05-17',
    userRating: '8.5',
    tagline: 'NL-7/b',
    contentRating: 'PG',
    director: ['Ada Berg, Bo Lind'],
    actor: odd,
    genre: odd,
    label: odd,
    collection: odd,
  };

  it('gets everything in one request, and shows it unchanged', async () => {
    const at = await home(behaviour);
    const { requests, item } = await at.write(await at.item({}), everything);
    expect(requests).toEqual([put]);
    expect(difference(everything, item, null, replaces)).toBeNull();
    expect(item).toMatchObject({ title: everything.title, summary: everything.summary, userRating: 8.5 });
    expect(lower(item.actors)).toEqual(lower(odd));
    expect(lower(item.labels).sort()).toEqual(lower(odd).sort());
    expect(item.locked.sort()).toEqual(Object.keys(everything).sort());
  });

  it('is looked at once when tags go, and then believed', async () => {
    const at = await home(behaviour);
    const before = { genre: odd, label: ['l', 'm'] };
    const wanted = { genre: ['new', ...odd.slice(2)], label: ['m'] };
    const first = await at.write(await at.item(before), wanted);
    expect(first.requests).toEqual([put, look]);
    const second = await at.write(await at.item(before), wanted);
    expect(second.requests).toEqual([put]);
    for (const { item } of [first, second]) expect(difference(wanted, item, null, replaces)).toBeNull();
    const emptied = await at.write(await at.item(before), { genre: [], label: [] });
    expect(emptied.requests).toEqual([put, look]);
    const again = await at.write(await at.item(before), { genre: [], label: [] });
    expect(again.requests).toEqual([put]);
    expect(again.item).toMatchObject({ genres: [], labels: [] });
  });

  it('shows people in their order, at the cost of at most a second request once it is known', async () => {
    const at = await home(behaviour);
    const before = { actor: ['a', 'b', 'c'], genre: ['g', 'h'], summary: 'old' };
    const wanted = { actor: ['d', 'c', 'a'], genre: ['i'], summary: 'new' };
    const merges = behaviour.tags === 'merge';
    const first = await at.write(await at.item(before), wanted);
    expect(first.requests).toEqual(merges ? [put, look, put, look, put] : [put, look]);
    const second = await at.write(await at.item(before), wanted);
    expect(second.requests).toEqual(merges ? [put, put] : [put]);
    for (const { item } of [first, second]) {
      expect(lower(item.actors)).toEqual(['d', 'c', 'a']);
      expect(difference(wanted, item, null, replaces)).toBeNull();
    }
  });

  it('keeps what is its own, in every list', async () => {
    const at = await home(behaviour);
    const before = { actor: ['own', 'b', 'a'], genre: ['own, too'], label: ['l'], summary: 'own' };
    const wanted = { actor: ['a', 'b'], genre: ['new'], label: [], summary: 'ours', studio: 'S' };
    for (let time = 0; time < 3; time++) {
      const { item } = await at.write(await at.item(before), wanted, keeps);
      expect(lower(item.actors).filter((name) => name !== 'own')).toEqual(['a', 'b']);
      expect(lower(item.actors)).toContain('own');
      expect(lower(item.genres).sort()).toEqual(['new', 'own, too']);
      expect(item).toMatchObject({ labels: ['l'], summary: 'own', studio: 'S' });
      expect(difference(wanted, item, null, keeps)).toBeNull();
    }
  });

  it('gets 300 tags, in parts or, if it keeps only the last part, as a whole', async () => {
    const at = await home(behaviour);
    const genre = Array.from({ length: 300 }, (_, i) => `Tag, number ${i} 🌊`);
    const first = await at.write(await at.item({ genre: ['old'] }), { genre, summary: 'x'.repeat(5000) });
    const second = await at.write(await at.item({}), { genre });
    for (const { item, applied } of [first, second]) {
      expect(item.genres.sort()).toEqual([...genre].sort());
      expect(applied?.cut).toEqual([]);
    }
    expect(first.requests.filter((request) => request === look)).toHaveLength(1);
    expect(second.requests).not.toContain(look);
    const long = at.plex.requests.filter(({ url }) => url.length > 7500);
    expect(long).toHaveLength(behaviour.tags === 'replace' ? 2 : 0);
  });
});

describe.each(['merge', 'merge-front', 'replace'] as const)(
  'a Plex that honours one removal a time and does %s',
  (tags) => {
    it('shows what it should in the end, every time', async () => {
      const at = await home({ tags, oneRemovalPerPut: true });
      const before = { actor: ['a', 'b', 'c'], genre: ['g', 'h', 'i'], label: ['l', 'm'] };
      for (const wanted of [
        { actor: ['a', 'b'] },
        { actor: ['c', 'a'], genre: ['i'], label: [] },
        { actor: ['c', 'd', 'a'], genre: ['j'], label: [] },
        { actor: [], genre: [], label: ['m'] },
      ]) {
        const { item } = await at.write(await at.item(before), wanted);
        expect(difference(wanted, item, null, replaces)).toBeNull();
      }
    });
  },
);

describe.each<[string, Partial<Behaviour>]>([
  ...servers,
  ['merges, one removal a time', { tags: 'merge', oneRemovalPerPut: true }],
  ['replaces, one removal a time', { tags: 'replace', oneRemovalPerPut: true }],
  ['merges and empties nothing', { tags: 'merge', clearsLists: false }],
  ['merges behind a proxy', { tags: 'merge', addressLimitBytes: 8192 }],
  ['replaces behind a proxy', { tags: 'replace', addressLimitBytes: 8192 }],
])('what is Plex’s own, in a Plex that %s,', (_, behaviour) => {
  const many = (what: string, count: number) =>
    Array.from({ length: count }, (__, i) => `${what}, number ${i} 🌊`);
  /** Who is there by a person's hand, who by ours, and who shall be. */
  const casts = {
    'people who change places': { own: ['mine'], ours: ['b', 'a', 'old'], wanted: ['a', 'c', 'b'] },
    'people who all stay': { own: ['mine', 'his'], ours: ['b', 'a', 'd'], wanted: ['d', 'b', 'a'] },
    'people who all go': { own: ['mine'], ours: ['b', 'a'], wanted: [] },
    'a crowd': { own: ['mine', 'his'], ours: ['old'], wanted: many('Guest', 130) },
    'a crowd that moves': {
      own: ['mine'],
      ours: many('Guest', 130),
      wanted: many('Guest', 130).reverse(),
    },
    'a crowd of its own': { own: many('Own', 90), ours: ['old'], wanted: many('Guest', 40) },
  };

  it.each(Object.entries(casts))(
    'is there after every request, and after another try: %s',
    async (__, { own, ours: put, wanted: names }) => {
      const at = await home(behaviour);
      const ours: Ours = { wrote: {}, names: { actor: put.map(nameHash), genre: put.map(nameHash) } };
      const wanted = { actor: names, genre: names, summary: 'ours' };
      const isThere = ({ actors, genres }: PlexItem) => {
        expect(lower(actors)).toEqual(expect.arrayContaining(lower(own)));
        expect(lower(genres)).toEqual(expect.arrayContaining(lower(own)));
      };
      // Once with a server of which nothing is known, and once with one that is known from the first.
      for (const habits of [new Habits(), at.habits]) {
        for (const after of [0, 1, 2, 4, Number.POSITIVE_INFINITY]) {
          const key = await at.item({ actor: [...own, ...put], genre: [...put, ...own] });
          const shown = await at.shown(key);
          const edit = difference(wanted, shown, ours, keeps);
          if (!edit) throw new Error('nothing to write');
          let left = after;
          const dying = {
            item: at.client.item.bind(at.client),
            edit: async (...args: Parameters<PlexClient['edit']>) => {
              if (left-- === 0) throw new Error('the power is gone');
              await at.client.edit(...args);
            },
          };
          // What is too long even so is refused.
          await applyEdit(edit, shown, dying, habits, signal).catch(() => undefined);
          isThere(await at.shown(key));

          const seen = await at.shown(key);
          const rest = difference(wanted, seen, triedBefore(wanted, edit, ours), keeps);
          if (rest) await applyEdit(rest, seen, at.client, at.habits, signal).catch(() => undefined);
          isThere(await at.shown(key));
        }
      }
    },
  );

  it('does not keep people from being in their order', async () => {
    const at = await home(behaviour);
    const ours: Ours = { wrote: {}, names: { actor: ['a', 'b', 'c', 'old'].map(nameHash) } };
    const wanted = { actor: ['d', 'c', 'a'] };
    for (let time = 0; time < 3; time++) {
      const key = await at.item({ actor: ['mine', 'a', 'b', 'old', 'c'] });
      const shown = await at.shown(key);
      const edit = difference(wanted, shown, ours, keeps);
      if (edit) await applyEdit(edit, shown, at.client, at.habits, signal);
      const { actors } = await at.shown(key);
      expect(lower(actors).filter((name) => name !== 'mine')).toEqual(['d', 'c', 'a']);
      expect(lower(actors)).toContain('mine');
    }
  });
});

describe('what is learned', () => {
  it('from removals in two requests says nothing about two in one', async () => {
    const at = await home({ oneRemovalPerPut: true });
    const many = Array.from({ length: 90 }, (_, i) => `A name of some length, ${i}`);
    const before = { genre: [...many, 'g'], label: [...many, 'l'] };
    const long = await at.write(await at.item(before), { genre: many, label: many });
    expect(long.requests).toEqual([put, put, look]);
    const wanted = { genre: ['a'], label: ['b'] };
    const short = await at.write(await at.item({ genre: ['a', 'g'], label: ['b', 'l'] }), wanted);
    expect(difference(wanted, short.item, null, replaces)).toBeNull();
  });
});

describe('what else is to be said', () => {
  const locks: Params = [['thumb.locked', '1']];

  it('goes along with the edit, or alone when there is none', async () => {
    const at = await home();
    const key = await at.item({});
    const shown = await at.shown(key);
    const edit = difference({ summary: 's' }, shown, null, replaces);
    at.plex.clearRecords();
    await applyEdit(edit, shown, at.client, at.habits, signal, locks);
    expect(at.plex.counts).toMatchObject({ edit: 1, item: 0 });
    const { summary, locked } = await at.shown(key);
    expect({ summary, locked: locked.sort() }).toEqual({ summary: 's', locked: ['summary', 'thumb'] });
    const other = await at.shown(await at.item({}));
    at.plex.clearRecords();
    await applyEdit(null, other, at.client, at.habits, signal, locks);
    await applyEdit(null, other, at.client, at.habits, signal);
    expect(at.plex.counts).toMatchObject({ edit: 1, item: 0 });
  });
});

describe('what is too long', () => {
  const summary = 'Waves, 100% of them. 🌊\n'.repeat(900);

  it('arrives unchanged where Plex takes it, in a request of its own', async () => {
    const at = await home();
    const { requests, item, applied } = await at.write(await at.item({}), { summary, studio: 'S' });
    expect(requests).toEqual([put, put]);
    expect(item).toMatchObject({ summary, studio: 'S' });
    expect(applied).toEqual({ cut: [], shortened: {}, shortenedLists: {} });
  });

  it.each([8192, 16_384])(
    'is cut where an address of more than %i bytes is refused, and a sentence says so',
    async (limit) => {
      const at = await home({ addressLimitBytes: limit });
      const { requests, item, applied } = await at.write(await at.item({}), { summary, studio: 'S' });
      expect(requests).toContain('edit 414');
      expect(item.studio).toBe('S');
      expect(item.summary.length).toBeGreaterThan(limit / 3);
      expect(summary.startsWith(item.summary.slice(0, -1))).toBe(true);
      expect(applied?.shortened).toEqual({ summary: item.summary });
      expect(applied?.cut).toEqual([
        `The summary was cut to ${item.summary.length} of ${summary.length} characters: the whole is too long for Plex, or for a proxy in front of it.`,
      ]);
    },
  );

  it('as a list is cut where Plex keeps only the last part and refuses the whole', async () => {
    const at = await home({ tags: 'replace', addressLimitBytes: 8192 });
    const genre = Array.from({ length: 300 }, (_, i) => `Tag, number ${i} 🌊`);
    const { item, applied } = await at.write(await at.item({}), { genre });
    expect(item.genres).toEqual(genre.slice(0, item.genres.length));
    expect(item.genres.length).toBeGreaterThan(60);
    expect(applied?.cut).toEqual([expect.stringMatching(/^Of 300 genres the last \d+ were left out: /)]);
  });

  it('as a list is not written again until other names are wanted', async () => {
    const at = await home({ tags: 'replace', addressLimitBytes: 8192 });
    const genre = Array.from({ length: 300 }, (_, i) => `Tag, number ${i} 🌊`);
    const key = await at.item({});
    let ours: Ours | null = null;
    const sync = async (wanted: Wanted) => {
      const shown = await at.shown(key);
      const edit = difference(wanted, shown, ours, replaces);
      const applied = edit && (await applyEdit(edit, shown, at.client, at.habits, signal));
      ours = oursAfter(wanted, shown, edit, ours, replaces, applied);
      return edit?.fields ?? [];
    };
    expect(await sync({ genre })).toEqual(['genres']);
    expect(await sync({ genre })).toEqual([]);
    expect(await sync({ genre, summary: 'new' })).toEqual(['summary']);
    expect(await sync({ genre, summary: 'new' })).toEqual([]);

    const fewer = genre.slice(0, (await at.shown(key)).genres.length + 1).slice(1);
    expect(await sync({ genre: fewer })).toEqual(['genres']);
    expect((await at.shown(key)).genres.sort()).toEqual([...fewer].sort());
    expect(await sync({ genre })).toEqual(['genres']);
    expect(await sync({ genre })).toEqual([]);
    await at.client.edit(
      '1',
      String(key),
      [['genre[].tag.tag-', encodeURIComponent(genre[0] ?? '')]],
      signal,
    );
    expect(await sync({ genre })).toEqual(['genres']);
  });
});

describe('a Plex that', () => {
  const wanted: Wanted = { actor: ['B', 'A'], genre: ['g'] };
  const asWanted = shownItem({ actors: ['B', 'A'], genres: ['g'] });
  const extra = { ...asWanted, genres: ['g', 'x', 'y'] };

  /** Answers the looks with these, whatever is written. */
  async function apply(
    before: PlexItem,
    answers: (PlexItem | null)[],
    habits = new Habits(),
    failure: Error | null = null,
  ) {
    const edit = difference(wanted, before, null, replaces);
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
    const error = await applyEdit(edit, before, plex, habits, signal).then(
      () => null,
      (reason: unknown) => reason,
    );
    return { puts, error, looksLeft: answers.length };
  }

  it('removes nothing is asked three times more, tag by tag, and then the tags are named', async () => {
    const habits = new Habits();
    habits.sawRemoved('beside-names', 1);
    const { puts, error, looksLeft } = await apply(extra, [extra, extra, extra, extra], habits);
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
    expect(habits.removes('beside-names', 1)).toBe(false);
  });

  it('keeps its own order of people is asked to forget them once, and then left alone', async () => {
    const habits = new Habits();
    const reversed = { ...asWanted, actors: ['A', 'B'] };
    const { puts, error, looksLeft } = await apply(reversed, [reversed, reversed], habits);
    expect(error).toBeNull();
    const name = ['actor[0].tag.tag=B', 'actor[1].tag.tag=A', 'actor.locked=1'];
    expect(puts).toEqual([name, ['actor[].tag=', 'actor[].tag.tag-=A,B', 'actor.locked=1'], name]);
    expect(looksLeft).toBe(0);
    expect((await apply(reversed, [], habits)).puts).toEqual([name]);
  });

  it('loses the item meanwhile is not taken for done', async () => {
    expect((await apply(extra, [null])).error).toBeInstanceOf(ItemVanished);
    const gone = new PlexError('bad-data', 'gone', { status: 404 });
    expect((await apply(extra, [], new Habits(), gone)).error).toBeInstanceOf(ItemVanished);
    const refused = new PlexError('bad-data', 'refused', { status: 400 });
    expect((await apply(extra, [], new Habits(), refused)).error).toBe(refused);
  });
});
