// Builds dist/ from src/. `--check` builds into memory and fails when the committed dist/ differs.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** One bundle per process or thread: each loads only what it needs. */
const bundles = [
  { entry: 'src/main.ts', name: 'sluice.js', target: 'node10', external: ['./tasks.js'] },
  { entry: 'src/tasks/run-task.ts', name: 'tasks.js', target: 'node20' },
  { entry: 'src/worker/host.ts', name: 'worker.js', target: 'node20' },
  { entry: 'src/worker/thread.ts', name: 'thread.js', target: 'node20' },
];

async function bundle({ entry, name, target, external = [] }) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: join(dist, name),
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target,
    external,
    // esbuild would pick the CommonJS entries, which cannot be shaken: four times the size and start-up time.
    mainFields: ['module', 'main'],
    charset: 'utf8',
    legalComments: 'inline',
    define: { SLUICE_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
  });
  return { name, bytes: Buffer.from(outputFiles[0].contents) };
}

const manifestVersion = /^version: *"?([\w.]+)"?$/m.exec(readFileSync(join(root, 'plugin.yml'), 'utf8'))?.[1];
if (manifestVersion !== version) {
  console.error(`plugin.yml says version ${manifestVersion}, package.json ${version}.`);
  process.exit(1);
}

const files = await Promise.all(bundles.map(bundle));
files.push({ name: 'sluice.sh', bytes: readFileSync(join(root, 'src/launcher/sluice.sh')) });

if (process.argv.includes('--check')) {
  const written = new Set(readdirSync(dist).filter((name) => name !== 'state-dir'));
  const wrong = files.filter(({ name, bytes }) => {
    written.delete(name);
    return !existsSync(join(dist, name)) || !readFileSync(join(dist, name)).equals(bytes);
  });
  const names = [...wrong.map(({ name }) => name), ...written];
  if (names.length > 0) {
    console.error(`dist/ does not match src/: ${names.join(', ')}. Run: npm run build`);
    process.exit(1);
  }
} else {
  mkdirSync(dist, { recursive: true });
  for (const { name, bytes } of files) {
    writeFileSync(join(dist, name), bytes, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
    console.log(`dist/${name}  ${(bytes.length / 1024).toFixed(1)} KiB`);
  }
}
