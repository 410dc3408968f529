import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { connectionDocument, type StashConnection } from '../../../src/stash/connection';
import { StashTrouble } from '../../../src/stash/trouble';
import { Notices } from '../../../src/worker/notices';
import { StashLink } from '../../../src/worker/stash-link';
import { modeOf } from '../../support/files';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';
import { isKeyQuery, keyAnswer, type SmallStash, smallStash } from '../stash/small-stash';

const connection: StashConnection = {
  scheme: 'http',
  host: '127.0.0.1',
  port: 9,
  cookie: { name: 'session', value: 'cookie-from-the-hook' },
  dir: '/config',
  pluginDir: '/config/plugins/sluice',
};

describe('the link to Stash', () => {
  let dir: string;
  let path: string;
  let clock: VirtualClock;
  let log: MemoryLog;
  let notices: Notices;

  beforeEach(() => {
    dir = tempDir();
    path = join(dir, 'connection.json');
    clock = new VirtualClock();
    log = new MemoryLog();
    notices = new Notices(join(dir, 'notice'), log);
  });

  const open = () => new StashLink(path, dir, clock, log, notices);
  const linked = () => {
    const link = open();
    link.learn(connection, clock.now());
    return link;
  };
  const away = async () => {
    throw new StashTrouble('away', 'Stash is not answering (connection refused).');
  };
  const fail = (link: StashLink) => link.ask(away).catch(() => {});
  const well = (link: StashLink) => link.ask(async () => 'well');

  it('says before the first hook that it does not know where Stash is', async () => {
    const link = open();
    expect(link.health).toEqual({ reachable: false, since: null, error: 'not asked yet' });
    await expect(well(link)).rejects.toThrow('No hook has said yet how to reach Stash.');
    expect(link.health.error).toContain('Save something in Stash.');
  });

  it('waits 1 to 60 s after failures, longer each time, and not at all once Stash answers', async () => {
    const link = linked();
    const waits: number[] = [];
    for (let n = 0; n < 9; n++) {
      await fail(link);
      waits.push(link.retryAt - clock.now());
      await clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
    expect(await well(link)).toBe('well');
    expect(link.retryAt).toBe(0);
    await fail(link);
    expect(link.retryAt).toBe(clock.now() + 1_000);
  });

  it('counts what several loops are refused at the same time once', async () => {
    const link = linked();
    for (const wait of [1_000, 2_000, 4_000]) {
      await Promise.all([fail(link), fail(link), fail(link)]);
      expect(link.retryAt).toBe(clock.now() + wait);
      await clock.advance(wait);
    }
  });

  it('does not wait longer because the clock was set back', async () => {
    const link = linked();
    await fail(link);
    clock.set(clock.now() - 3_600_000);
    expect(link.retryAt).toBe(0);
  });

  it('says since when Stash has been away, or well, and tells a person after the third failure', async () => {
    const link = linked();
    const began = new Date(clock.now()).toISOString();
    for (let n = 1; n <= 3; n++) {
      await fail(link);
      expect(notices.sentences).toHaveLength(n < 3 ? 0 : 1);
      await clock.advance(60_000);
    }
    expect(notices.sentences).toEqual([
      'Sluice cannot read from Stash: Stash is not answering (connection refused).',
    ]);
    expect(link.health).toEqual({
      reachable: false,
      since: began,
      error: 'Stash is not answering (connection refused).',
    });
    await well(link);
    const since = new Date(clock.now()).toISOString();
    await clock.advance(60_000);
    await well(link);
    expect(link.health).toEqual({ reachable: true, since, error: null });
    expect(notices.sentences).toEqual([]);
    expect(log.lines).toContainEqual({ level: 'info', message: 'Stash answers again.' });
  });

  it('is not away because of a defect of our own', async () => {
    const link = linked();
    await well(link);
    await expect(link.ask(() => Promise.reject(new Error('a defect')))).rejects.toThrow('a defect');
    expect(link.health.reachable).toBe(true);
  });

  it('tries at once what a hook brings', async () => {
    const link = linked();
    await fail(link);
    await clock.advance(500);
    link.learn(connection, clock.now());
    expect(link.retryAt).toBe(0);
  });

  describe('with a Stash that answers', () => {
    let stash: SmallStash;
    const ask = (link: StashLink) => link.scene(1, new AbortController().signal).catch(() => null);
    const cookie = (value: string): StashConnection => ({
      ...stash.connection,
      cookie: { name: 'session', value },
    });
    const lastCookie = () => stash.asked.at(-1)?.headers.cookie;

    beforeEach(async () => {
      stash = await smallStash();
      onTestFinished(() => stash.close());
      stash.answer = (asked) => (isKeyQuery(asked) ? keyAnswer('') : { body: { data: { findScene: null } } });
    });

    it('uses the newest connection, whatever order hooks are read in', async () => {
      const link = open();
      const now = clock.now();
      link.learn(cookie('newer-cookie'), now - 1_000);
      link.learn(cookie('older-cookie'), now - 2_000);
      await ask(link);
      expect(lastCookie()).toBe('session=newer-cookie');
      link.learn(cookie('newest-cookie'), now);
      await ask(link);
      expect(lastCookie()).toBe('session=newest-cookie');
    });

    it('believes a hook although an earlier one was written before the clock was set back', async () => {
      const link = open();
      link.learn(cookie('from-the-future'), clock.now() + 3_600_000);
      link.learn(cookie('from-now'), clock.now());
      await ask(link);
      expect(lastCookie()).toBe('session=from-now');
    });

    it('keeps the connection for the next worker in a private file', async () => {
      const first = open();
      first.learn(stash.connection, clock.now());
      await first.keep();
      expect(modeOf(path)).toBe('600');
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
        ...connectionDocument(stash.connection),
        at: clock.now(),
      });
      const next = open();
      await ask(next);
      expect(lastCookie()).toBe('session=cookie-from-the-hook');
      next.learn(cookie('older-cookie'), clock.now() - 1);
      await ask(next);
      expect(lastCookie()).toBe('session=cookie-from-the-hook');
    });

    it('keeps a renewed cookie, but writes it no more than once a minute', async () => {
      let renewals = 0;
      stash.answer = (asked) => ({
        ...(isKeyQuery(asked) ? keyAnswer('') : { body: { data: { findScene: null } } }),
        headers: { 'set-cookie': `session=renewed-${++renewals}; Max-Age=4` },
      });
      const link = open();
      link.learn(stash.connection, clock.now());
      await link.keep();
      const { ino } = statSync(path);
      await clock.advance(2_000);
      await ask(link);
      await link.keep();
      expect(statSync(path).ino).toBe(ino);
      await clock.advance(60_000);
      await ask(link);
      await link.keep();
      expect(readFileSync(path, 'utf8')).toContain('"renewed-');
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ at: clock.now() });
    });
  });

  it('whose file is broken waits for the next hook and says so', async () => {
    writeFileSync(path, '{"version":1,"host":');
    const link = open();
    await expect(well(link)).rejects.toThrow('No hook has said yet');
    expect(log.warnings.join()).toContain('The next save in Stash brings a new one.');
  });
});
