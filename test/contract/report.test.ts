import { expect, test } from 'vitest';
import { Report } from './report';

function run(): { report: Report; lines: string[] } {
  const lines: string[] = [];
  return { report: new Report((line) => lines.push(line)), lines };
}

test('a run in which all agree has passed, with one line for each group', async () => {
  const { report, lines } = run();
  await report.group('first', async () => report.same('one', [1], [1]));
  await report.group('second', async () => report.same('two', { a: 'b' }, { a: 'b' }));
  expect([report.passed, report.summary()]).toEqual([true, '2 checks, all agree.']);
  expect(lines).toEqual(['ok    first: 1 checks', 'ok    second: 1 checks']);
});

test('a disagreement fails the run and says which check, what is and what was expected', async () => {
  const { report, lines } = run();
  await report.group('first', async () => report.same('the title', 'A', 'B'));
  await report.group('second', async () => report.same('two', 2, 2));
  expect([report.passed, report.summary()]).toEqual([false, '2 checks, 1 disagree.']);
  expect(lines[0]).toMatch(/first: the title\s+is +"A"\s+expected +"B"/);
  expect(lines.slice(1)).toEqual(['FAIL  first: 1 checks, 1 failed', 'ok    second: 1 checks']);
});

test('a group that breaks off has failed, and the next one still runs', async () => {
  const { report, lines } = run();
  await report.group('first', async () => {
    throw new Error('plexapi could not do it');
  });
  await report.group('second', async () => report.same('two', 2, 2));
  expect(report.passed).toBe(false);
  expect(lines[0]).toContain('plexapi could not do it');
  expect(lines.at(-1)).toBe('ok    second: 1 checks');
});

test('a run without checks has not passed', () => {
  expect(run().report.passed).toBe(false);
});
