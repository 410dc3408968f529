import { describe, expect, it } from 'vitest';
import { frame, storyLine } from '../../../scripts/demo/frame';
import type { Line, Moment, Recovery } from '../../../scripts/demo/moment';
import { openScreen } from '../../../scripts/demo/screen';
import { painter, widthOf } from '../../../scripts/demo/text';

const lines: Line[] = Array.from({ length: 40 }, (_, n) => ({
  atMs: n * 1_000,
  kind: n % 2 ? 'save' : 'note',
  text: `what happened as number ${n}, told at some length so that it does not fit everywhere, not even on a wide screen`,
  ...(n % 2 ? { tookMs: 14.4 } : {}),
}));

const calm: Moment = {
  atMs: 12_340,
  saves: [
    { scenes: 1, tookMs: 14 },
    { scenes: 24, tookMs: 240 },
  ],
  inbox: 0,
  waiting: 3,
  retrying: 1,
  workerPid: 4_194_303,
  gate: {
    is: 'closed',
    cause: null,
    failedTries: 0,
    nextTryMs: null,
    openMs: 3_000,
    rate: null,
    achieved: 2.9,
  },
  recovery: null,
  plexIsUp: true,
  requests: 1_234,
  inStep: Array.from({ length: 40 }, (_, n) => n < 37),
  samples: [{ atMs: 0, requests: 5, waiting: 3, plexIsUp: true, workerLives: true, gate: 'closed', ramp: 0 }],
  lines,
};

const outage: Moment = {
  ...calm,
  plexIsUp: false,
  gate: {
    ...calm.gate,
    is: 'open',
    cause: 'Plex is not answering (connection refused).',
    failedTries: 2,
    nextTryMs: 1_500,
  },
};

const ramp: Recovery = {
  startedAtMs: 10_340,
  endsAtMs: 20_340,
  initialRate: 1,
  targetRate: 7,
  sentAtMs: [9_900, 11_000, 12_000],
};

const recovery: Moment = { ...calm, gate: { ...calm.gate, is: 'recovery', rate: 2.24 }, recovery: ramp };

const text = (moment: Moment, columns = 80, rows = 24) =>
  frame(moment, { columns, rows }, painter(false)).join('\n');

describe('the picture', () => {
  it.each([
    [80, 24],
    [100, 30],
    [120, 40],
    [250, 70],
  ])('fits %i x %i', (columns, rows) => {
    for (const moment of [calm, outage, recovery]) {
      const picture = frame(moment, { columns, rows }, painter(true));
      expect(picture.length).toBeLessThan(rows);
      expect(Math.max(...picture.map(widthOf))).toBeLessThanOrEqual(columns);
    }
  });

  it('draws its boxes straight', () => {
    for (const columns of [80, 100, 112]) {
      const [top = '', ...rest] = frame(outage, { columns, rows: 24 }, painter(false)).slice(2, 7);
      for (const line of rest) expect([...line].length).toBe([...top].length);
    }
  });

  it('has no control codes without colours', () => {
    expect(text(outage)).not.toContain('\u001b');
  });

  it('shows queue, worker, saves and how much is in step', () => {
    const shown = text(calm);
    expect(shown).toContain('waiting 3   retrying 1');
    expect(shown).toContain('● pid 4194303');
    expect(shown).toContain('last   10 ms each');
    expect(shown).toContain('median 14 ms');
    expect(shown).toContain('37/40 in step');
    expect(shown).toContain('CLOSED');
  });

  it('shows an outage with its cause and the time to the next try', () => {
    const shown = text(outage);
    expect(shown).toContain('✗ down');
    expect(shown).toMatch(/OPEN +Plex is not answering \(connection refused\)\./);
    expect(shown).toMatch(/next try in 1\.5 s +━{15}─{15} +2 tries failed/);
  });

  it('says when Plex is being asked', () => {
    const asked: Moment = { ...outage, gate: { ...outage.gate, is: 'half-open', nextTryMs: null } };
    expect(text(asked)).toContain('◆ HALF-OPEN');
    expect(text(asked)).toMatch(/trying Plex now +─{30}/);
  });

  it('shows in a recovery how fast it may go, how fast it goes, and how long that lasts', () => {
    const shown = text(recovery);
    expect(shown).toMatch(/RECOVERY +at most 2\.2 scenes a second, to spare Plex/);
    expect(shown).toMatch(/no limit in 8\.0 s +━{6}─{24} +2\.9 a second sent/);
  });

  it('has the chart of the recovery in it where there is room, once there is one', () => {
    const title = 'The recovery  █ scenes sent, ░ what the ramp allowed';
    expect(text(recovery, 80, 40)).toContain(title);
    expect(text(recovery, 80, 39)).not.toContain(title);
    expect(text(calm, 80, 40)).not.toContain(title);
    // Some of the story is left.
    expect(text(recovery, 80, 40)).toMatch(/number 35(.|\n)*number 39/);
  });

  it('says that nobody is at work, and what will change that', () => {
    const dead: Moment = { ...outage, workerPid: null };
    expect(text(dead)).toContain('✗ none');
    expect(text(dead)).toContain('nobody is at work: the next save starts a worker');
    expect(text({ ...dead, inbox: 1 })).toContain('a worker is being started');
    expect(text({ ...calm, workerPid: null, saves: [] })).toContain('○ none yet');
  });

  it('ends with the newest lines of the story', () => {
    expect(text(calm)).toContain('39.0 s  ✎   14 ms  what happened as number 39');
    expect(text(calm)).not.toContain('number 3,');
  });
});

