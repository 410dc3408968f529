/**
 * The settings: each is one row of the table below, and nothing else knows how it is called, read or defaulted.
 *
 * The settings page of Stash wins over the environment (`plexUrl` is SLUICE_PLEX_URL). Unset, 0 and an empty text
 * mean the default. Holds: a mistake costs that one setting only, gives one sentence that a person can act on, and
 * never shows a secret.
 */
import { messageOf } from '../shared/errors';
import { registerSecret } from '../shared/secrets';
import { type PathRule, parsePathRules } from './path-rule';
import { names, numberFrom, plexAddress, shownAddress, token, yesNo } from './setting-values';

export type { PathRule } from './path-rule';

interface Row<T> {
  /** What the person sees on the settings page: `displayName` in plugin.yml. */
  label: string;
  fallback: T;
  parse(text: string): T;
  /** Messages do not show the value at all. */
  secret?: true;
  /** The value as messages may show it. */
  show?(text: string): string;
}

const row = <T>(one: Row<T>): Row<T> => one;

export const settingsTable = {
  plexUrl: row<string | null>({
    label: 'Plex address',
    fallback: null,
    parse: plexAddress,
    show: shownAddress,
  }),
  plexToken: row<string | null>({ label: 'Plex token', fallback: null, parse: token, secret: true }),
  plexLibraries: row<string[]>({ label: 'Plex libraries', fallback: [], parse: names }),
  plexPathMap: row<PathRule[]>({ label: 'Path map', fallback: [], parse: parsePathRules }),
  plexTrustAnyCertificate: row({ label: 'Trust any Plex certificate', fallback: false, parse: yesNo }),
  flowOpenSeconds: row({
    label: 'Wait after Plex failed',
    fallback: 60,
    parse: numberFrom(1, 86_400),
  }),
};

type Table = typeof settingsTable;
export type Settings = { [K in keyof Table]: Table[K] extends Row<infer T> ? T : never };

export function readSettings(
  raw: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): { settings: Settings; problems: string[] } {
  const problems: string[] = [];
  const read = <T>([key, setting]: [string, Row<T>]): [string, T] => {
    const variable = environmentName(key);
    const onPage = isSet(raw[key]);
    const value = onPage ? raw[key] : env[variable];
    if (!isSet(value)) return [key, setting.fallback];
    if (setting.secret) registerSecret(String(value).trim());
    try {
      return [key, setting.parse(textOf(value))];
    } catch (error) {
      const name = `"${setting.label}"${onPage ? '' : ` (from ${variable})`}`;
      const but = setting.secret ? '' : `is "${shownValue(setting, value)}", but `;
      problems.push(`The setting ${name} ${but}${messageOf(error)}; ${consequence(setting.fallback)}.`);
      return [key, setting.fallback];
    }
  };
  // Each key of the table gets what its own row gives: the shape of Settings, which fromEntries cannot know.
  const settings = Object.fromEntries(Object.entries<Row<unknown>>(settingsTable).map(read)) as Settings;
  return { settings, problems };
}

/** The one sentence that says what is not configured yet; null when Sluice can work. */
export function missingSettings(settings: Settings): string | null {
  const missing = (['plexUrl', 'plexToken'] as const)
    .filter((key) => settings[key] === null)
    .map((key) => `"${settingsTable[key].label}"`);
  if (missing.length === 0) return null;
  return (
    `Sluice keeps your edits but cannot send them yet: set ${missing.join(' and ')} ` +
    'in Stash under Settings > Plugins > Sluice.'
  );
}

const environmentName = (key: string): string =>
  `SLUICE_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** Stash shows what was never set as an empty text or 0, so neither can be told from unset. */
const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && !['', '0'].includes(String(value).trim());

function textOf(value: unknown): string {
  if (typeof value === 'object') throw new Error('must be a text, a number or true/false');
  return String(value).trim();
}

const longestShown = 80;

function shownValue(setting: Row<unknown>, value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
  const shown = setting.show ? setting.show(text) : text;
  return shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
}

function consequence(fallback: unknown): string {
  const unset = fallback === null || Array.isArray(fallback);
  return `until it is corrected, ${unset ? 'it counts as not set' : `${String(fallback)} is used`}`;
}
