/** A made-up library: nature films, talks and concerts. Stash knows all of this, Plex nothing but the files. */
import type { Household } from '../../test/sim/household';

interface Film {
  title: string;
  about: string;
  studio: string;
  date: string;
  people: string[];
  tags: string[];
}

const film = (
  title: string,
  date: string,
  studio: string,
  people: string[],
  tags: string[],
  about: string,
): Film => ({ title, date, studio, people, tags, about });

export const films: readonly Film[] = [
  film(
    'Kelp Forest',
    '2019-05-12',
    'Tidewater',
    ['Ada Heron'],
    ['Nature', 'Sea'],
    'A year below the surface.',
  ),
  film(
    'Night Ferry',
    '2021-11-03',
    'Tidewater',
    ['Ivo Brandt'],
    ['Sea', 'Night'],
    'Eight hours, two harbours.',
  ),
  film(
    'Snow Leopard',
    '2018-02-20',
    'North Shore',
    ['Dai Nguyễn'],
    ['Nature', 'Mountains'],
    'Mostly waiting.',
  ),
  film(
    'On Lichens',
    '2022-09-14',
    'Open Hall',
    ['Runa Ødegård'],
    ['Talk'],
    'Slow, patient and everywhere: a talk.',
  ),
  film(
    'Evening Concert',
    '2020-06-21',
    'Lantern',
    ['Chiara Lupo', 'Sam Okafor'],
    ['Concert'],
    'Strings by the lake.',
  ),
  film('River Delta', '2017-08-01', 'North Shore', ['Ada Heron'], ['Nature'], 'Where the river lets go.'),
  film('Tiny Boats', '2023-04-09', 'Tidewater', ['Ivo Brandt'], ['Sea'], 'Models, and those who sail them.'),
  film(
    'The Long Meadow',
    '2016-05-30',
    'North Shore',
    ['Dai Nguyễn'],
    ['Nature'],
    'One meadow, four seasons.',
  ),
  film('Clocks & Tides', '2021-03-17', 'Open Hall', ['Mina Sato'], ['Talk', 'Sea'], 'Why the sea is late.'),
  film('Brass at Dawn', '2019-09-08', 'Lantern', ['Sam Okafor'], ['Concert'], 'Recorded on a roof at 5 a.m.'),
  film('Moss', '2020-10-10', 'North Shore', ['Runa Ødegård'], ['Nature'], 'Very close, very green.'),
  film(
    'City of Swifts',
    '2022-07-02',
    'North Shore',
    ['Ada Heron'],
    ['Nature', 'City'],
    'Above the rooftops.',
  ),
  film(
    'How Bridges Hum',
    '2018-11-25',
    'Open Hall',
    ['Mina Sato'],
    ['Talk', 'City'],
    'Steel, wind, resonance.',
  ),
  film(
    'Choir in the Tunnel',
    '2023-12-16',
    'Lantern',
    ['Chiara Lupo'],
    ['Concert', 'City'],
    'Nine seconds of echo.',
  ),
  film('Salt', '2015-06-06', 'Tidewater', ['Ivo Brandt'], ['Sea', 'Slow'], 'The pans at low water.'),
  film(
    'Ice Road',
    '2017-01-29',
    'North Shore',
    ['Dai Nguyễn'],
    ['Mountains', 'Slow'],
    'Forty tonnes, one lane.',
  ),
  film(
    'Bees of the Balcony',
    '2022-05-20',
    'Open Hall',
    ['Runa Ødegård'],
    ['Talk', 'Nature'],
    'Questions welcome.',
  ),
  film('Four Cellos', '2021-02-13', 'Lantern', ['Chiara Lupo'], ['Concert'], 'And a borrowed room.'),
  film('Lighthouse', '2016-12-04', 'Tidewater', ['Ada Heron'], ['Sea', 'Night'], 'The last keeper explains.'),
  film('Glass Frogs', '2019-03-23', 'North Shore', ['Dai Nguyễn'], ['Nature', 'Night'], 'Seen from below.'),
  film('Maps Without North', '2020-02-27', 'Open Hall', ['Mina Sato'], ['Talk'], 'A short history of up.'),
  film(
    'Rain on Tin',
    '2023-10-31',
    'Lantern',
    ['Sam Okafor'],
    ['Concert', 'Slow'],
    'Percussion and weather.',
  ),
  film(
    'Heron Hour',
    '2018-04-15',
    'Tidewater',
    ['Ada Heron'],
    ['Nature', 'Slow'],
    'Sixty minutes, one bird.',
  ),
  film(
    'Night Train North',
    '2022-01-08',
    'North Shore',
    ['Ivo Brandt'],
    ['Night', 'Slow'],
    'The whole way, uncut.',
  ),
  film(
    'Owls of the Allotment',
    '2020-03-05',
    'North Shore',
    ['Ada Heron'],
    ['Nature', 'Night'],
    'They were here first.',
  ),
  film(
    'Reading the Wind',
    '2019-10-18',
    'Open Hall',
    ['Ivo Brandt'],
    ['Talk', 'Sea'],
    'A sailmaker answers.',
  ),
  film('Harp and Rain', '2022-04-30', 'Lantern', ['Chiara Lupo'], ['Concert', 'Slow'], 'The roof joined in.'),
  film('Salmon Stairs', '2016-09-11', 'North Shore', ['Dai Nguyễn'], ['Nature'], 'Upstream, step by step.'),
  film(
    'The Quiet Quarry',
    '2018-07-19',
    'Tidewater',
    ['Runa Ødegård'],
    ['Nature', 'Slow'],
    'Forty years after the noise.',
  ),
  film(
    'Why Ravens Play',
    '2023-02-22',
    'Open Hall',
    ['Mina Sato'],
    ['Talk', 'Nature'],
    'With many examples.',
  ),
  film('Drums on the Pier', '2021-08-14', 'Lantern', ['Sam Okafor'], ['Concert', 'Sea'], 'At high water.'),
  film('Fog Bank', '2017-11-12', 'Tidewater', ['Ivo Brandt'], ['Sea', 'Slow'], 'There is little to see.'),
  film(
    'Under the Oak',
    '2019-06-24',
    'North Shore',
    ['Ada Heron'],
    ['Nature'],
    'A square metre of forest floor.',
  ),
  film(
    'A Short Talk on Snow',
    '2022-12-01',
    'Open Hall',
    ['Runa Ødegård'],
    ['Talk', 'Mountains'],
    'It ran late.',
  ),
  film(
    'Organ, Wind, Stone',
    '2020-08-29',
    'Lantern',
    ['Chiara Lupo'],
    ['Concert'],
    'A mill becomes an instrument.',
  ),
  film('Reed Bed', '2018-05-06', 'North Shore', ['Dai Nguyễn'], ['Nature', 'Slow'], 'Look twice.'),
  film(
    'Last Tram',
    '2021-01-23',
    'Tidewater',
    ['Ivo Brandt'],
    ['City', 'Night'],
    'To the terminus and back.',
  ),
  film('Counting Stars', '2023-08-12', 'Open Hall', ['Mina Sato'], ['Talk', 'Night'], 'And when to stop.'),
  film('Two Pianos, One Barn', '2017-10-07', 'Lantern', ['Sam Okafor'], ['Concert'], 'Neither was in tune.'),
  film(
    'Glacier Milk',
    '2016-07-16',
    'North Shore',
    ['Dai Nguyễn'],
    ['Mountains', 'Nature'],
    'From ice to valley.',
  ),
];

