import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/shared/answer';
import { StashTrouble } from '../../../src/stash/trouble';
import { Questions } from '../../../src/worker/questions';
import { settle } from '../../support/virtual-clock';
import { TargetRig } from './target-rig';

describe('a question about scenes', () => {
  let rig: TargetRig;
  let ending: AbortController;
  let questions: Questions;
  let answers: Answer[];
  let freshSettings: () => Promise<void>;

  beforeEach(async () => {
    rig = new TargetRig();
    ending = new AbortController();
    answers = [];
    freshSettings = async () => {};
    questions = new Questions({
      targets: rig,
      queue: rig.queue,
      deadLetters: rig.deadLetters,
      stash: rig.stash,
      clock: rig.clock,
      freshSettings: () => freshSettings(),
      ending: ending.signal,
    });
    await rig.addTarget();
  });

  const tell = async (answer: Answer) => void answers.push(answer);
  const last = () => {
    const answer = answers.at(-1);
    if (!answer?.done) throw new Error('there is no answer');
    return answer.message;
  };
  const explain = async (scene: unknown) => {
    await questions.explain({ scene }, tell);
    return last();
  };
  const dryRun = async (args: Record<string, unknown> = {}) => {
    await questions.dryRun(args, tell);
    return last().split('\n');
  };
  const nothingWritten = () => {
    for (const { plex } of rig.targets) {
      expect(Object.values(plex.writes).every((count) => count === 0)).toBe(true);
      expect(plex.requests.every(({ method }) => method === 'GET')).toBe(true);
    }
  };

  describe('explain', () => {
    it('tells which item it is and why, each field now and wanted, and what would be sent', async () => {
      rig.film(1, { details: 'On rivers.', tags: [{ id: '1', name: 'Wetland' }] });
      const said = await explain(1);
      expect(said).toMatch(/^Scene 1 is item \d+ "1" in "Films" \(found by its file\): \/media\/1\.mp4\n/);
      expect(said).toContain('  title: "1" in Plex, "Film 1" wanted: would be written');
      expect(said).toContain('  summary: nothing in Plex, "On rivers." wanted: would be written');
      expect(said).toContain('  genres: none in Plex, "Wetland" wanted: would be written');
      expect(said).toContain('  studio: nothing\n');
      expect(said).toMatch(/ {2}Would be sent: 1 edit \(title\.value, .*genre/);
      nothingWritten();
      expect(rig.at().target.ledger.size).toBe(0);
    });

    it('costs a synced scene one look, and says that nothing would be sent', async () => {
      rig.film(1);
      await rig.sync(1);
      const { plex } = rig.at();
      plex.clearRecords();
      const said = await explain(1);
      expect(said).toContain('the item of the last sync');
      expect(said).toContain('Nothing would be sent: all is in step.');
      expect(plex.requests.map(({ kind }) => kind)).toEqual(['item']);
      nothingWritten();
    });

    it('takes the number as a text, too', async () => {
      rig.film(42);
      expect(await explain(' 42 ')).toContain('Scene 42 is item');
    });

    it.each([
      [undefined, 'is missing'],
      ['', 'is missing'],
      [null, 'is missing'],
      ['twelve', 'is "twelve"'],
      [-1, 'is "-1"'],
      [1.5, 'is "1.5"'],
      ['1e5', 'is "1e5"'],
      [{ id: 1 }, 'is "[object Object]"'],
    ])('says what is wrong with the argument %j', async (scene, wrong) => {
      expect(await explain(scene)).toBe(
        `"scene" ${wrong}, but must be the number of a scene, like in {"mode": "explain", "scene": 42}.`,
      );
      expect(answers).toMatchObject([{ failed: true }]);
      expect(rig.stash.singles).toBe(0);
    });

    it('tells what is in the way of a scene: gone, filtered, not in Plex, two items', async () => {
      rig.scene(2, { files: [] });
      rig.scene(3);
      for (const id of [4, 5]) rig.film(id);
      rig.scene(4, { files: ['/media/4.mp4', '/media/5.mp4'] });
      expect(await explain(1)).toBe('Scene 1 is not in Stash. Nothing would be done in Plex.');
      expect(await explain(2)).toContain('has no file');
      expect(await explain(3)).toMatch(
        /Plex has no item for "\/media\/3\.mp4"[\s\S]*become a dead letter\.$/,
      );
      expect(await explain(4)).toContain('it is 2 items in Plex');
      nothingWritten();
    });

    it('tells what waits for the scene and what was given up', async () => {
      rig.film(1);
      rig.queue.add('plex', 1, { bulk: false, asked: true });
      const letter = { target: 'plex', scene: 1, kind: 'x', reason: 'Two items.', attempts: 1, at: 5 };
      rig.deadLetters.put('plex/1', letter);
      const said = (await explain(1)).split('\n').slice(-2);
      expect(said[0]).toMatch(/^It is a dead letter since .*: Two items\.$/);
      expect(said[1]).toBe('It waits in the queue.');
    });

    it('says of each server which one it is', async () => {
      await rig.addTarget('attic');
      rig.film(1);
      await rig.sync(1, 'attic');
      const lines = (await explain(1)).split('\n');
      expect(lines.every((line) => /^(plex|attic): /.test(line))).toBe(true);
      expect(lines).toContain('attic:   Nothing would be sent: all is in step.');
      expect(lines.filter((line) => line.startsWith('plex:   Would be sent'))).toHaveLength(1);
    });

    it('says why not while Plex is not well, and leaves it alone', async () => {
      rig.film(1);
      await rig.outage();
      rig.at().plex.clearRecords();
      expect(await explain(1)).toMatch(/^Plex cannot be asked now: .*token/i);
      expect(rig.at().plex.requests).toEqual([]);
    });

    it('says what happened when Plex or Stash fails at that very moment', async () => {
      rig.film(1);
      rig.at().plex.setFault({ kind: 'maintenance' });
      expect(await explain(1)).toContain('503');
      rig.stash.before = () => {
        throw new StashTrouble('away', 'Stash is not answering.');
      };
      expect(await explain(1)).toBe('Stash is not answering.');
    });

    it('goes by the settings of now, also in a worker that has not read them yet', async () => {
      rig.film(1);
      rig.configure({ plexToken: '' });
      freshSettings = async () => {
        await settle();
        rig.configure({ syncSkipFields: 'summary' });
      };
      const said = await explain(1);
      expect(said).toContain('Scene 1 is item');
      expect(said).not.toContain('summary');
    });

    it('says what is missing while nothing is set up', async () => {
      rig.configure({ plexToken: '' });
      expect(await explain(1)).toMatch(/^Plex cannot be asked now: .*"Plex token"/);
    });
  });

  describe('dry run', () => {
    it('counts what would become of each scene, with examples, and writes nothing', async () => {
      for (let id = 1; id <= 8; id++) rig.film(id, { details: id > 6 ? `About ${id}.` : '' });
      for (const id of [1, 2]) await rig.sync(id);
      rig.scene(9, { files: [] });
      rig.scene(10);
      rig.at().plex.addItem({ library: 'Films', file: '/media/8.mp4' });
      const ledger = [...rig.at().target.ledger.scenes()];
      rig.clock.set(rig.clock.now() + 60_000);
      rig.at().plex.clearRecords();
      expect(await dryRun()).toEqual([
        'Dry run: 10 scenes were looked at, nothing was written.',
        '5  would be written (scene 3, 4, 5, 6, 7)',
        '2  in step (scene 1, 2)',
        '1  several items, or several scenes of one item: none would be touched (scene 8)',
        '1  left out: it has no file (scene 9)',
        '1  not in Plex (scene 10)',
        'Fields that would be written: title 5, sort title 5, summary 1.',
        'For one scene in detail, ask for "explain" with its number.',
      ]);
      nothingWritten();
      expect([...rig.at().target.ledger.scenes()]).toEqual(ledger);
    });

    it('names the setting that leaves scenes out as the settings page does', async () => {
      rig.film(1, { tags: [{ id: '1', name: 'Draft' }] });
      rig.configure({ syncNeverTags: 'Draft' });
      expect((await dryRun())[1]).toBe('1  left out by "Never with tags" (scene 1)');
    });

    it('asks Plex for a listing only, where all is in step, and Stash for pages', async () => {
      for (let id = 1; id <= 300; id++) rig.scene(id, { title: `Film ${id}` });
      for (let id = 1; id <= 3; id++) {
        rig.film(id);
        await rig.sync(id);
      }
      rig.stash.singles = 0;
      rig.clock.set(rig.clock.now() + 60_000);
      rig.at().plex.clearRecords();
      await dryRun();
      expect(rig.at().plex.requests.map(({ kind }) => kind)).toEqual(['list', 'list']);
      expect(rig.stash.pages.map(({ after, limit }) => [after, limit])).toEqual([
        [0, 250],
        [250, 250],
      ]);
      expect(rig.stash.singles).toBe(0);
    });

    it('of the last hours asks Stash for what changed since', async () => {
      await dryRun({ hours: '2' });
      expect(rig.stash.pages).toEqual([
        { after: 0, updatedSince: new Date(rig.clock.now() - 7_200_000), limit: 250 },
      ]);
      await dryRun({});
      expect(rig.stash.pages.at(-1)?.updatedSince).toBeNull();
      await questions.dryRun({ hours: 'soon' }, tell);
      expect(answers.at(-1)).toMatchObject({ done: true, failed: true });
      expect(last()).toContain('"hours" is "soon"');
    });

    it('of an empty library says so', async () => {
      expect(await dryRun()).toEqual(['Dry run: 0 scenes were looked at, nothing was written.']);
    });

    it('tells how far it is, first with the listing and then with the scenes', async () => {
      for (let id = 1; id <= 4; id++) rig.film(id);
      const slow = async (answer: Answer) => {
        rig.clock.set(rig.clock.now() + 500);
        await tell(answer);
      };
      await questions.dryRun({}, slow);
      const told = answers.slice(0, -1);
      expect(told.every(({ done }) => !done)).toBe(true);
      expect(told[0]?.message).toMatch(/^Plex's libraries are listed: 0 of about \d+ pages\.$/);
      const scenes = told.filter(({ message }) => message.includes('looked at'));
      expect(scenes.map(({ message }) => message)).toEqual(
        [0, 1, 2, 3].map((n) => `${n} of 4 scenes were looked at.`),
      );
      expect(scenes.map(({ progress }) => progress)).toEqual([0, 0.25, 0.5, 0.75]);
    });

    it('is broken off by an outage in the middle, and says how far it came', async () => {
      for (let id = 1; id <= 4; id++) rig.film(id);
      let isOut = false;
      await questions.dryRun({}, async (answer) => {
        rig.clock.set(rig.clock.now() + 500);
        if (answer.message.startsWith('2 of') && !isOut) {
          isOut = true;
          await rig.outage();
          rig.at().plex.setFault(null);
        }
        await tell(answer);
      });
      const lines = last().split('\n');
      expect(lines[0]).toBe('Dry run: 3 scenes were looked at, nothing was written.');
      expect(lines.at(-1)).toMatch(/^It was broken off: Plex cannot be asked now: /);
    });

    it('is broken off by an error of Plex or Stash, and says which', async () => {
      for (let id = 1; id <= 4; id++) rig.film(id);
      rig.at().plex.setFault({ kind: 'maintenance', on: 'item' });
      expect((await dryRun()).at(-1)).toMatch(/^It was broken off: .*503/);
      rig.at().plex.setFault(null);
      rig.stash.before = () => {
        throw new StashTrouble('away', 'Stash is not answering.');
      };
      expect((await dryRun()).at(-1)).toBe('It was broken off: Stash is not answering.');
    });

    it('is broken off when another one is asked for, so that there is at most one', async () => {
      for (let id = 1; id <= 4; id++) rig.film(id);
      const first: Answer[] = [];
      let second: Promise<void> | null = null;
      await questions.dryRun({}, async (answer) => {
        first.push(answer);
        second ??= questions.dryRun({}, tell);
      });
      expect(first.at(-1)).toMatchObject({ done: true });
      expect(first.at(-1)?.message).toContain('It was broken off: another dry run was asked for.');
      await second;
      expect(last()).toContain('4 scenes were looked at');
    });

    it('counts as work as long as it is under way, and ends with the worker', async () => {
      for (let id = 1; id <= 4; id++) rig.film(id);
      expect(questions.isBusy).toBe(false);
      const ended = questions.dryRun({}, async () => {
        expect(questions.isBusy).toBe(true);
        ending.abort();
      });
      await expect(ended).rejects.toThrow();
      expect(questions.isBusy).toBe(false);
    });

    it('tells of each server in its turn', async () => {
      await rig.addTarget('attic');
      rig.film(1);
      await rig.sync(1, 'attic');
      rig.clock.set(rig.clock.now() + 60_000);
      const lines = await dryRun();
      expect(lines).toContain('plex: 1  would be written (scene 1)');
      expect(lines).toContain('attic: 1  in step (scene 1)');
    });

    it('throws what is a defect', async () => {
      rig.film(1);
      rig.stash.before = () => {
        throw new TypeError('a defect');
      };
      await expect(questions.dryRun({}, tell)).rejects.toThrow('a defect');
    });
  });
});
