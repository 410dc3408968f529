/**
 * What went wrong in earlier programs that bring scenes from Stash to Plex, and the rule that follows for us. Each rule
 * is proved by at least one test, whose title ends with `[lesson <number>: <rule>]`; where to find it, a search tells.
 * The rule stands there word for word, so that whoever sees that test fail knows what is at stake.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What went wrong there, and what must hold here. */
const lessons: Record<number, { bug: string; rule: string }> = {
  1: {
    bug: 'the hook waited for the work, so that saving a scene took half a minute',
    rule: 'a hook does no work, because Stash waits for it',
  },
  2: {
    bug: 'a bulk import started hundreds of large processes',
    rule: 'hooks are tiny and share one worker',
  },
  3: {
    bug: 'fifteen processes drained one queue at the same time',
    rule: 'one consumer, whatever makes it drain',
  },
  4: {
    bug: 'two processes saw at once that something was due, and both did it',
    rule: 'to look whether something is to be started and to claim it is one step',
  },
  5: {
    bug: 'workers got into the way of each other until all timed out, or waited for one that was dead',
    rule: 'a lock does not outlive its holder',
  },
  6: {
    bug: 'a process that failed while it started kept the lock',
    rule: 'a lock is let go also when the start fails',
  },
  7: {
    bug: "a job's key was mistaken for the one of the library below: wrong jobs were acknowledged, others came for ever",
    rule: 'a job has a key of our own, and an acknowledgement ends no other job',
  },
  8: {
    bug: 'a process that started took the jobs of another that was at work on them',
    rule: 'work belongs to the holder of a lease, with a name and an end',
  },
  9: {
    bug: 'the oldest job failed each time and starved fifty others',
    rule: 'a job that fails goes behind the others',
  },
  10: {
    bug: 'jobs that waited for their next try were taken up and put back ten times a second',
    rule: 'a job is not touched before its next try is due',
  },
  11: {
    bug: 'one scene was synced thousands of times, and an edit within a window of time not at all',
    rule: 'one job per scene, told apart by revisions and not by time',
  },
  12: {
    bug: 'a few scenes that were not in Plex stopped everything',
    rule: 'an error of one item is none of the server',
  },
  13: {
    bug: 'what nobody had expected was tried again for ever',
    rule: 'whatever fails is given up in the end',
  },
  14: {
    bug: 'scenes were synced empty, before Stash had identified them',
    rule: 'filters decide at send time, on fresh data',
  },
  15: {
    bug: 'fields that an edit had not touched were emptied in Plex, because the hook says null of them',
    rule: 'what a hook says of a scene is not its metadata, which is fetched',
  },
  16: {
    bug: 'what Stash identified was never synced, because the plugin waited for the end of all jobs',
    rule: 'nothing waits for the jobs of Stash',
  },
  17: {
    bug: 'a process that died in the middle had already noted that all was written',
    rule: 'success is recorded last',
  },
  18: {
    bug: 'each process added all the counts of the others to its own',
    rule: 'numbers have one writer',
  },
  19: {
    bug: 'six reloads of an item for each scene, as fast as possible, until Plex timed out',
    rule: 'few requests, and no faster than Plex bears',
  },
  20: {
    bug: 'a queue with nothing in it was taken for no queue, and nothing was ever put into it',
    rule: 'an empty queue is a queue',
  },
  21: {
    bug: 'reconcile looked at the day of creation, and skipped what was synced but empty in Plex',
    rule: 'reconcile compares what is, not when something was made',
  },
  22: {
    bug: 'an outage was listed as going on for days after its end',
    rule: 'an outage is closed once, however often its end is told',
  },
  23: {
    bug: 'Plex told its owner of a new device at each sync',
    rule: 'the client identifier is stable',
  },
  24: {
    bug: 'libraries were missing, could not be installed, or others of the same name were there',
    rule: 'bundled, nothing is installed at run time',
  },
  25: {
    bug: 'the download held a second .yml, which Stash took for a plugin, and not all modules',
    rule: 'the artefact is tested: one .yml, nothing missing',
  },
  26: {
    bug: 'what people were to read was logged at a level that Stash does not show',
    rule: 'nothing that a person should read is below info',
  },
  27: {
    bug: 'two requests of each hook slowed Stash down until connections failed',
    rule: 'a hook asks Stash nothing',
  },
  28: {
    bug: 'people whose Plex holds a part of the library were flooded with retries',
    rule: 'who has only a part in Plex is not flooded with retries',
  },
};

const tests = join(import.meta.dirname, '..');
const own = join('unit', 'lessons.test.ts');
const sources = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && name !== own)
  .map((name) => ({ name, text: readFileSync(join(tests, name), 'utf8') }));

/** The end of a text that another argument follows: a title. */
const title = /\[lesson (\d+): ([^\]\n]+)\](?=['"`],)/g;
const named = sources.flatMap(({ name, text }) =>
  [...text.matchAll(title)].map(([, number, rule]) => ({ name, number: Number(number), rule })),
);

describe('the lessons', () => {
  const all = Object.entries(lessons).map(([number, { rule }]): [number, string] => [Number(number), rule]);

  it.each(all)('are kept: %i, %s', (number, rule) => {
    const tags = named.filter((tag) => tag.number === number).map((tag) => tag.rule);
    expect(tags.length).toBeGreaterThan(0);
    expect(new Set(tags)).toEqual(new Set([rule]));
  });

  it('that tests name are all known', () => {
    expect(named.filter(({ number }) => lessons[number] === undefined)).toEqual([]);
  });

  it('are named in titles, in the form that this test finds', () => {
    const mentions = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/\blesson \d+/gi)].map(([mention]) => `${name}: ${mention}`),
    );
    expect(mentions).toEqual(named.map(({ name, number }) => `${name}: lesson ${number}`));
  });
});
