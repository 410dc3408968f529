import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BadInput, hookTypes, parseInboxMessage, type StashEvent } from '../../../src/queue/inbox-message';
import { fixture } from '../../sim/stash/fixtures';

interface HookInput {
  server_connection: Record<string, unknown>;
  args: { hookContext: Record<string, unknown> };
}

const recorded = (name: string): string => readFileSync(fixture(name), 'utf8');
const input = (name = 'hook-scene-update.json'): HookInput => JSON.parse(recorded(name));

function eventOf(text: string): StashEvent {
  const message = parseInboxMessage(text);
  if (message.type !== 'event') throw new Error(`A ${message.type}`);
  return message.event;
}

/** The event of the first fixture with another context. */
function eventWith(context: Record<string, unknown>): StashEvent {
  const changed = input();
  Object.assign(changed.args.hookContext, context);
  return eventOf(JSON.stringify(changed));
}

/** What each hook that a real Stash ran stands for. Null: no event of ours. */
const expected: Record<string, [type: string, ids: number[], bulk: boolean] | null> = {
  'hook-bulk-performer-update-first.json': ['Performer.Update', [1, 2], true],
  'hook-bulk-performer-update-second.json': ['Performer.Update', [2], true],
  'hook-bulk-scene-update-first.json': ['Scene.Update', [1, 2, 3, 4], true],
  'hook-bulk-scene-update-second.json': ['Scene.Update', [2], true],
  'hook-group-create.json': null,
  'hook-group-destroy.json': ['Group.Destroy', [1], false],
  'hook-group-update.json': ['Group.Update', [1], false],
  'hook-operation.json': null,
  'hook-performer-create.json': null,
  'hook-performer-destroy.json': ['Performer.Destroy', [2], false],
  'hook-performer-update.json': ['Performer.Update', [1], false],
  'hook-scene-create-scan-first.json': ['Scene.Create', [1], true],
  'hook-scene-destroy.json': ['Scene.Destroy', [4], false],
  'hook-scene-update-by-scan-of-a-moved-file.json': ['Scene.Update', [1], true],
  'hook-scene-update-cover.json': ['Scene.Update', [1], false],
  'hook-scene-update-nulls.json': ['Scene.Update', [2], false],
  'hook-scene-update.json': ['Scene.Update', [1], false],
  'hook-scenes-destroy-first.json': ['Scene.Destroy', [3, 2], true],
  'hook-scenes-destroy-second.json': ['Scene.Destroy', [2], true],
  'hook-scenes-update-first.json': ['Scene.Update', [3, 4], true],
  'hook-scenes-update-second.json': ['Scene.Update', [4], true],
  'hook-studio-create.json': null,
  'hook-studio-destroy.json': ['Studio.Destroy', [1], false],
  'hook-studio-update.json': ['Studio.Update', [1], false],
  'hook-tag-destroy.json': ['Tag.Destroy', [2], false],
  'hook-tag-merge.json': ['Tag.Merge', [3], true],
  'hook-tag-update.json': ['Tag.Update', [1], false],
  'hook-task.json': null,
};

describe('what a hook of a real Stash stands for', () => {
  it('is known for every one that was recorded', () => {
    const names = readdirSync(dirname(fixture('hook-task.json'))).filter((name) => name.startsWith('hook-'));
    expect(names.sort()).toEqual(Object.keys(expected).sort());
  });

  for (const [name, what] of Object.entries(expected)) {
    if (what) {
      const [type, ids, bulk] = what;
      it(`is ${type} of ${ids.join(', ')}${bulk ? ', bulk' : ''} in ${name}`, () => {
        const event = eventOf(recorded(name));
        expect(`${event.object}.${event.action}`).toBe(type);
        expect(event).toMatchObject({ ids, bulk, ours: false });
        expect(event.fields).toEqual(input(name).args.hookContext.inputFields ?? null);
      });
    } else {
      it(`is nothing for us in ${name}`, () => {
        expect(() => parseInboxMessage(recorded(name))).toThrow(BadInput);
      });
    }
  }
});

