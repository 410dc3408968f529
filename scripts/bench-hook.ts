/**
 * What a save in Stash waits for: the hook, through the launcher and in TypeScript, against the start of a bare Node.
 * `npm run bench:hook`; exit status 1 when a limit is exceeded.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { snapshotText } from '../src/persist/journal-format';
import { InstalledPlugin } from './bench/installed-plugin';
import { type Comparison, compare, type Sampled, say } from './bench/measure';
import { comparedRow, printHowMeasured, printTable } from './bench/table';
import { waitingJobs } from './bench/waiting-jobs';

interface Hook {
  name: string;
  command(plugin: InstalledPlugin): string[];
  /** The highest allowed ratio to a bare Node; null: for information. */
  limits: { alive: number | null; start: number | null };
}

const rounds = 40;
const roundsOfLargeInputs = 10;
const warmUp = 2;
const usualBytes = 2_048;
const largeBytes = 5 * 1024 * 1024;
const backlog = 100_000;

const limits = { alive: 0.2, start: 0.35 };
const forInformation = { alive: null, start: null };
const shells = [
  { command: ['sh'], limits },
  // With the system's dd and mv. Where busybox is the system, as in Stash's image, its own are faster than those.
  { command: ['busybox', 'sh'], limits: forInformation },
  // Its own start and its forks for dd and mv alone cost 0.2.
  { command: ['bash'], limits: forInformation },
].filter(({ command: [program = '', ...args] }) => spawnSync(program, [...args, '-c', ':']).status === 0);

const hooks: Hook[] = [
  ...shells.map((shell) => ({
    name: `launcher under ${shell.command.join(' ')}`,
    command: (plugin: InstalledPlugin) => [...shell.command, plugin.launcher, 'hook'],
    limits: shell.limits,
  })),
  {
    name: 'hook in TypeScript',
    command: (plugin) => [process.execPath, plugin.hook, 'hook'],
    limits: { alive: 1.15, start: 1.5 },
  },
];

/** A worker lives: the hook leaves its event and ends. */
function whileAlive(plugin: InstalledPlugin, { name, command }: Hook, bytes = usualBytes): Sampled {
  const input = plugin.hookInput(bytes);
  return {
    name: `${name}, worker alive`,
    sample: () => {
      const ms = plugin.time(command(plugin), input);
      plugin.takeEvent();
      return ms;
    },
  };
}

/** No worker lives: the hook starts the real one, which is at work and then ended before the next is measured. */
function withStart(plugin: InstalledPlugin, { name, command }: Hook): Sampled {
  const input = plugin.hookInput(usualBytes);
  return {
    name: `${name}, worker to start`,
    sample: async () => {
      const ms = plugin.time(command(plugin), input);
      await plugin.endStartedWorker();
      return ms;
    },
  };
}

/** Its events stay: the inbox is full of them anyway. */
function behindBacklog(plugin: InstalledPlugin, { name, command }: Hook): Sampled {
  const input = plugin.hookInput(usualBytes);
  return { name: `${name}, long inbox`, sample: () => plugin.time(command(plugin), input) };
}

const [alive, idle, full] = [new InstalledPlugin(), new InstalledPlugin(), new InstalledPlugin()];
process.once('exit', () => {
  for (const plugin of [alive, idle, full]) plugin.remove();
});
process.once('SIGINT', () => process.exit(130));
alive.pretendAlive();
full.pretendAlive();

const bareInput = alive.hookInput(usualBytes);
const bareNode: Sampled = {
  name: 'node -e 0',
  sample: () => alive.time([process.execPath, '-e', '0'], bareInput),
};
const bareShell: Sampled = { name: 'sh -c :', sample: () => alive.time(['sh', '-c', ':'], '') };

const comparisons: Comparison[] = [
  { what: 'sh that does nothing', of: bareShell, to: bareNode, limit: null },
  ...hooks.map((hook) => {
    const of = whileAlive(alive, hook);
    return { what: of.name, of, to: bareNode, limit: hook.limits.alive };
  }),
  ...hooks.map((hook) => {
    const of = withStart(idle, hook);
    return { what: of.name, of, to: bareNode, limit: hook.limits.start };
  }),
];
say(`Hooks, ${rounds} rounds of each in turns ...`);
const usual = await compare(comparisons, rounds, { warmUp });

say('Inputs of 5 MB ...');
const large = await compare(
  hooks.map((hook) => {
    const of = whileAlive(alive, hook, largeBytes);
    return { what: `${of.name}, input of 5 MB`, of, to: bareNode, limit: null };
  }),
  roundsOfLargeInputs,
);

say(`An inbox of ${backlog} files beside a queue of ${backlog} jobs ...`);
full.fillInbox(backlog);
writeFileSync(join(full.state.root, 'queue.json'), snapshotText('queue', [1, backlog], waitingJobs(backlog)));
const behind = await compare(
  hooks.map((hook) => ({
    what: `${hook.name}, ${backlog} files and jobs wait`,
    of: behindBacklog(full, hook),
    to: whileAlive(alive, hook),
    limit: 1.2,
  })),
  rounds,
  { warmUp },
);

const fast = printTable(
  `A hook as Stash waits for it, against \`node -e 0\` (medians of ${rounds} interleaved runs, input of 2 KB)`,
  [...usual, ...large].map(comparedRow),
);
const flat = printTable('The same at a backlog, against an empty inbox and queue', behind.map(comparedRow));
console.log('\n"worker to start" starts the real worker; each is at work and ended before the next run.');
printHowMeasured();
process.exitCode = fast && flat ? 0 : 1;
