import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leaveInInbox } from '../../../src/queue/inbox';
import { modeOf, tree } from '../../support/files';
import { tempDir } from '../../support/temp-dir';

let inbox: string;
beforeEach(() => {
  inbox = join(tempDir(), 'state', 'inbox');
});
afterEach(() => void vi.restoreAllMocks());

describe('what is left in the inbox', () => {
  it('is one private file with the text as it is', () => {
    const text = 'A “text” with 🎬,\r\n"quotes" and \0.';
    const path = leaveInInbox(inbox, text);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(tree(inbox)).toEqual([expect.stringMatching(/^[\w-]+\.json 600$/)]);
    expect(dirname(path)).toBe(inbox);
  });

  it('makes the folders on the way, private too', () => {
    leaveInInbox(inbox, 'text');
    expect([modeOf(inbox), modeOf(dirname(inbox))]).toEqual(['700', '700']);
  });

  it('is whole when it is large', () => {
    const text = 'A picture. '.repeat(500_000);
    expect(readFileSync(leaveInInbox(inbox, text), 'utf8') === text).toBe(true);
  });

  it('is a file of its own each time', () => {
    const paths = Array.from({ length: 300 }, (_, i) => leaveInInbox(inbox, String(i)));
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(paths.map((_, i) => String(i)));
    expect(readdirSync(inbox)).toHaveLength(300);
  });

  it('takes another name when somebody is just writing under the first', () => {
    vi.spyOn(Date, 'now').mockReturnValue(1_000);
    vi.spyOn(Math, 'random').mockReturnValueOnce(0.25).mockReturnValue(0.75);
    mkdirSync(inbox, { recursive: true });
    const others = join(inbox, `1000-${process.pid}-9.part`);
    writeFileSync(others, 'of another');
    const path = leaveInInbox(inbox, 'ours');
    expect(readFileSync(others, 'utf8')).toBe('of another');
    expect(readFileSync(path, 'utf8')).toBe('ours');
    expect(readdirSync(inbox)).toHaveLength(2);
  });

  it('is nothing when the folder cannot be made, and the error says why', () => {
    writeFileSync(dirname(inbox), 'a file in the way');
    expect(() => leaveInInbox(inbox, 'text')).toThrow(/ENOTDIR|EEXIST/);
  });

  it('is nothing when it cannot be given its name', () => {
    vi.spyOn(Date, 'now').mockReturnValue(1_000);
    vi.spyOn(Math, 'random').mockReturnValue(0.25);
    // A folder of that name stands in the way of the rename, and only there.
    mkdirSync(join(inbox, `1000-${process.pid}-9.json`), { recursive: true });
    expect(() => leaveInInbox(inbox, 'text')).toThrow(/EISDIR|EEXIST|ENOTEMPTY/);
    expect(readdirSync(inbox)).toEqual([`1000-${process.pid}-9.json`]);
  });
});
