/**
 * What the launcher hands over to: `sluice.js hook` for a hook, `sluice.js start <state> <claim>` to start the
 * worker in a session of its own, and no argument for a task or an operation, whose input comes on stdin.
 *
 * A hook is on the path of every save in Stash, so it runs inline with node: modules only; the tasks are another
 * bundle. This file is built for Node 10, so that even an old Node can say that it is too old.
 */
import { readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { runHook } from './hook/hook';
import { forgetPointer, leavePointer } from './persist/pointer';
import { startDetached } from './queue/wake';
import { codeOf } from './shared/errors';

const oldestNode = [20, 17] as const;

function nodeProblem(): string | null {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return null;
  return `Sluice needs Node.js ${oldestNode.join('.')} or newer, and ${process.execPath} is ${process.version}. Install a newer one, or set SLUICE_NODE to it.`;
}

function main(): void {
  const [, , mode, stateDir, claim] = process.argv;
  const problem = nodeProblem();
  if (mode === 'hook') {
    const { warnings = [], ...answer } = runHook(readStdin(), __dirname, problem);
    for (const warning of warnings) write(2, `\x01w\x02${warning}\n`);
    finish(answer);
  } else if (problem) {
    // The pointer's Node was new enough once. Without the pointer the next hook finds another or says what to install.
    if (mode === 'start') forgetPointer(__dirname);
    finish({ error: problem });
  } else if (mode === 'start' && stateDir && claim) {
    leavePointer(__dirname, stateDir);
    startDetached({ distDir: __dirname, stateDir, pluginDir: dirname(__dirname) })(claim);
  } else {
    const { runTask } = require('./tasks.js') as typeof import('./tasks/run-task');
    runTask(readStdin(), __dirname).then(finish, (error: unknown) => finish({ error: String(error) }));
  }
}

function finish(answer: { output?: unknown; error?: string }): void {
  write(1, `${JSON.stringify(answer)}\n`);
  process.exitCode = answer.error === undefined ? 0 : 1;
}

function readStdin(): string {
  const chunks: Buffer[] = [];
  const chunk = Buffer.allocUnsafe(65_536);
  for (;;) {
    try {
      const length = readSync(0, chunk, 0, chunk.length, null);
      if (length === 0) break;
      chunks.push(Buffer.from(chunk.subarray(0, length)));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EOF') break; // Windows, at the end of a pipe
      if (code !== 'EAGAIN') throw error;
      pause(1);
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}

function write(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') return;
      pause(1);
    }
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

main();
