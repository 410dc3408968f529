/**
 * The settings: each is one row of the table below, and nothing else knows how it is called, read or defaulted.
 *
 * The settings page of Stash wins over the environment (`plexUrl` is SLUICE_PLEX_URL). Unset, 0 and an empty text
 * mean the default. Holds: a mistake costs that one setting only, gives one sentence that a person can act on and
 * that says what is used instead, and never shows a secret. A mistake in what says which scenes are sent, where to and
 * what of them, holds everything back: its default could write or remove what nobody asked for.
 */
import { messageOf } from '../shared/errors';
import { type FlowNumber, type FlowSettings, flowNumbers } from '../shared/flow-settings';
import { registerSecret } from '../shared/secrets';
import { completeFlow, type FlowPair } from './flow-pairs';
import { type PathRule, parsePathRules } from './path-rule';
import {
  names,
  numberFrom,
  plexAddress,
  secretsInAddress,
  shownAddress,
  token,
  webAddress,
  yesNo,
} from './setting-values';
import { type SyncSettings, syncRows } from './sync-settings';

export type { PathRule } from './path-rule';

/** What describes one Plex server. */
export interface ServerSettings {
  plexUrl: string | null;
  plexToken: string | null;
  plexLibraries: string[];
  plexPathMap: PathRule[];
  plexTrustAnyCertificate: boolean;
}

export interface Settings extends ServerSettings, SyncSettings {
  notifyUrl: string | null;
  flow: FlowSettings;
  /** Why nothing may be sent, in a sentence: one of the settings that decide about it is a mistake. */
  heldBecause: string | null;
}

type PlainSettings = Omit<Settings, 'flow' | 'heldBecause'>;

interface Row<T> {
  /** What the person sees on the settings page: `displayName` in plugin.yml. Without it: by the environment only. */
  label?: string;
  fallback: T;
  parse(text: string): T;
  /** With a mistake in it nothing is sent. */
  holds?: true;
  /** What must never be shown of the value; messages then do not show it at all. */
  secrets?(text: string): string[];
  /** The value as messages may show it. */
  show?(text: string): string;
}

type PlainRows = { [K in keyof PlainSettings]: Row<PlainSettings[K]> & { label: string } };
type FlowName = keyof FlowSettings;
type FlowKey = `flow${Capitalize<FlowName>}`;

const plainRows: PlainRows = {
  ...syncRows,
  plexUrl: { label: 'Plex address', fallback: null, parse: plexAddress, show: shownAddress },
  plexToken: { label: 'Plex token', fallback: null, parse: token, secrets: (text) => [text] },
  plexLibraries: { label: 'Plex libraries', fallback: [], parse: names, holds: true },
  plexPathMap: { label: 'Path map', fallback: [], parse: parsePathRules, holds: true },
  plexTrustAnyCertificate: { label: 'Trust any Plex certificate', fallback: false, parse: yesNo },
  notifyUrl: { label: 'Notification address', fallback: null, parse: webAddress, secrets: secretsInAddress },
};

const flowRow = (number: FlowNumber): Row<number> => ({
  ...(number.label !== undefined && { label: number.label }),
  fallback: number.fallback,
  parse: numberFrom(number),
});

const flowNames = Object.keys(flowNumbers) as FlowName[];
const flowKey = (name: FlowName) => `flow${name.slice(0, 1).toUpperCase()}${name.slice(1)}` as FlowKey;

const flowRows = Object.fromEntries(
  flowNames.map((name) => [flowKey(name), flowRow(flowNumbers[name])]),
) as Record<FlowKey, Row<number>>;

export const settingsTable = { ...plainRows, ...flowRows };

type Key = keyof typeof settingsTable;
const keys = Object.keys(settingsTable) as Key[];

