import { expect, it } from 'vitest';
import { OneAtATime } from '../../../src/sync/one-at-a-time';
import { settle } from '../../support/virtual-clock';

function gatedWork(log: string[], name: string) {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const work = async () => {
    log.push(`${name} begins`);
    await gate;
    log.push(`${name} ends`);
    return name;
  };
  return { work, open };
}

it('runs work on one key in its order, and on another key meanwhile', async () => {
  const log: string[] = [];
  const items = new OneAtATime();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => gatedWork(log, name));
  if (!a || !b || !c) throw new Error('three');
  const all = Promise.all([items.run('1', a.work), items.run('1', b.work), items.run('2', c.work)]);
  b.open();
  c.open();
  await settle();
  expect(log).not.toContain('b begins');
  expect(log).toContain('c ends');
  a.open();
  expect(await all).toEqual(['a', 'b', 'c']);
  expect(log.indexOf('b begins')).toBeGreaterThan(log.indexOf('a ends'));
});

it('goes on after work that failed, and tells only the one whose work it was', async () => {
  const items = new OneAtATime();
  const failing = items.run('1', () => Promise.reject(new Error('no')));
  const next = items.run('1', () => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
});
