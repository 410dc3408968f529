/** What others learned about what people download: the files themselves, not the source. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { parseManifest } from '../sim/stash/manifest';
import { repository } from '../support/plugin-folder';
import { tempDir } from '../support/temp-dir';

const dist = join(repository, 'dist');
const bundles = readdirSync(dist).filter((name) => name.endsWith('.js'));

/** esbuild says above each module where it comes from. */
const modulesOf = (bundle: string): string[] =>
  [...readFileSync(join(dist, bundle), 'utf8').matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)].map(
    ([, path = '']) => path,
  );

it('only the thread of the worker can drain the queue or write to Plex [lesson 3: one consumer, whatever makes it drain]', () => {
  for (const module of ['src/worker/drain.ts', 'src/queue/queue.ts', 'src/plex/client.ts']) {
    expect(
      bundles.filter((bundle) => modulesOf(bundle).includes(module)),
      module,
    ).toEqual(['thread.js']);
  }
});

it.each(bundles)(
  '%s runs where nothing is installed [lesson 24: bundled, nothing is installed at run time]',
  (bundle) => {
    const text = readFileSync(join(dist, bundle), 'utf8');
    const required = [...text.matchAll(/\brequire\(\s*["']([^"']+)["']\s*\)/g)].map(([, name = '']) => name);
    expect(required.length).toBeGreaterThan(2);
    expect(required.filter((name) => !isBuiltin(name) && !bundles.includes(name.replace('./', '')))).toEqual(
      [],
    );

    const folder = tempDir();
    for (const name of bundles) copyFileSync(join(dist, name), join(folder, name));
    expect(() => createRequire(join(folder, bundle)).resolve('valibot')).toThrow();
    const load = `try { require('./${bundle}'); } catch (error) { console.log(error.code); }`;
    const { PATH = '' } = process.env;
    const options = { cwd: folder, env: { PATH }, input: '', encoding: 'utf8' as const };
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', load], options);
    expect(stdout + stderr).not.toMatch(/MODULE_NOT_FOUND|Cannot find/);
  },
);

it.skipIf(!existsSync(join(repository, '.git')))(
  'what is published is one plugin with every file that it names [lesson 25: the artefact is tested: one .yml, nothing missing]',
  () => {
    const options = { cwd: repository, encoding: 'utf8' as const };
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const published = execFileSync('git', list, options).split('\0').filter(Boolean);
    const folder = tempDir();
    for (const name of published.filter((path) => /^(plugin\.yml|sh\.cmd|dist\/)/.test(path))) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      copyFileSync(join(repository, name), join(folder, name));
    }
    expect(published.filter((name) => /\.ya?ml$/i.test(name))).toEqual(['plugin.yml']);
    const manifest = parseManifest('plugin.yml', readFileSync(join(folder, 'plugin.yml'), 'utf8'));
    const texts = [...manifest.exec, ...namedBy(folder)];
    const named = texts.flatMap((text) => text.match(/[\w-]+\.(?:js|sh)$/) ?? []);
    expect(new Set(named)).toEqual(new Set(['sluice.sh', 'sluice.js', 'tasks.js', 'worker.js', 'thread.js']));
    for (const name of named) expect(existsSync(join(folder, 'dist', name)), name).toBe(true);
  },
);

/** The files beside them that the launcher and the bundles name. */
function namedBy(folder: string): string[] {
  const own = readdirSync(join(folder, 'dist'));
  return own.flatMap((name) => {
    const text = readFileSync(join(folder, 'dist', name), 'utf8');
    const inShell = text.matchAll(/"\$here\/([\w-]+\.js)"/g);
    const inNode = text.matchAll(
      /require\("\.\/([\w-]+\.js)"\)|distDir, "([\w-]+\.js)"|__dirname, "([\w-]+\.js)"/g,
    );
    return [...inShell, ...inNode].flatMap(([, ...groups]) => groups.filter((group) => group !== undefined));
  });
}
