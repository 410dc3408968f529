/** What this machine lets a test do, found out by trying. What it does not is left out, and `leftOut` says so. */
import { runs, shells } from './shells';

const isRoot = process.getuid?.() === 0;

function firstThatRuns(candidates: string[][], probe: string[]): string[] | null {
  return candidates.find((prefix) => runs([...prefix, ...probe])) ?? null;
}

/** Before a command: it may mount what it likes, and nobody else sees it. */
export const ownMounts = firstThatRuns(
  [
    ['unshare', '--mount'],
    ['unshare', '--map-root-user', '--mount'],
  ],
  ['sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /mnt'],
);

/** Before a command: its process ids begin at 1. */
export const ownPids = firstThatRuns(
  [
    ['unshare', '--pid', '--fork', '--mount-proc'],
    ['unshare', '--map-root-user', '--pid', '--fork', '--mount-proc'],
  ],
  ['true'],
);

/** Before a command: permissions count, as they do not for root. */
export const withoutPrivileges = isRoot
  ? firstThatRuns([['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']], ['true'])
  : [];

export const hasShellcheck = runs(['shellcheck', '--version']);

/** One line for whoever reads the test's output; null when everything is there. */
export function leftOut(): string | null {
  const missing = [
    ...shells.filter(({ installed }) => !installed).map(({ name }) => name.split(' ')[0]),
    ...(hasShellcheck ? [] : ['shellcheck']),
    ...(ownMounts ? [] : ['mounting with unshare']),
    ...(ownPids ? [] : ['process ids of their own with unshare']),
    ...(withoutPrivileges ? [] : ['setpriv']),
  ];
  if (missing.length === 0) return null;
  return `Launcher: left out what needs ${[...new Set(missing)].join(', ')}, which this machine does not have.`;
}