describe('a hook input', () => {
  it('stands for the other ids only when its own is the first, and for each of them once', () => {
    expect(eventWith({ id: 7, input: { ids: ['7', '8', '7', '9', '8'] } }).ids).toEqual([7, 8, 9]);
    expect(eventWith({ id: 8, input: { ids: ['7', '8', '9'] } }).ids).toEqual([8]);
    expect(eventWith({ id: 8, input: { ids: ['7', '9'] } }).ids).toEqual([8]);
  });

  it('may name its ids in an array, as text or as numbers', () => {
    expect(eventWith({ id: 7, input: ['7', 8, { id: '9' }, { id: 10 }] }).ids).toEqual([7, 8, 9, 10]);
  });

  it('stands at least for its own id, whatever else it holds', () => {
    for (const odd of [
      undefined,
      null,
      'text',
      5,
      [],
      [null, {}, [7]],
      {},
      { ids: 'x' },
      { ids: [null, -1, '1e3'] },
    ])
      expect(eventWith({ id: 7, input: odd }).ids).toEqual([7]);
  });

  it('takes its id as a number or as digits', () => {
    expect(eventWith({ id: '7', input: null }).ids).toEqual([7]);
    expect(eventWith({ id: 0, input: null }).ids).toEqual([0]);
  });

  it('is not the edit of a person when it names several objects or, from a scan, none', () => {
    expect(eventWith({ id: 7, input: { id: '7' } }).bulk).toBe(false);
    expect(eventWith({ id: 7, input: { ids: ['7'] } }).bulk).toBe(false);
    expect(eventWith({ id: 7, input: { ids: ['7', '8'] } }).bulk).toBe(true);
    expect(eventWith({ id: 7, input: null }).bulk).toBe(true);
  });

  it('is ours when it carries the id of our own writes', () => {
    expect(eventWith({ input: { id: '1', clientMutationId: 'sluice' } }).ours).toBe(true);
    expect(eventWith({ input: { id: '1', clientMutationId: 'somebody' } }).ours).toBe(false);
  });

  it('knows which fields were touched only if Stash said so', () => {
    expect(eventWith({ inputFields: ['title', 5, null, 'date'] }).fields).toEqual(['title', 'date']);
    expect(eventWith({ inputFields: 'title' }).fields).toBeNull();
  });

  it('names what was merged into its object, and only then', () => {
    expect(eventOf(recorded('hook-tag-merge.json')).merged).toEqual([4]);
    const source = ['4', 5, null, 'x'];
    expect(eventWith({ type: 'Tag.Merge.Post', id: 3, input: { source } }).merged).toEqual([4, 5]);
    expect(eventWith({ type: 'Tag.Merge.Post', id: 3, input: { source: '4' } }).merged).toEqual([]);
    expect(eventWith({ type: 'Tag.Update.Post', id: 3, input: { source } }).merged).toEqual([]);
  });

  it('tells how to reach the Stash that sent it', () => {
    expect(parseInboxMessage(recorded('hook-scene-update.json')).connection).toMatchObject({
      port: 9999,
      cookie: { name: 'session', value: 'the-session-cookie' },
      dir: '/config',
      pluginDir: '/config/plugins/sluice',
    });
  });

  it.each([
    ['nothing', '', 'the input is empty: Stash sent nothing'],
    ['white space', '\n\t ', 'the input is empty: Stash sent nothing'],
    ['no JSON', '{', 'the input is not JSON'],
    ['an array', '[]', 'the input is not a JSON object'],
    ['null', 'null', 'the input is not a JSON object'],
    ['no connection', '{}', 'server_connection is missing'],
  ])('that is %s is refused in plain words', (_, text, message) => {
    expect(() => parseInboxMessage(text)).toThrow(new BadInput(message));
  });

  it.each([
    ['Scene.Update.Pre', 'the hook type "Scene.Update.Pre" is unknown'],
    ['Movie.Update.Post', 'the hook type "Movie.Update.Post" is unknown'],
    ['Scene.Merge.Post', 'the hook type "Scene.Merge.Post" is unknown'],
    ['', 'the hook type "" is unknown'],
    [7, 'the hook type 7 is unknown'],
    [undefined, 'the hook type undefined is unknown'],
  ])('of type %j is refused', (type, message) => {
    expect(() => eventWith({ type })).toThrow(new BadInput(message));
  });

  it.each([
    [undefined],
    [null],
    ['one'],
    [''],
    ['-1'],
    [-1],
    [1.5],
    [1e300],
    ['1'.repeat(16)],
    [[1]],
    [{ id: 1 }],
  ])('with the id %j is refused', (id) => {
    expect(() => eventWith({ id })).toThrow(/^the hook's id is .*, which is not a number$/);
  });
});

describe('a command of a task', () => {
  const { server_connection } = input();
  const messageOf = (sluice: unknown) => parseInboxMessage(JSON.stringify({ sluice, server_connection }));

  it('is told from a hook and keeps its arguments', () => {
    const message = messageOf({ command: 'sync_recent', id: 'a-1', args: { hours: 3 } });
    expect(message).toMatchObject({
      type: 'command',
      command: { name: 'sync_recent', id: 'a-1', args: { hours: 3 } },
    });
  });

  it.each([{}, { command: 'pause' }, { id: 'a' }, { command: 'pause', id: '../a' }, { command: 1, id: 'a' }])(
    'is refused as %j: its answer needs a name that is no path',
    (sluice) => {
      expect(() => messageOf(sluice)).toThrow(BadInput);
    },
  );
});

it('the hooks that we ask for are those that we understand', () => {
  expect(hookTypes).toHaveLength(12);
  for (const type of hookTypes) expect(eventWith({ type, id: 1, input: null }).ids).toEqual([1]);
});