export function readSettings(
  raw: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): { settings: Settings; problems: string[] } {
  const isOnPage = (key: Key) => settingsTable[key].label !== undefined && isSet(raw[key]);
  const given = new Map<Key, unknown>();
  const mistakes: { key: Key; what: string }[] = [];
  for (const key of keys) {
    const row: Row<unknown> = settingsTable[key];
    const value = isOnPage(key) ? raw[key] : env[environmentName(key)];
    if (!isSet(value)) continue;
    row.secrets?.(String(value).trim()).forEach(registerSecret);
    try {
      given.set(key, row.parse(textOf(value)));
    } catch (error) {
      const but = row.secrets ? '' : `is "${shownValue(row, value)}", but `;
      mistakes.push({ key, what: `${but}${messageOf(error)}` });
    }
  }

  // Each key gets what its own row gives: the shapes of Settings and FlowSettings, which fromEntries cannot know.
  const plain = Object.fromEntries(
    Object.entries<Row<unknown>>(plainRows).map(([key, { fallback }]) => [
      key,
      given.has(key as Key) ? given.get(key as Key) : fallback,
    ]),
  ) as PlainSettings;
  const flowGiven = Object.fromEntries(
    flowNames.flatMap((name) => (given.has(flowKey(name)) ? [[name, given.get(flowKey(name))]] : [])),
  ) as Partial<FlowSettings>;
  const { flow, contradictions } = completeFlow(flowGiven);

  const used = new Map<string, unknown>([
    ...Object.entries(plain),
    ...flowNames.map((name) => [flowKey(name), flow[name]] as const),
  ]);
  const nameOf = (key: Key) => nameInWords(key, isOnPage(key));
  const contradiction = ({ low, high }: FlowPair) =>
    `The setting ${nameOf(flowKey(low))} is ${flowGiven[low]}, but must not be above ${nameOf(flowKey(high))}, ` +
    `which is ${flowGiven[high]}; until one of them is corrected, ${flow[low]} is used for both.`;
  const holds = (key: Key) => (settingsTable[key] as Row<unknown>).holds === true;
  const holding = mistakes.filter(({ key }) => holds(key)).map(({ key }) => nameOf(key));
  return {
    settings: { ...plain, flow, heldBecause: heldBecause(holding) },
    problems: [
      ...mistakes.map(
        ({ key, what }) =>
          `The setting ${nameOf(key)} ${what}; until it is corrected, ` +
          `${holds(key) ? 'nothing is sent to Plex, and your edits are kept' : consequence(used.get(key))}.`,
      ),
      ...contradictions.map(contradiction),
    ],
  };
}

const heldBecause = (names: readonly string[]): string | null =>
  names.length === 0
    ? null
    : `Nothing is sent to Plex, and your edits are kept, until the setting ${names.join(' and ')} is corrected.`;

/** The one sentence that says what is not configured yet; null when Sluice can work. */
export function missingSettings(settings: ServerSettings): string | null {
  const missing = (['plexUrl', 'plexToken'] as const)
    .filter((key) => settings[key] === null)
    .map((key) => `"${settingsTable[key].label}"`);
  if (missing.length === 0) return null;
  return (
    `Sluice keeps your edits but cannot send them yet: set ${missing.join(' and ')} ` +
    'in Stash under Settings > Plugins > Sluice.'
  );
}

export const environmentName = (key: string): string =>
  `SLUICE_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

function nameInWords(key: Key, isOnPage: boolean): string {
  const { label } = settingsTable[key];
  if (label === undefined) return environmentName(key);
  return `"${label}"${isOnPage ? '' : ` (from ${environmentName(key)})`}`;
}

/** Stash shows what was never set as an empty text or 0, so neither can be told from unset. */
const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && !['', '0'].includes(String(value).trim());

function textOf(value: unknown): string {
  if (typeof value === 'object') throw new Error('must be a text, a number or true/false');
  return String(value).trim();
}

const longestShown = 80;

function shownValue(row: Row<unknown>, value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
  const shown = row.show ? row.show(text) : text;
  return shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
}

function consequence(used: unknown): string {
  const unset = used === null || used === '' || typeof used === 'object';
  return unset ? 'it counts as not set' : `${String(used)} is used`;
}
