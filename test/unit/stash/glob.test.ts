import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkGlob, globMatcher } from '../../../src/stash/glob';

const matches = (path: string, glob: string) => {
  checkGlob(glob);
  return globMatcher(glob)(path);
};

describe('a glob', () => {
  it.each([
    // Without a wildcard: the file, or all that is in the folder.
    ['/data/talks', '/data/talks/2024/lichens.mp4'],
    ['/data/talks/', '/data/talks/lichens.mp4'],
    ['/data/talks/lichens.mp4', '/data/talks/lichens.mp4'],
    ['/data//talks', '/data/talks/lichens.mp4'],
    ['/', '/data/talks/lichens.mp4'],
    ['/data/{talks,concerts}', '/data/concerts/fjord.mp4'],
    // Within one folder.
    ['/data/*.mp4', '/data/lichens.mp4'],
    ['/data/*/lichens.*', '/data/talks/lichens.mp4'],
    ['/data/*', '/data/lichens.mp4'],
    ['/data/*/', '/data/talks/2024/lichens.mp4'],
    ['/data/talk-?.mp4', '/data/talk-7.mp4'],
    ['/data/talk-?.mp4', '/data/talk-🦦.mp4'],
    // Over folders.
    ['/data/**', '/data/talks/2024/lichens.mp4'],
    ['/data/**/lichens.mp4', '/data/lichens.mp4'],
    ['/data/**/lichens.mp4', '/data/a/b/lichens.mp4'],
    ['**/drafts/**', '/data/drafts/lichens.mp4'],
    ['**', '/data/lichens.mp4'],
    ['/data/a**z.mp4', '/data/a/b/xyz.mp4'],
    ['/data/***/z.mp4', '/data/b/z.mp4'],
    // Alternatives.
    ['/data/{talks,concerts}/**/*.{mp4,mkv}', '/data/concerts/2024/fjord.mkv'],
    ['/data/{a,b{c,d}}.mp4', '/data/bd.mp4'],
    ['/data/lichens{,-long}.mp4', '/data/lichens.mp4'],
    ['{/data,/media}/a.mp4', '/media/a.mp4'],
    ['/{data/**,x}/a.mp4', '/data/b/a.mp4'],
    ['/{**/b,x}/a.mp4', '/data/b/a.mp4'],
    // Not from the root: anywhere.
    ['drafts', '/data/drafts/lichens.mp4'],
    ['*.mkv', '/data/talks/lichens.mkv'],
    ['talks/*.mkv', '/data/talks/lichens.mkv'],
    // Other signs are themselves.
    ['/data/Otters {edition-Long}/[1] (a+b)$.mp4', '/data/Otters {edition-Long}/[1] (a+b)$.mp4'],
    ['/data/a,b/*', '/data/a,b/c.mp4'],
    ['/data/odd\\name*', '/data/odd\\name.mp4'],
    ['/data/?.mp4', '/data/*.mp4'],
  ])('%s fits %s', (glob, path) => {
    expect(matches(path, glob)).toBe(true);
  });

  it.each([
    ['/data/talks', '/data/talks2/lichens.mp4'],
    ['/data/talks', '/old/data/talks/lichens.mp4'],
    ['/data/talks/lichens.mp4', '/data/talks/lichens.mp4.part'],
    ['/data/*.mp4', '/data/talks/lichens.mp4'],
    ['/data/*', '/data/talks/lichens.mp4'],
    ['/data/*.mp4', '/data/lichens.mkv'],
    ['/data/talk-?.mp4', '/data/talk-.mp4'],
    ['/data/talk-?.mp4', '/data/talk-12.mp4'],
    ['/data/talk?lichens.mp4', '/data/talk/lichens.mp4'],
    ['/data/**/lichens.mp4', '/data/old-lichens.mp4'],
    ['/data/**', '/database/lichens.mp4'],
    ['/data/{talks,concerts}/*', '/data/films/fjord.mp4'],
    ['/data/x{**/b,c}.mp4', '/data/xb.mp4'],
    ['/data/{a,b}**/c.mp4', '/data/ac.mp4'],
    ['drafts', '/data/olddrafts/lichens.mp4'],
    ['*.mkv', '/data/lichens.mkv/a.mp4'],
    ['/data/[abc].mp4', '/data/a.mp4'],
    ['/data/odd\\name', '/data/odd/name'],
    // A dot is a character like any other, and not "any".
    ['/data/a.mp4', '/data/axmp4'],
  ])('%s does not fit %s', (glob, path) => {
    expect(matches(path, glob)).toBe(false);
  });

  it.each([
    ['C:\\films\\talks', 'c:\\Films\\TALKS\\lichens.mp4'],
    ['c:/films/*/a.mp4', 'C:\\films\\talks\\A.mp4'],
    ['C:\\films\\**', 'C:/films/talks/a.mp4'],
    ['C:\\', 'C:\\films\\a.mp4'],
    ['?:\\films\\*', 'D:\\films\\a.mp4'],
    ['\\\\nas\\films\\*.mp4', '//NAS/Films/a.mp4'],
    ['//nas/films', '\\\\?\\UNC\\nas\\films\\a.mp4'],
    ['C:\\films', '\\\\?\\C:\\films\\a.mp4'],
    ['\\\\?\\C:\\films', 'C:\\films\\a.mp4'],
    ['drafts\\*', 'C:\\films\\Drafts\\a.mp4'],
  ])('%s fits %s: on Windows neither case nor the kind of separator matters', (glob, path) => {
    expect(matches(path, glob)).toBe(true);
  });

  it('keeps to case on POSIX, and takes a share for no folder of that name', () => {
    expect(matches('/data/Talks/a.mp4', '/data/talks')).toBe(false);
    expect(matches('\\\\nas\\films\\a.mp4', '/nas/films')).toBe(false);
    expect(matches('D:\\films\\a.mp4', 'C:\\films')).toBe(false);
  });

  it('does not care for Unicode forms', () => {
    const composed = '/data/caf\u00e9/*';
    const decomposed = '/data/cafe\u0301/a.mp4';
    expect(matches(decomposed, composed)).toBe(true);
    expect(matches(composed.replace('*', 'a.mp4'), decomposed)).toBe(true);
    expect(matches(decomposed, '/data/caf?/*')).toBe(true);
  });

  it.each(['/data/{a', '/data/a}', '/data/}a,b{', 'b}/**'])('%s is refused, and named', (glob) => {
    expect(() => checkGlob(glob)).toThrow(`must have a "}" for each "{", which "${glob}" has not`);
  });

  it('is refused when it is longer than any path', () => {
    expect(() => checkGlob('a'.repeat(1_001))).toThrow('more than 1000 characters');
  });

  it.each([
    ['many * with a letter between them', '*a'.repeat(400), 'a'.repeat(2_000)],
    ['many ** in a row of folders', '/**/a'.repeat(200), '/a'.repeat(1_000)],
    ['nothing but stars', '*'.repeat(999), 'a'.repeat(2_000)],
    ['alternatives whose number doubles each time', '{a,aa}'.repeat(160), 'a'.repeat(400)],
    ['alternatives of nothing, in each other', '{,'.repeat(300) + '}'.repeat(300), 'a'.repeat(2_000)],
  ])('of a hostile kind costs no more than its length times that of the path: %s', (_, glob, path) => {
    // Anything worse than that would never end with lengths like these.
    expect(matches(`/${path}b`, glob.startsWith('/') ? glob : `/${glob}`)).toBe(/^\/?\*+$/.test(glob));
  });

  /** The same, told as a regular expression, where only harmless ones are made. */
  const reference = (glob: string): RegExp => {
    const body = glob
      .replace(/[.]/g, '\\.')
      .replace(/(?<=^|\/)\*\*\//g, '\u0001')
      .replace(/\*\*/g, '\u0002')
      .replace(/\*/g, '[^/]*')
      .replace(/\?/g, '[^/]')
      .replaceAll('\u0001', '(?:.*/)?')
      .replaceAll('\u0002', '.*')
      .replace(/\{([^}]*)\}/g, (_, inner: string) => `(?:${inner.replaceAll(',', '|')})`);
    const folder = /[*?]/.test(glob) ? '' : '(?:/.*)?';
    return new RegExp(`^${body}${folder}$`, 's');
  };

  it('fits what the same rules say as a regular expression', () => {
    const piece = fc.constantFrom('a', 'b', '.', '/', '*', '?', '/**/', '**', '{a,b}', '{a/b,*}', '{,b}');
    const glob = fc
      .array(piece, { maxLength: 6 })
      .map((pieces) => `/${pieces.join('')}`)
      .filter((text) => !/\/\/|\/$|\*\*\*/.test(text));
    const path = fc
      .array(fc.constantFrom('a', 'b', '.', '/'), { maxLength: 8 })
      .map((chars) => `/${chars.join('')}`.replace(/\/+/g, '/'));
    fc.assert(
      fc.property(glob, path, (text, file) => {
        expect(matches(file, text)).toBe(reference(text).test(file));
      }),
      { numRuns: 2_000 },
    );
  });
});
