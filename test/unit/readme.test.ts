/** What the README says about settings is what the program does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FlowNumber, flowNumbers } from '../../src/shared/flow-settings';
import { globMatcher } from '../../src/stash/glob';
import { readServers } from '../../src/stash/servers';
import { globs } from '../../src/stash/setting-values';
import { environmentName, settingsTable } from '../../src/stash/settings';
import { fieldNames, syncRows } from '../../src/stash/sync-settings';
import { Histogram } from '../../src/worker/dry-run';
import { parseManifest } from '../sim/stash/manifest';
import { repository } from '../support/plugin-folder';

const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const manifest = parseManifest('plugin.yml', readFileSync(join(repository, 'plugin.yml'), 'utf8'));

/** The cells of every row of every table. */
const rows = readme
  .split('\n')
  .filter((line) => /^ *\| /.test(line))
  .map((line) =>
    line
      .trim()
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );

const rowWith = (cell: string): string[] => {
  const found = rows.filter((cells) => cells.includes(cell));
  expect(found, cell).toHaveLength(1);
  return found[0] ?? [];
};

describe('the README', () => {
  const page = Object.entries(settingsTable).filter(([, { label }]) => label !== undefined);

  it.each(page)('has the setting %s with its name and its variable', (key, { label }) => {
    expect(rowWith(`\`${key}\``).slice(0, 3)).toEqual([`\`${key}\``, label, `\`${environmentName(key)}\``]);
  });

  const flow = Object.entries(flowNumbers).map(([name, number]) => ({
    variable: environmentName(`flow${name.slice(0, 1).toUpperCase()}${name.slice(1)}`),
    ...(number as FlowNumber),
  }));

  it.each(flow)('has $variable with its default and its range', ({ variable, fallback, least, most }) => {
    const cells = rowWith(`\`${variable}\``);
    const after = cells.slice(cells.indexOf(`\`${variable}\``) + 1);
    expect(after.slice(0, 2)).toEqual([String(fallback), `${least} to ${most}`]);
  });

  it('has no number of the flow that does not exist', () => {
    const named = new Set([...readme.matchAll(/`(SLUICE_FLOW_[A-Z_]+)`/g)].map(([, variable]) => variable));
    expect([...named].sort()).toEqual(flow.map(({ variable }) => variable).sort());
  });

  it.each(manifest.tasks)('has the task $name with its mode', ({ name, defaultArgs }) => {
    expect(rowWith(name)[1]).toBe(`\`${defaultArgs.mode}\``);
  });

  it('has no operation that does not exist', () => {
    const named = [...readme.matchAll(/\bmode: \\?"(\w+)\\?"/g)].map(([, mode]) => mode);
    const known = [...manifest.tasks.map(({ defaultArgs }) => defaultArgs.mode), 'explain'];
    expect(named).not.toHaveLength(0);
    expect(known).toEqual(expect.arrayContaining(named));
  });

  it('shows the reasons of a dry run as the program tells them', () => {
    const shown = [...readme.matchAll(/^ *(\d+) {2}(.+) \(scene ([\d, ]+)(?:, …)?\)$/gm)];
    const histogram = new Histogram();
    for (const [, count, reason = '', scenes = ''] of shown) {
      const named = scenes.split(', ').map(Number);
      for (let n = 0; n < Number(count); n++) histogram.add(reason, named[n] ?? 0);
    }
    expect(shown).not.toHaveLength(0);
    expect(shown.map(([line]) => line)).toEqual(histogram.lines());
  });

  it.each(Object.entries(syncRows))('has the default of %s, and examples that work', (key, row) => {
    const cells = rowWith(`\`${key}\``);
    const { fallback } = row;
    const shown =
      fallback === false ? 'off' : typeof fallback === 'string' && fallback ? `\`${fallback}\`` : 'none';
    expect(cells[3]).toBe(shown);
    const [, example = ''] = /^`([^`]+)`$/.exec(cells[5] ?? '') ?? [];
    expect(row.parse(example)).not.toEqual(fallback);
  });

  it.each(fieldNames)('says how to leave out %s', (field) => {
    expect(rowWith(`\`${field}\``)[2]).toBe(`\`${field}\``);
  });

  it.each([
    ['`/data/talks`', '/data/talks/a/lichens.mp4', '/data/a/talks/lichens.mp4'],
    ['`/data/*.mp4`, `/data/talk-?.mp4`', '/data/talk-1.mp4', '/data/a/talk-1.mp4'],
    ['`/data/**/drafts/**`', '/data/drafts/lichens.mp4', '/data/lichens.mp4'],
    ['`"/data/{talks,concerts}"`', '/data/concerts/fjord.mp4', '/data/fjord.mp4'],
    ['`drafts`, `*.avi`', '/data/a/lichens.avi', '/data/a/lichens.mp4'],
    ['`C:\\films\\*`, `\\\\nas\\films`', '//NAS/films/a/lichens.mp4', 'c:/films/a/lichens.mp4'],
  ])('has the paths %s, and they do what it says', (cell, fitting, other) => {
    rowWith(cell);
    const written = [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, glob = '']) => globs(glob));
    const fits = (path: string) => written.some((glob) => globMatcher(glob)(path));
    expect([fits(fitting), fits(other)]).toEqual([true, false]);
  });

  it('has a head above every table, and as many cells in it as in each row', () => {
    const cells = (line: string) => line.trim().slice(1, -1).split(' | ').length;
    for (const [table] of readme.matchAll(/(?:^ *\|.*\n)+/gm)) {
      const [head = '', rule = '', ...body] = table.trimEnd().split('\n');
      expect(rule, head).toMatch(/^ *\|(?:---\|)+$/);
      const width = rule.split('---').length - 1;
      for (const line of [head, ...body]) expect(cells(line), line).toBe(width);
    }
  });

  it('has no link to a section that does not exist', () => {
    const anchors = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
    const links = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(anchors).toEqual(expect.arrayContaining(links));
  });

  it('shows a servers.json that works', () => {
    const [, example = ''] = /```json\n(\{\n {2}"attic"[^`]*)```/.exec(readme) ?? [];
    const { servers, problems } = readServers(
      example.replace('the token of its owner', 'a').replace('…', 'b'),
    );
    expect(problems).toEqual([]);
    expect([...servers.keys()]).toEqual(['attic', 'cabin']);
  });
});
