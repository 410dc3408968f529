import { linkSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { unseenNotice } from '../../../src/hook/notice';
import { tempDir } from '../../support/temp-dir';

let stateDir: string;
let notice: string;
beforeEach(() => {
  stateDir = tempDir();
  notice = join(stateDir, 'notice');
});

/** As the worker does it: a new file takes the place of the old one. */
function say(text: string): void {
  writeFileSync(`${notice}.new`, text);
  renameSync(`${notice}.new`, notice);
}

describe('what the worker has to say', () => {
  it('is nothing when there is no notice', () => {
    expect(unseenNotice(stateDir)).toEqual([]);
    say('');
    expect(unseenNotice(stateDir)).toEqual([]);
  });

  it('is told once per change, also when the words are the same', () => {
    for (const text of ['One.\nTwo.\n', 'Three.\n', 'Three.\n']) {
      say(text);
      expect(unseenNotice(stateDir)).toEqual(text.trim().split('\n'));
      expect(unseenNotice(stateDir)).toEqual([]);
    }
    expect(statSync(`${notice}.shown`).ino).toBe(statSync(notice).ino);
  });

  it('does not change what was shown before it', () => {
    say('One.\n');
    unseenNotice(stateDir);
    linkSync(`${notice}.shown`, `${notice}.kept`);
    say('Two.\n');
    unseenNotice(stateDir);
    expect(readFileSync(`${notice}.kept`, 'utf8')).toBe('One.\n');
  });

  it('is judged by its time where no hard links can be made', () => {
    say('One.\n');
    writeFileSync(`${notice}.shown`, '');
    utimesSync(notice, new Date(1_000), new Date(1_000));
    expect(unseenNotice(stateDir)).toEqual([]);
    const later = new Date(Date.now() + 60_000);
    utimesSync(notice, later, later);
    expect(unseenNotice(stateDir)).toEqual(['One.']);
  });
});
