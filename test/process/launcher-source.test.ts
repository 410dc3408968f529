import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasShellcheck, leftOut } from '../support/machine';
import { repository } from '../support/plugin-folder';
import { underEachShell } from '../support/shells';

const script = join(repository, 'src/launcher/sluice.sh');

const line = leftOut();
if (line) console.log(line);

describe('the source of the launcher', () => {
  it.skipIf(!hasShellcheck)('has nothing that shellcheck would change', () => {
    const { stdout, status } = spawnSync('shellcheck', ['--shell=sh', script], { encoding: 'utf8' });
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
  });

  underEachShell(({ command: [program = '', ...options] }) => {
    it('is read without an error', () => {
      const { stderr, status } = spawnSync(program, [...options, '-n', script], { encoding: 'utf8' });
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    });
  });
});
