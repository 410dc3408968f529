/** What the README says about settings is what the program does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FlowNumber, flowNumbers } from '../../src/shared/flow-settings';
import { readServers } from '../../src/stash/servers';
import { environmentName, settingsTable } from '../../src/stash/settings';
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

  it('shows a servers.json that works', () => {
    const [, example = ''] = /```json\n(\{\n {2}"attic"[^`]*)```/.exec(readme) ?? [];
    const { servers, problems } = readServers(
      example.replace('the token of its owner', 'a').replace('…', 'b'),
    );
    expect(problems).toEqual([]);
    expect([...servers.keys()]).toEqual(['attic', 'cabin']);
  });
});
