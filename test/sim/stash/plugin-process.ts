import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { type Command, startProblem } from './command';
import type { StashLog } from './log';
import { pipeFromChild, pipeToChild } from './pipes';
import type { PluginLogReader } from './plugin-log';

export interface PluginOutput {
  error: string | null;
  output: unknown;
}

export interface PluginProcess {
  pid: number;
  /** After stdout's end and the exit: a child that keeps stdout open keeps Stash waiting. */
  finished: Promise<PluginOutput>;
  exited: Promise<void>;
  /** The process itself only, not its children. */
  kill(): void;
}

export interface ProcessOptions {
  env: NodeJS.ProcessEnv;
  cwd: string;
  log: StashLog;
  reader: PluginLogReader;
}

/** How long stderr is still read after the end, if somebody else holds it open. Stash races here; we are patient. */
const lateStderrMs = 100;

/** Runs a plugin as Stash does: one JSON document on stdin, its result on stdout, its log on stderr. */
export async function startProcess(
  command: Command,
  input: string,
  options: ProcessOptions,
): Promise<PluginProcess> {
  const problem = startProblem(command, options.cwd);
  if (problem) throw new Error(`error running plugin: ${problem}`);

  const [stdin, stdout, stderr] = [pipeToChild(), pipeFromChild(), pipeFromChild()];
  const child = spawn(command.file, command.argv.slice(1), {
    argv0: command.argv[0],
    env: options.env,
    cwd: options.cwd,
    stdio: [stdin.fd, stdout.fd, stderr.fd],
  });
  const exit = new Promise<string | null>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(signal ? signalText(signal) : code ? `exit status ${code}` : null),
    );
  });
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  for (const { fd } of [stdin, stdout, stderr]) closeSync(fd);
  try {
    await started;
  } catch (error) {
    for (const { socket } of [stdin, stdout, stderr]) socket.destroy();
    throw new Error(`error running plugin: ${error instanceof Error ? error.message : error}`);
  }

  stdin.socket.on('error', (error) => {
    options.log.write(
      'warning',
      `error writing input to plugins stdin (out of ${input.length}): ${error.message}`,
    );
  });
  stdin.socket.write(input, (error) => {
    if (!error) stdin.socket.destroy();
  });

  const logRead = new Promise<void>((resolve) => {
    stderr.socket.on('data', (chunk) => {
      if (!options.reader.push(chunk)) stderr.socket.destroy();
    });
    stderr.socket.once('close', () => {
      options.reader.end();
      resolve();
    });
  });

  const chunks: Buffer[] = [];
  const stdoutEnded = new Promise<void>((resolve) => {
    stdout.socket.on('data', (chunk) => void chunks.push(chunk));
    stdout.socket.once('close', () => resolve());
  });

  const finish = async (): Promise<PluginOutput> => {
    await stdoutEnded;
    const result = parseOutput(Buffer.concat(chunks).toString('utf8'));
    const exitError = await exit;
    const late = setTimeout(() => stderr.socket.destroy(), lateStderrMs);
    await logRead;
    clearTimeout(late);
    return { output: result.output, error: result.error ?? exitError };
  };
  return {
    pid: child.pid ?? 0,
    finished: finish(),
    exited: exit.then(() => undefined),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** A JSON object with `output` and `error`; anything else is the output, as text. */
export function parseOutput(stdout: string): PluginOutput {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return { output: stdout, error: null };
  }
  if (value === null) return { output: null, error: null };
  if (typeof value !== 'object' || Array.isArray(value)) return { output: stdout, error: null };
  // Go matches the names of fields whatever their case.
  const fields = new Map(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner as unknown]));
  const error = fields.get('error') ?? null;
  if (error !== null && typeof error !== 'string') return { output: stdout, error: '' };
  return { output: fields.get('output') ?? null, error };
}

const signalNames: Record<string, string> = {
  SIGKILL: 'killed',
  SIGTERM: 'terminated',
  SIGPIPE: 'broken pipe',
};
const signalText = (signal: string): string => `signal: ${signalNames[signal] ?? signal}`;
