import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modeOf } from '../support/files';
import { cookieValue, type HookRun, PluginFolder } from '../support/plugin-folder';
import { livingProcess } from '../support/processes';
import { anyShell, pathOf, shells } from '../support/shells';

const tools = ['dd', 'mv', 'rm', 'date', 'mkdir', 'cat', 'tr', 'sed', 'ln'];
const installed = shells.filter(({ installed }) => installed);

/** Every program that the launcher could start writes down its arguments and its environment first. */
function spiedOn(folder: PluginFolder): { env: Record<string, string>; seen(): string } {
  const seen = folder.beside('seen');
  const spy = (program: string) =>
    `{ printf '%s\\n' "$0" "$@"; ${pathOf('env')}; } >>'${seen}'; exec ${program} "$@"`;
  const scripts = Object.fromEntries(tools.map((tool) => [tool, spy(pathOf(tool) ?? tool)]));
  const path = folder.tools([], { ...scripts, node: spy(process.execPath) });
  return { env: { PATH: path, SLUICE_NODE: join(path, 'node') }, seen: () => readFileSync(seen, 'utf8') };
}

describe("Stash's session cookie", () => {
  it.each([...installed, anyShell])(
    'is in no argument, environment or output of a hook under $name',
    async (shell) => {
      const folder = PluginFolder.inUse({ node: '/nonexistent/node' });
      const { env, seen } = spiedOn(folder);
      const run = await folder.run({ shell, env });
      const [start] = await folder.started();
      expect(seen()).toContain('conv=fsync');
      expect(seen()).toContain('sluice.js\nstart\n');
      expectNoSecret(run, seen(), JSON.stringify(start));
    },
  );

  it('is in no argument, environment or output of the first hook, in Node', async () => {
    const folder = new PluginFolder();
    const { env, seen } = spiedOn(folder);
    const run = await folder.run({ env });
    const [start] = await folder.started();
    expect(seen()).toContain('sluice.js\nhook\n');
    expectNoSecret(run, seen(), JSON.stringify(start));
  });

  it('is in no answer about an input that cannot be used', async () => {
    const folder = new PluginFolder();
    const whole = folder.input();
    for (const input of [whole.slice(0, -10), whole.replace('Scene.Update.Post', 'Scene.Upset.Post')]) {
      const run = await folder.run({ input });
      expect(run.code).toBe(1);
      expectNoSecret(run);
    }
  });

  it('is in no answer when the event cannot be recorded', async () => {
    const folder = PluginFolder.inUse();
    const run = await folder.run({ env: { PATH: folder.tools(tools, { mv: 'exit 1' }) } });
    expect(run.code).toBe(1);
    expectNoSecret(run);
  });

  it('is in files of mode 0600 only', async () => {
    const folder = PluginFolder.inUse();
    folder.setAlive(livingProcess());
    await folder.run();
    await folder.runTypeScript();
    const holders = readdirSync(folder.configDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path, 'utf8').includes(cookieValue));
    expect(holders).toHaveLength(2);
    expect(holders.map((path) => [path, modeOf(path)])).toEqual(holders.map((path) => [path, '600']));
  });
});

function expectNoSecret(run: HookRun, ...others: string[]): void {
  for (const text of [run.stdout, run.stderr, ...others]) expect(text).not.toContain(cookieValue);
}
