import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/persist/keyed-store';
import { statePaths } from '../../../src/persist/paths';
import type { QueueEntry } from '../../../src/queue/entries';
import { parseInboxMessage, type StashEvent } from '../../../src/queue/inbox-message';
import { Queue } from '../../../src/queue/queue';
import { Reception } from '../../../src/worker/reception';
import { fixture } from '../../sim/stash/fixtures';
import { MemoryLog } from '../../support/memory-log';
import { tempDir } from '../../support/temp-dir';
import { VirtualClock } from '../../support/virtual-clock';

describe('an event', () => {
  let queue: Queue;
  let reception: Reception;
  let forgotten: number[];

  beforeEach(() => {
    queue = new Queue(new MemoryStore<QueueEntry>(), new VirtualClock());
    forgotten = [];
    reception = new Reception({
      paths: statePaths(tempDir()),
      env: {},
      log: new MemoryLog(),
      queue,
      targets: { names: ['plex', 'attic'] },
      stash: { learn: () => {} },
      commands: { carryOut: async () => {} },
      forget: (scene) => void forgotten.push(scene),
      flush: () => queue.flush(),
      wakeOther: () => {},
    });
  });

  const recorded = (name: string): StashEvent => {
    const message = parseInboxMessage(readFileSync(fixture(name), 'utf8'));
    if (message.type !== 'event') throw new Error(`A ${message.type}`);
    return message.event;
  };
  const told = (name: string, change: Partial<StashEvent> = {}) =>
    reception.event({ ...recorded(name), ...change });
  const fanOuts = () => queue.waitingFanOuts().map(({ object, id, action }) => `${object} ${id} ${action}`);

  it('of a scene is a job at every target', () => {
    told('hook-scene-update.json');
    for (const target of ['plex', 'attic'])
      expect(queue.job(target, 1)).toMatchObject({ bulk: false, asked: false });
    expect(forgotten).toEqual([]);
  });

  it.each([
    ['hook-performer-update.json', 'Performer 1 Update'],
    ['hook-studio-update.json', 'Studio 1 Update'],
    ['hook-tag-update.json', 'Tag 1 Update'],
    ['hook-group-update.json', 'Group 1 Update'],
    ['hook-performer-destroy.json', 'Performer 2 Destroy'],
    ['hook-studio-destroy.json', 'Studio 1 Destroy'],
    ['hook-tag-destroy.json', 'Tag 2 Destroy'],
    ['hook-group-destroy.json', 'Group 1 Destroy'],
  ])('%s is to reach the scenes of the object', (name, expected) => {
    told(name);
    expect(fanOuts()).toEqual([expected]);
  });

  it.each([
    'hook-performer-update.json',
    'hook-studio-update.json',
    'hook-tag-update.json',
    'hook-group-update.json',
  ])('%s that touched nothing that Plex shows queues nothing', (name) => {
    told(name, { fields: ['id', 'favorite', 'image'] });
    expect(fanOuts()).toEqual([]);
    told(name, { fields: null });
    expect(fanOuts()).toHaveLength(1);
  });

  it('of an object that is gone counts, whatever is said of its fields', () => {
    told('hook-tag-destroy.json', { fields: ['id'] });
    expect(fanOuts()).toEqual(['Tag 2 Destroy']);
  });

  it('of a merge stands for what remains and for what is gone', () => {
    told('hook-tag-merge.json');
    expect(fanOuts()).toEqual(['Tag 3 Merge', 'Tag 4 Destroy']);
  });

  it('that a scene was deleted takes away what waits for it and what is known of it, and sends nothing', () => {
    told('hook-scene-update.json', { ids: [4, 5] });
    told('hook-scene-destroy.json');
    for (const target of ['plex', 'attic']) {
      expect(queue.job(target, 4)).toBeUndefined();
      expect(queue.job(target, 5)).toBeDefined();
    }
    expect(forgotten).toEqual([4]);
  });

  it('that several scenes were deleted stands for all of them', () => {
    told('hook-scene-update.json', { ids: [2, 3] });
    told('hook-scenes-destroy-first.json');
    expect(forgotten).toEqual([3, 2]);
    expect(queue.counts('plex').waiting).toBe(0);
  });

  it('that a scene was deleted has one that is on its way looked at again', () => {
    told('hook-scene-update.json', { ids: [4] });
    const flying = queue.take('plex');
    if (!flying) throw new Error('nothing is due');
    told('hook-scene-destroy.json');
    queue.settle(flying, { kind: 'done' });
    expect(queue.job('plex', 4)).toBeDefined();
    expect(queue.job('attic', 4)).toBeUndefined();
  });

  it('of a scene that comes later queues it, whatever was deleted before', () => {
    told('hook-scene-destroy.json');
    told('hook-scene-create-scan-first.json', { ids: [4] });
    expect(queue.job('plex', 4)).toMatchObject({ bulk: true });
  });
});
