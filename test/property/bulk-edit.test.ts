import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInboxMessage } from '../../src/queue/inbox-message';

const connection = {
  Scheme: 'http',
  Host: '127.0.0.1',
  Port: 9999,
  Dir: '/config',
  PluginDir: '/config/plugins/a',
};

/** In which forms Stash names the objects of a bulk edit. */
const forms: Record<string, (ids: number[]) => unknown> = {
  'ids of bulkSceneUpdate': (ids) => ({ ids: ids.map(String), rating100: 80 }),
  'inputs of scenesUpdate': (ids) => ids.map((id) => ({ id: String(id), title: null })),
  'an array of ids': (ids) => ids.map(String),
};

function idsOf(type: string, id: number, input: unknown): number[] {
  const hookContext = { id, type, input };
  const message = parseInboxMessage(JSON.stringify({ server_connection: connection, args: { hookContext } }));
  return message.type === 'event' ? message.event.ids : [];
}

const id = fc.oneof(fc.nat({ max: 20 }), fc.nat());
const edit = fc.record({
  ids: fc.array(id, { minLength: 1, maxLength: 30 }),
  form: fc.constantFrom(...Object.keys(forms)),
  type: fc.constantFrom('Scene.Update.Post', 'Scene.Destroy.Post', 'Performer.Update.Post'),
});
const inputOf = (form: string, ids: number[]): unknown => forms[form]?.(ids);
const set = (ids: number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

describe('a bulk edit', () => {
  it('is whole with its first hook alone', () => {
    fc.assert(
      fc.property(edit, ({ ids, form, type }) => {
        const [first = 0] = ids;
        const stoodFor = idsOf(type, first, inputOf(form, ids));
        expect(set(stoodFor)).toEqual(set(ids));
        expect(stoodFor).toHaveLength(new Set(ids).size);
      }),
    );
  });

  it('is the same with all its hooks, each of which stands for no other object but the first', () => {
    fc.assert(
      fc.property(edit, ({ ids, form, type }) => {
        const input = inputOf(form, ids);
        const [first, ...others] = [...new Set(ids)].map((own) => idsOf(type, own, input));
        expect(set([...(first ?? []), ...others.flat()])).toEqual(set(ids));
        for (const other of others) expect(other).toHaveLength(1);
      }),
    );
  });

  it('never hides the own id of a hook, whichever it is', () => {
    fc.assert(
      fc.property(edit, id, ({ ids, form, type }, own) => {
        const stoodFor = idsOf(type, own, inputOf(form, ids));
        expect(stoodFor).toContain(own);
        expect(stoodFor.every((one) => one === own || ids.includes(one))).toBe(true);
      }),
    );
  });
});