/** Tags and people that no film has yet. */
const spareTags = ['Watch again', 'Restored'];
const sparePeople = ['Lea Marchetti'];

/** Finds what the films are called in Stash. */
export class Library {
  readonly #scenes = new Map<string, number>();
  readonly #people = new Map<string, number>();
  readonly #tags = new Map<string, number>();
  readonly #studios = new Map<string, number>();

  constructor(home: Household) {
    const { stash } = home;
    const add = (to: Map<string, number>, names: string[], make: (name: string) => number) => {
      for (const name of new Set(names)) to.set(name, make(name));
    };
    add(this.#people, [...films.flatMap(({ people }) => people), ...sparePeople], stash.addPerformer);
    add(this.#tags, [...films.flatMap(({ tags }) => tags), ...spareTags], stash.addTag);
    add(
      this.#studios,
      films.map(({ studio }) => studio),
      stash.addStudio,
    );
    for (const { title, about, studio, date, people, tags } of films) {
      const known = {
        title,
        details: about,
        date,
        studioId: found(this.#studios, studio),
        performerIds: people.map((name) => found(this.#people, name)),
        tagIds: tags.map((name) => found(this.#tags, name)),
      };
      this.#scenes.set(title, home.addScene(`${title}.mp4`, known));
    }
  }

  scene = (title: string): number => found(this.#scenes, title);
  /** As an edit of Stash names them. */
  people = (...names: string[]): string[] => names.map((name) => String(found(this.#people, name)));
  tags = (...names: string[]): string[] => names.map((name) => String(found(this.#tags, name)));
  studio = (name: string): string => String(found(this.#studios, name));
}

function found(among: Map<string, number>, name: string): number {
  const id = among.get(name);
  if (id === undefined) throw new Error(`The demo's library has no "${name}"`);
  return id;
}
