/**
 * The jobs that were given up, as a person deals with them: told in groups by what was the matter, chosen by scene, by
 * reason or all at once.
 *
 * Two letters are of one group when they are of one kind and their sentences differ only in numbers and names: five
 * hundred scenes with the same cause are one line. A group is called by its kind, or, if there are several of a kind,
 * also by a key that stays the same as long as the sentence does.
 *
 * Pure: letters and arguments go in, choices and words come out.
 */
import type { KeyedStore } from '../persist/keyed-store';
import type { DeadLetter } from '../queue/entries';
import { shortHash } from '../shared/hash';
import { dayAndTime } from '../shared/time-words';
import { counted } from '../shared/words';

const mostGroups = 20;
const mostScenes = 10;
const keyLength = 4;

type Letters = Pick<KeyedStore<DeadLetter>, 'entries'>;

export interface LetterGroup {
  target: string;
  kind: string;
  /** What a person can type to mean this group alone. */
  key: string;
  count: number;
  /** When the oldest was given up. */
  since: number;
  /** The reason of the newest. */
  example: string;
  /** The first few, ascending. */
  scenes: number[];
}

/** Which letters a person means. */
export type Choice = { scene: number } | { reason: string } | { all: true };

export function hasLettersOf(letters: Letters, target: string): boolean {
  for (const [, letter] of letters.entries()) if (letter.target === target) return true;
  return false;
}

/** Of each target the largest group first. */
export function groupLetters(letters: Letters): LetterGroup[] {
  const members = new Map<string, DeadLetter[]>();
  for (const [, letter] of letters.entries()) {
    const group = `${letter.target}/${keyOf(letter)}`;
    const known = members.get(group);
    if (known) known.push(letter);
    else members.set(group, [letter]);
  }
  return [...members.values()]
    .map(groupOf)
    .sort((a, b) => compare(a.target, b.target) || b.count - a.count || compare(a.key, b.key));
}

function groupOf(letters: DeadLetter[]): LetterGroup {
  const newest = letters.reduce((one, other) => (other.at > one.at ? other : one));
  const scenes = letters.map(({ scene }) => scene).sort((a, b) => a - b);
  return {
    target: newest.target,
    kind: newest.kind,
    key: keyOf(newest),
    count: letters.length,
    since: letters.reduce((oldest, { at }) => Math.min(oldest, at), newest.at),
    example: newest.reason,
    scenes: scenes.slice(0, mostScenes),
  };
}

/** A sentence: what the arguments lack. */
export function choiceOf(args: Record<string, unknown>): Choice | string {
  const [scene, reason] = [typed(args.scene), typed(args.reason)];
  const isAll = typed(args.all).toLowerCase() === 'true';
  if ([scene !== '', reason !== '', isAll].filter(Boolean).length !== 1) {
    return (
      'Say which of them: {"scene": 42}, {"reason": "not-in-plex"} or {"all": true}, and only one of these. ' +
      'The task "Dead letters" lists them with their reasons.'
    );
  }
  if (isAll) return { all: true };
  if (reason !== '') return { reason };
  if (!/^\d{1,15}$/.test(scene)) {
    return `"scene" is ${JSON.stringify(args.scene)}, but must be the number of a scene, like 42.`;
  }
  return { scene: Number(scene) };
}

/** An argument as it was typed; '': not given. */
function typed(value: unknown): string {
  if (value === undefined || value === null) return '';
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).trim();
}

/** The letters that are meant, with their keys in the store. */
export function chosenLetters(letters: Letters, choice: Choice): [key: string, letter: DeadLetter][] {
  return [...letters.entries()].filter(([, letter]) => isMeant(letter, choice));
}

function isMeant(letter: DeadLetter, choice: Choice): boolean {
  if ('all' in choice) return true;
  if ('scene' in choice) return letter.scene === choice.scene;
  const wanted = choice.reason.toLowerCase();
  return [letter.kind, keyOf(letter)].includes(wanted) || letter.reason.toLowerCase().includes(wanted);
}

/** Nothing was found for it. */
export function nothingMeant(choice: Choice): string {
  if ('all' in choice) return 'There are no dead letters.';
  if ('scene' in choice) return `Scene ${choice.scene} is not among the dead letters.`;
  return `No dead letter has the reason "${choice.reason}". The task "Dead letters" lists the reasons.`;
}

export function lettersInWords(letters: Letters, now: number): string {
  const groups = groupLetters(letters);
  if (groups.length === 0) return 'There are no dead letters: no scene was given up.';
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const hasSeveralTargets = new Set(groups.map(({ target }) => target)).size > 1;
  const nameOf = ({ kind, key }: LetterGroup) =>
    groups.every((other) => other.kind !== kind || other.key === key) ? kind : key;
  const lines = [
    `${counted(total, 'scene was', 'scenes were')} given up, for ${counted(groups.length, 'reason', 'reasons')}:`,
    ...groups
      .slice(0, mostGroups)
      .map(
        (group) => (hasSeveralTargets ? `${group.target}: ` : '') + groupInWords(group, nameOf(group), now),
      ),
  ];
  if (groups.length > mostGroups) {
    lines.push(
      `${counted(groups.length - mostGroups, 'more reason is', 'more reasons are')} not listed here.`,
    );
  }
  lines.push(
    'To try scenes again, run the operation "retry_dead_letters" with {"scene": 42}, {"reason": one of the words in ' +
      'brackets, or a part of the sentence} or {"all": true}. "discard_dead_letters" forgets them in the same way. A ' +
      'scene that is edited in Stash is tried again by itself.',
  );
  return lines.join('\n');
}

function groupInWords(group: LetterGroup, name: string, now: number): string {
  const { count, since, example, scenes } = group;
  const more = count > scenes.length ? ` and ${count - scenes.length} more` : '';
  const which = count === 1 ? '' : ` (Scenes ${scenes.join(', ')}${more}.)`;
  return `[${name}] ${counted(count, 'scene', 'scenes')} since ${dayAndTime(since, now)}: ${example}${which}`;
}

/** The kind, and four letters for what was the matter. */
const keyOf = ({ kind, reason }: DeadLetter): string =>
  `${kind}-${shortHash(gist(reason))
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '0')
    .slice(0, keyLength)}`;

/** The sentence without what differs from scene to scene: names in quotes, lists of them, remarks, numbers. */
function gist(reason: string): string {
  let text = reason.replace(/"[^"]*"/g, '"…"').replace(/"…"(, "…")+( and \d+ more)?/g, '"…"');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/ ?\([^()]*\)/g, '');
  }
  return text.replace(/\d+/g, 'N');
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
