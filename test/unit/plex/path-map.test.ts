import { describe, expect, it } from 'vitest';
import {
  baseName,
  describeRules,
  folderOf,
  isInside,
  mapPath,
  nameKey,
  sameName,
  samePath,
} from '../../../src/plex/path-map';
import { parsePathRules } from '../../../src/stash/path-rule';

const map = (path: string, rules: string) => mapPath(path, parsePathRules(rules));

describe('mapPath', () => {
  it.each([
    ['a folder', '/data/a/b.mp4', '/data => /media', '/media/a/b.mp4'],
    ['only at a path boundary', '/database/b.mp4', '/data => /media', '/database/b.mp4'],
    ['the longest prefix, whatever the order', '/data/x/b.mp4', '/data => /m; /data/x => /n', '/n/b.mp4'],
    ['the longest prefix, the other order', '/data/x/b.mp4', '/data/x => /n; /data => /m', '/n/b.mp4'],
    ['the root', '/a/b.mp4', '/ => /media', '/media/a/b.mp4'],
    ['to the root', '/data/b.mp4', '/data => /', '/b.mp4'],
    ['separators at the ends of a rule', '/data/b.mp4', '/data/ => /media/', '/media/b.mp4'],
    ['a single file', '/data/b.mp4', '/data/b.mp4 => /media/c.mp4', '/media/c.mp4'],
    ['from Windows to POSIX', 'C:\\v\\a\\b.mp4', 'C:\\v => /v', '/v/a/b.mp4'],
    ['from POSIX to Windows', '/data/a/b.mp4', '/data => D:\\films', 'D:\\films\\a\\b.mp4'],
    ['to a whole drive', '/data/a/b.mp4', '/data => D:\\', 'D:\\a\\b.mp4'],
    ['to Windows written with slashes', '/data/a/b.mp4', '/data => D:/films', 'D:/films/a/b.mp4'],
    ['a rule with the other separator', 'C:\\v\\b.mp4', 'C:/v => /v', '/v/b.mp4'],
    ['Windows in another case', 'c:\\V\\B.mp4', 'C:\\v => /v', '/v/B.mp4'],
    ['from a share', '\\\\nas\\films\\a\\b.mp4', '\\\\nas\\films => /v', '/v/a/b.mp4'],
    ['to a share', '/data/a/b.mp4', '/data => \\\\nas\\films', '\\\\nas\\films\\a\\b.mp4'],
    ['a long Windows path', '\\\\?\\C:\\v\\b.mp4', 'C:\\v => /v', '/v/b.mp4'],
    ['a long path of a share', '\\\\?\\UNC\\nas\\films\\b.mp4', '\\\\nas\\films => /v', '/v/b.mp4'],
    ['another drive', 'E:\\v\\b.mp4', 'C:\\v => /v', 'E:\\v\\b.mp4'],
    ['a backslash in a POSIX name stays', '/data/AC\\DC.mp4', '/data => /media', '/media/AC\\DC.mp4'],
    ['POSIX in another case stays', '/Data/b.mp4', '/data => /media', '/Data/b.mp4'],
    ['a prefix in another Unicode form', '/Ve\u0301lo/b.mp4', '/V\u00e9lo => /m', '/m/b.mp4'],
    ['no rules', '/data//b.mp4', '', '/data//b.mp4'],
  ])('%s', (_, path, rules, expected) => {
    expect(map(path, rules)).toBe(expected);
  });
});

