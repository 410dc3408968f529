/**
 * What the queue's journal holds, each under a key that says what it is. Parsed on load: no state file is trusted.
 *
 *   job/<target>/<scene>    the scene is out of date at that target
 *   fan-out/<object>/<id>   a performer, studio, tag or group changed: its scenes are to be queued
 *   sweep/<name>            a pass over Stash's library is under way, and how far it has come
 *   tally/<target>          how many jobs ended, well or badly, since the beginning
 *   memo/<name>             a single fact: when the flow was paused, our name toward Plex, ...
 */
import * as v from 'valibot';

const time = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const job = v.object({
  is: v.literal('job'),
  target: v.string(),
  scene: count,
  /** Grows with every event, so that an edit during a sync is not taken for synced. */
  rev: count,
  /** Not an edit of a person: goes after those. */
  bulk: v.boolean(),
  /** A person asked for this sync: look at Plex even if nothing seems to have changed. */
  asked: v.boolean(),
  queuedAt: time,
  /** The earliest next try; 0: at once. */
  dueAt: time,
  attempts: count,
  /** Why the last try failed. */
  reason: v.nullable(v.string()),
  /** It was synced and counted, but something may be missing in Stash still: it is looked at once more. */
  secondLook: v.exactOptional(v.boolean()),
});

const fanOut = v.object({
  is: v.literal('fan-out'),
  object: v.picklist(['Performer', 'Studio', 'Tag', 'Group']),
  id: count,
  action: v.picklist(['Update', 'Destroy', 'Merge']),
  queuedAt: time,
  /** The last scene id that was queued for it. */
  after: v.optional(count, 0),
});

const sweep = v.object({
  is: v.literal('sweep'),
  /** Only scenes that changed in Stash since then; null: all. */
  since: v.nullable(time),
  /** A person asked for it. */
  asked: v.optional(v.boolean(), false),
  /** The last scene id that was looked at. */
  after: count,
  total: v.nullable(count),
  looked: v.optional(count, 0),
  queued: count,
  /** What differed, and how often. */
  found: v.optional(v.record(v.string(), count), {}),
  startedAt: time,
});

const tally = v.object({
  is: v.literal('tally'),
  done: count,
  failed: count,
  retried: v.optional(count, 0),
  /** Of those that are done: how many each rule left out. */
  filtered: v.optional(v.record(v.string(), count), {}),
});
const memo = v.object({ is: v.literal('memo'), value: v.union([v.string(), v.number()]) });

const entry = v.variant('is', [job, fanOut, sweep, tally, memo]);

export type Job = v.InferOutput<typeof job>;
export type FanOut = v.InferOutput<typeof fanOut>;
export type Sweep = v.InferOutput<typeof sweep>;
export type Tally = v.InferOutput<typeof tally>;
export type QueueEntry = v.InferOutput<typeof entry>;

export const parseQueueEntry = (value: unknown): QueueEntry => v.parse(entry, value);

const deadLetter = v.object({
  target: v.string(),
  scene: count,
  /** The outcome that ended it. */
  kind: v.string(),
  reason: v.string(),
  attempts: count,
  at: time,
});

/** A job given up on, kept until the scene is synced after all or a person discards it. */
export type DeadLetter = v.InferOutput<typeof deadLetter>;

export const parseDeadLetter = (value: unknown): DeadLetter => v.parse(deadLetter, value);
