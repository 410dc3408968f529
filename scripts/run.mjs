// Runs a TypeScript script of this folder with the simulators of test/sim: `node scripts/run.mjs demo`.
// Node 20 does not read TypeScript, so the script is bundled into node_modules first.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [name, ...args] = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const outfile = `${root}node_modules/.cache/sluice/${name}.mjs`;
await build({
  absWorkingDir: root,
  entryPoints: [`scripts/${name}.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  logLevel: 'warning',
});
const { status, signal } = spawnSync(process.execPath, ['--enable-source-maps', outfile, ...args], {
  stdio: 'inherit',
  cwd: root,
});
process.exit(signal ? 1 : (status ?? 1));
