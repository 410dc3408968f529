import { describe, expect, it } from 'vitest';
import { notInPlex, sameItem, severalItems, vanished, written } from '../../../src/sync/messages';
import { aScene } from '../../support/scenes';
import { shownItem } from './shown-item';

describe('a sentence', () => {
  const scene = aScene({ id: 7, files: Array.from({ length: 7 }, (_, i) => `/data/${i}.mp4`) });
  const plain = { fields: [], kept: [], problems: [], instead: null, byName: false };

  it('about a missing item lists no more than five paths', () => {
    expect(notInPlex(scene, scene.files, [], [])).toBe(
      'Scene 7 was not synced: Plex has no item for "/data/0.mp4", "/data/1.mp4", "/data/2.mp4", "/data/3.mp4", "/data/4.mp4" and 2 more. If Plex sees the file under another path, enter that under "Path map" in the settings, like "/data => /media".',
    );
  });

  it('about an item that vanished says what to do', () => {
    expect(vanished(7)).toMatch(/^Scene 7 .*look at the library in Plex\.$/);
  });

  it('about several items names each of them', () => {
    const candidates = ['1', '2'].map((ratingKey) => ({
      ratingKey,
      title: `T${ratingKey}`,
      library: 'Films',
      file: `/media/${ratingKey}.mp4`,
      byName: false,
    }));
    expect(severalItems(scene, candidates)).toContain(
      'it is 2 items in Plex, and none was touched: "T1" in "Films" (item 1, /media/1.mp4); "T2" in "Films" (item 2, /media/2.mp4).',
    );
  });

  it('about two scenes of one item says which is kept, and why', () => {
    const item = shownItem({ title: 'Tides', files: ['/media/1.mp4'] });
    expect(sameItem(7, 3, item, false)).toBe(
      'Scene 7 was not synced: it and scene 3 are the same item in Plex ("Tides", /media/1.mp4). Scene 3 is the one kept in step, because its id is lower. Merge the two in Stash, or delete one of them.',
    );
    expect(sameItem(7, 9, item, true)).toBe(
      'Scene 7 was not synced: it and scene 9 are the same item in Plex ("Tides", /media/1.mp4). Scene 9 is the one kept in step, because its file\'s whole path agrees, not only the name. If scene 7 is another film, let Plex scan the folder of its file.',
    );
  });

  it.each([
    [{ fields: ['title', 'poster'] }, 'Scene 7 "Tides" is in step: title, poster written.'],
    [
      { problems: ['The cover was not sent.'] },
      'Scene 7 "Tides" is in step: nothing to write. The cover was not sent.',
    ],
    [
      { fields: ['title'], kept: ['summary', 'poster'], instead: 9, byName: true },
      'Scene 7 "Tides" is in step: title written. Plex\'s own summary, poster stayed. It was found by the name of its file alone. It is the same item as scene 9, which it stands for now.',
    ],
  ])('about a scene in step: %j', (what, sentence) => {
    expect(written(scene, 'Tides', { ...plain, ...what })).toBe(sentence);
  });
});
