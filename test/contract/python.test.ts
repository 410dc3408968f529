import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../support/temp-dir';
import { findPython } from './python';

/** A stand-in for Python: a script that says yes or no to what it is asked. */
function stand(folder: string, name: string, answers: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${answers}\n`, { mode: 0o755 });
  return path;
}

const windows = process.platform === 'win32';

test('without any Python there is a sentence, and nothing is remembered', async () => {
  const memory = join(tempDir(), 'memory');
  const found = await findPython({ commands: [join(tempDir(), 'python3')], memory });
  expect(found).toEqual({ missing: 'there is no Python 3 here' });
  expect(existsSync(memory)).toBe(false);
});

test.skipIf(windows)('a Python that has plexapi is used as it is', async () => {
  const folder = tempDir();
  const python = stand(folder, 'python3', 'exit 0');
  expect(await findPython({ commands: [python], memory: join(folder, 'memory') })).toEqual({ python });
});

test.skipIf(windows)('the remembered environment is used when the Python itself lacks plexapi', async () => {
  const folder = tempDir();
  const without = stand(folder, 'python3', 'exit 1');
  const remembered = stand(folder, 'remembered', 'exit 0');
  const memory = join(folder, 'memory');
  writeFileSync(memory, `${remembered}\n`);
  expect(await findPython({ commands: [without], memory })).toEqual({ python: remembered });
});

test.skipIf(windows)('what cannot be installed is a sentence, also when it never ends', async () => {
  const folder = tempDir();
  const answers = 'case "$2" in *plexapi*) exit 1;; venv) exec sleep 60;; esac';
  const memory = join(folder, 'memory');
  const found = await findPython({ commands: [stand(folder, 'python3', answers)], memory, installMs: 50 });
  expect(found).toEqual({ missing: expect.stringContaining('could not be installed') });
  expect(existsSync(memory)).toBe(false);
});

test.skipIf(windows)('an environment is made once, outside the repository, and remembered', async () => {
  const folder = tempDir();
  const memory = join(folder, 'cache', 'memory');
  const answers =
    'case "$2" in *plexapi*) exit 1;; venv) mkdir -p "$3/bin"; printf "#!/bin/sh\\n" >"$3/bin/python"; chmod +x "$3/bin/python";; esac';
  const found = await findPython({ commands: [stand(folder, 'python3', answers)], memory });
  expect(found).toEqual({ python: expect.stringMatching(/sluice-contract-\w+\/bin\/python$/) });
  const python = readFileSync(memory, 'utf8');
  expect(found).toEqual({ python });
  rmSync(dirname(dirname(python)), { recursive: true });
});
