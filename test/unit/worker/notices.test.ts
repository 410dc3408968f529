import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { registerSecret } from '../../../src/shared/secrets';
import { Notices } from '../../../src/worker/notices';
import { modeOf } from '../../support/files';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';

describe('notices', () => {
  let path: string;
  let log: MemoryLog;
  const text = () => readFileSync(path, 'utf8');

  beforeEach(() => {
    path = join(tempDir(), 'notice');
    log = new MemoryLog();
  });

  it('are one line per topic in a private file that is there only while there is something to say', async () => {
    const notices = new Notices(path, log);
    await notices.save();
    expect(existsSync(path)).toBe(false);
    notices.say('plex/plex', 'Plex is\n  away.');
    notices.say('settings', 'Set this.');
    await notices.save();
    expect(text()).toBe('Plex is away.\nSet this.\n');
    expect(modeOf(path)).toBe('600');
    notices.say('plex/plex', null);
    await notices.save();
    expect(text()).toBe('Set this.\n');
    notices.say('settings', null);
    await notices.save();
    expect(existsSync(path)).toBe(false);
  });

  it('are logged when they change, not each time that they are said', () => {
    const notices = new Notices(path, log);
    for (const sentence of ['A.', 'A.', 'B.', 'B.', null, 'B.']) notices.say('stash', sentence);
    expect(log.warnings).toEqual(['A.', 'B.', 'B.']);
  });

  it('that the worker before said are neither written nor logged again', async () => {
    const first = new Notices(path, log);
    first.say('welcome/plex', 'Hello.');
    await first.save();
    const { ino, mtimeMs } = statSync(path);
    const second = new Notices(path, log);
    second.say('welcome/plex', 'Hello.');
    await second.save();
    expect(statSync(path)).toMatchObject({ ino, mtimeMs }); // a new file would be shown to the person again
    expect(log.warnings).toEqual(['Hello.']);
    second.say('welcome/plex', null);
    await second.save();
    expect(existsSync(path)).toBe(false);
  });

  it('that are not so any more are gone with the first save', async () => {
    writeFileSync(path, '\0 garbage, or of the worker before\n');
    const notices = new Notices(path, log);
    await notices.save();
    expect(existsSync(path)).toBe(false);
  });

  it('hold no secret', async () => {
    registerSecret('hush-hush-of-the-notice');
    const notices = new Notices(path, log);
    notices.say('plex/plex', 'It is hush-hush-of-the-notice.');
    await notices.save();
    expect(text()).toBe('It is ***.\n');
  });

  it('that cannot be written are written as soon as they can', async () => {
    mkdirSync(path);
    const notices = new Notices(path, log);
    notices.say('disk', 'The disk is full.');
    await notices.save();
    expect(log.lines.some(({ level }) => level === 'debug')).toBe(true);
    rmdirSync(path);
    await notices.save();
    expect(text()).toBe('The disk is full.\n');
  });
});