describe('samePath', () => {
  it.each([
    ['the same text', '/a/b.mp4', '/a/b.mp4', true],
    ['POSIX in another case', '/a/B.mp4', '/a/b.mp4', false],
    ['Windows in another case', 'C:\\A\\b.mp4', 'c:\\a\\B.MP4', true],
    ['Windows with the other separator', 'C:\\a\\b.mp4', 'C:/a/b.mp4', true],
    ['a share with the other separator', '\\\\nas\\f\\b.mp4', '//NAS/f/b.mp4', true],
    ['a long Windows path', '\\\\?\\C:\\a\\b.mp4', 'C:\\a\\b.mp4', true],
    ['a long path of a share', '\\\\?\\UNC\\nas\\f\\b.mp4', '\\\\nas\\f\\b.mp4', true],
    ['another Unicode form', '/a/Ve\u0301lo.mp4', '/a/V\u00e9lo.mp4', true],
    ['doubled separators', '/a//b.mp4', '/a/b.mp4', true],
    ['the same name elsewhere', '/a/b.mp4', '/c/b.mp4', false],
    ['another drive', 'C:\\b.mp4', 'D:\\b.mp4', false],
    ['a drive and a root', 'C:\\b.mp4', '/b.mp4', false],
    ['a share and a root', '//nas/b.mp4', '/nas/b.mp4', false],
    ['a backslash in a POSIX name', '/a\\b.mp4', '/a/b.mp4', false],
  ])('%s', (_, a, b, same) => {
    expect(samePath(a, b)).toBe(same);
    expect(samePath(b, a)).toBe(same);
  });
});

it('knows which folder a path is in', () => {
  expect(isInside('/media/a/b.mp4', '/media/')).toBe(true);
  expect(isInside('/media/a', '/media/a')).toBe(true);
  expect(isInside('/mediaplus/a', '/media')).toBe(false);
  expect(isInside('c:\\V\\a.mp4', 'C:/v')).toBe(true);
});

it('takes the last name of a path of either system', () => {
  expect(baseName('/data/AC\\DC.mp4')).toBe('AC\\DC.mp4');
  expect(baseName('C:\\v\\b.mp4')).toBe('b.mp4');
  expect(baseName('')).toBe('');
});

it('shows the map as it is entered', () => {
  expect(describeRules(parsePathRules('/data => /media; / => C:\\v'))).toBe('/data => /media; / => C:\\v');
});

describe('sameName', () => {
  it.each([
    ['the same name in another folder', '/a/Kelp.mp4', '/b/c/Kelp.mp4', true],
    ['another name', '/a/Kelp.mp4', '/a/Kelp 2.mp4', false],
    ['another case on POSIX', '/a/Kelp.mp4', '/b/kelp.mp4', false],
    ['another case where one end is Windows', '/a/Kelp.mp4', 'D:\\films\\kelp.MP4', true],
    ['another case where one end is a share', '\\\\nas\\films\\Kelp.mp4', '/b/kelp.mp4', true],
    ['another Unicode form', '/a/V\u00e9lo.mp4', '/b/Ve\u0301lo.mp4', true],
    ['another form and case on Windows', 'C:\\V\u00c9LO.mp4', '/b/ve\u0301lo.mp4', true],
    ['a bare name', 'Kelp.mp4', '/b/Kelp.mp4', true],
  ])('%s', (_, a, b, same) => {
    expect(sameName(a, b)).toBe(same);
    expect(sameName(b, a)).toBe(same);
    if (same) expect(nameKey(a)).toBe(nameKey(b));
  });
});

describe('folderOf', () => {
  it.each([
    ['/media/a/b.mp4', '/media/a'],
    ['/b.mp4', '/'],
    ['/media/AC\\DC.mp4', '/media'],
    ['D:\\Films\\Sea\\b.mp4', 'D:\\Films\\Sea'],
    ['D:/Films/b.mp4', 'D:/Films'],
    ['D:\\b.mp4', 'D:\\'],
    ['\\\\nas\\films\\b.mp4', '\\\\nas\\films'],
    ['\\\\?\\UNC\\nas\\films\\b.mp4', '\\\\nas\\films'],
    ['\\\\?\\D:\\Films\\b.mp4', 'D:\\Films'],
    ['\\\\nas\\films', null],
    ['b.mp4', null],
    ['/', null],
    ['', null],
  ])('%j is in %j', (path, folder) => expect(folderOf(path)).toBe(folder));
});
