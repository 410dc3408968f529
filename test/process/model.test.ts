/** Proof that in the end Plex shows what Stash has, whatever happened in between; see `test/sim/model/model.ts`. */
import { describe, it } from 'vitest';
import { ModelRun } from '../sim/model/model';
import { runsOfTheModel } from '../sim/model/variation';

const seed = Number(process.env.MODEL_SEED ?? Date.now() % 1_000_000);
const steps = Number(process.env.MODEL_STEPS ?? 50);

describe.concurrent('after random edits in Stash and random trouble in Plex', () => {
  it.for([...runsOfTheModel])(
    'every item shows what Stash has, with a Plex that does "%s" to tags; settings: %s',
    { timeout: 150_000 },
    async ([tags, settings], { expect, onTestFinished }) => {
      const run = await ModelRun.begin({ seed, tags, settings });
      onTestFinished(() => run.close());
      await run.live(steps).catch((error) => {
        throw new Error(`seed ${seed}, ${run.story.join('\n')}\n${error}`);
      });
      await run.end();
      for (const found of [run.differences(), run.differencesAfterRefresh()])
        expect(found, `seed ${seed}: ${run.explain(found)}`).toEqual([]);
    },
  );
});