it('a line of the story is whole when nothing limits it', () => {
  const [line] = lines;
  expect(line && storyLine(line, Number.POSITIVE_INFINITY, painter(false))).toMatch(/wide screen$/);
});

describe('the screen', () => {
  function open(isTTY: boolean, env: NodeJS.ProcessEnv = {}, columns = 80, rows = 24) {
    const written: string[] = [];
    const write = (piece: string | Uint8Array) => Boolean(written.push(String(piece)));
    const screen = openScreen({ isTTY, columns, rows, write }, env);
    return { screen, written };
  }

  it('prints plain lines where there is no terminal, a dumb one or a tiny one', () => {
    for (const { screen, written } of [
      open(false),
      open(true, { TERM: 'dumb' }),
      open(true, {}, 60),
      open(true, {}, 80, 15),
    ]) {
      for (const line of lines) screen.tell(line);
      screen.show(outage);
      screen.end(outage);
      expect(written.join('')).not.toContain('\u001b');
      expect(written.join('')).toContain('number 0, told at some length');
      expect(written.join('')).toContain('3 waiting, 1 retrying, 0 in the inbox; 37/40 scenes in step');
    }
  });

  it('says how the queue stands when it changed, and not all the time', () => {
    const { screen, written } = open(false);
    screen.show(calm);
    screen.show({ ...calm, atMs: calm.atMs + 10_000 });
    screen.show({ ...calm, atMs: calm.atMs + 10_100, waiting: 2 });
    screen.show({ ...calm, atMs: calm.atMs + 10_200, waiting: 1 });
    expect(written).toHaveLength(2);
  });

  it('says in a recovery how fast it may go', () => {
    const { screen, written } = open(false);
    screen.show(recovery);
    expect(written.join('')).toContain('; at most 2.2 scenes a second\n');
  });

  it('ends with the chart of the recovery, once', () => {
    const charts = (isTTY: boolean, rows: number, moment: Moment) => {
      const { screen, written } = open(isTTY, {}, 80, rows);
      screen.show(calm);
      screen.end(moment);
      return written.join('').match(/what the ramp allowed/g)?.length ?? 0;
    };
    expect(charts(false, 24, recovery)).toBe(1);
    expect(charts(true, 24, recovery)).toBe(1);
    expect(charts(true, 50, recovery)).toBe(1);
    expect(charts(false, 24, calm)).toBe(0);
    expect(charts(true, 24, calm)).toBe(0);
  });

  it('draws over what it drew, keeps what stands at the right edge, and gives the cursor back', () => {
    const { screen, written } = open(true);
    screen.show(calm);
    const height = written.at(-1)?.split('\n').length ?? 0;
    screen.show(outage);
    expect(written[0]).toContain('\u001b[?25l');
    expect(written.at(-1)?.startsWith(`\u001b[${height - 1}A\r`)).toBe(true);
    expect(written.at(-1)).not.toContain('12.3 s\u001b[K');
    screen.end(outage);
    expect(written.at(-1)).toContain('\u001b[?25h');
  });

  it('honours NO_COLOR', () => {
    const red = '\u001b[31m';
    const draw = (env: NodeJS.ProcessEnv) => {
      const { screen, written } = open(true, env);
      screen.show(outage);
      return written.join('');
    };
    expect(draw({})).toContain(red);
    expect(draw({ NO_COLOR: '1' })).not.toContain(red);
    expect(draw({ NO_COLOR: '' })).toContain(red);
  });
});
