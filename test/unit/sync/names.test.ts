import { describe, expect, it } from 'vitest';
import { among, distinct, fold, sameSequence, without } from '../../../src/sync/names';

describe('two names are the same', () => {
  it.each([
    ['nature', 'Nature'],
    ['V\u00e9lo', 've\u0301lo'],
    [' sea ', 'Sea'],
    ['ßa', 'SSa'],
    ['ΟΔΟΣ', 'οδος'],
  ])('%s and %s', (one, other) => {
    expect(fold(one)).toBe(fold(other));
    expect(without([one], [other])).toEqual([]);
    expect(among([one], [other])).toEqual([one]);
    expect(sameSequence([one], [other])).toBe(true);
    expect(distinct([one, other])).toEqual([one.trim()]);
  });

  it('but not with another accent, sign or script', () => {
    for (const other of ['Velo', 'Vélo, 2', 'Вело']) expect(fold(other)).not.toBe(fold('Vélo'));
  });
});
