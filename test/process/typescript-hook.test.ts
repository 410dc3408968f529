import { readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modeOf, tree } from '../support/files';
import { PluginFolder, repository } from '../support/plugin-folder';

describe('the hook in TypeScript', () => {
  it.each<[string, string | ((folder: PluginFolder) => string), RegExp]>([
    ['nothing', '', /empty/],
    ['only white space', ' \n', /empty/],
    ['no JSON', 'no JSON', /not JSON/],
    ['half of its JSON', (folder) => folder.input().slice(0, -20), /not JSON/],
    ['JSON that is no object', '[1]', /not a JSON object/],
    [
      'no server_connection',
      changed((input) => delete input.server_connection),
      /server_connection is missing/,
    ],
    ['no hookContext', changed((input) => delete input.args), /no hookContext/],
    ['an unknown type', context({ type: 'Scene.Upset.Post' }), /type "Scene.Upset.Post" is unknown/],
    [
      'a type that we do not want',
      context({ type: 'Image.Update.Post' }),
      /type "Image.Update.Post" is unknown/,
    ],
    ['no id', context({ id: undefined }), /id is undefined, which is not a number/],
    ['an id that is no number', context({ id: 'one' }), /id is "one", which is not a number/],
    ['an id that is no whole number', context({ id: 1.5 }), /id is 1.5, which is not a number/],
    ['a negative id', context({ id: -1 }), /id is -1, which is not a number/],
  ])('refuses %s in plain words and leaves nothing', async (_, input, why) => {
    const folder = new PluginFolder();
    const before = tree(folder.configDir);
    const run = await folder.run({ input: typeof input === 'string' ? input : input(folder) });
    expect(run).toMatchObject({ code: 1, stderr: '', answer: { error: expect.stringMatching(why) } });
    expect(run.answer.error).toMatch(/^Sluice could not use this event: /);
    expect(tree(folder.configDir)).toEqual(before);
  });

  it('leaves the same files as the launcher', async () => {
    const byLauncher = PluginFolder.inUse();
    const byTypeScript = PluginFolder.inUse();
    for (const folder of [byLauncher, byTypeScript]) {
      folder.letWorkersStay();
      writeFileSync(join(folder.stateDir, 'notice'), 'A notice.\n', { mode: 0o600 });
    }
    await byLauncher.run();
    await byTypeScript.runTypeScript();
    await byLauncher.started();
    await byTypeScript.started();
    expect(kinds(byTypeScript)).toEqual(kinds(byLauncher));
    expect(kinds(byLauncher)).toEqual([
      'inbox/ 700',
      'inbox/<name>.json 600',
      'notice 600',
      'notice.shown 600',
      'starting-<slot>-0 600',
    ]);
    for (const folder of [byLauncher, byTypeScript])
      expect(readFileSync(folder.pointer, 'utf8')).toBe(`${folder.stateDir}\n${process.execPath}\n`);
    expect(modeOf(byTypeScript.event())).toBe(modeOf(byLauncher.event()));
  });

  it('does not load the bundle of the tasks', async () => {
    const folder = new PluginFolder();
    writeFileSync(join(folder.dist, 'tasks.js'), 'throw new Error("loaded");');
    const run = await folder.run();
    expect(run).toMatchObject({ code: 0, stderr: '', answer: { output: 'queued' } });
    await folder.started();
  });

  it('is a bundle that needs nothing but Node, and holds nothing but what a hook needs', () => {
    const bundle = readFileSync(join(repository, 'dist/sluice.js'), 'utf8');
    const required = [...bundle.matchAll(/\b(?:require|import)\(\s*([^)]*?)\s*\)/g)].map(
      ([, name = '']) => name,
    );
    expect(required.length).toBeGreaterThan(4);
    const names = required.map((name) => JSON.parse(name.replaceAll("'", '"')));
    expect(names.filter((name) => !isBuiltin(name))).toEqual(['./tasks.js']);
    // esbuild says above each module where it comes from.
    const modules = [...bundle.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)].map(([, path]) => path);
    expect(modules).toContain('src/hook/hook.ts');
    expect(
      modules.filter(
        (path) =>
          !/^src\/(main\.ts|hook\/|queue\/|persist\/(paths|pointer)|shared\/|stash\/connection)/.test(
            path ?? '',
          ),
      ),
    ).toEqual([]);
  });
});

/** The kinds of files in the state folder: what is different with each process is left out. */
const kinds = (folder: PluginFolder): string[] =>
  tree(folder.stateDir).map((line) =>
    line.replace(/^inbox\/[\w-]+\.json/, 'inbox/<name>.json').replace(/^starting-\d+/, 'starting-<slot>'),
  );

type Change = NonNullable<Parameters<PluginFolder['input']>[1]>;

function changed(change: Change) {
  return (folder: PluginFolder) => folder.input('hook-scene-update.json', change);
}

function context(changes: Record<string, unknown>) {
  return changed(({ args }) => void Object.assign(args?.hookContext ?? {}, changes));
}
