import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { pipeFromChild, pipeToChild } from '../sim/stash/pipes';

export interface Launched {
  pid: number;
  code: number | null;
  stdout: string;
  stderr: string;
  /** Somebody else had stdout or stderr open after the end. */
  heldOpen: boolean;
}

/** In the paths of the pipes that a launched process gets: /proc shows who else has them. */
export const pipesOfLaunched = 'stash-sim-pipes-';

const patienceMs = 20_000;
const lateMs = 5_000;

/** Runs a command as Stash runs a plugin: real pipes, the input on stdin, over at the end of stdout and the exit. */
export async function launch(
  [program = '', ...args]: string[],
  input: string | Buffer,
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
): Promise<Launched> {
  const [stdin, stdout, stderr] = [pipeToChild(), pipeFromChild(), pipeFromChild()];
  const child = spawn(program, args, { env, cwd, stdio: [stdin.fd, stdout.fd, stderr.fd] });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', reject);
  });
  for (const { fd } of [stdin, stdout, stderr]) closeSync(fd);
  const out = textOf(stdout.socket);
  const err = textOf(stderr.socket);
  // A hook that fails early does not read its input.
  stdin.socket.on('error', () => {});
  stdin.socket.end(input);
  try {
    const code = await within(patienceMs, exit, `${program} ${args.join(' ')} did not end`);
    const closed = Promise.all([out.closed, err.closed]).then(() => false);
    const heldOpen = await Promise.race([closed, after(lateMs).then(() => true)]);
    return { pid: child.pid ?? 0, code, stdout: out.text(), stderr: err.text(), heldOpen };
  } finally {
    for (const { socket } of [stdin, stdout, stderr]) socket.destroy();
  }
}

function textOf(socket: NodeJS.ReadableStream): { text(): string; closed: Promise<void> } {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  return { text: () => Buffer.concat(chunks).toString('utf8'), closed };
}

const after = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

async function within<T>(ms: number, promise: Promise<T>, otherwise: string): Promise<T> {
  return Promise.race([
    promise,
    after(ms).then(() => Promise.reject(new Error(`${otherwise} within ${ms} ms`))),
  ]);
}
