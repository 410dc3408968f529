/**
 * Times and durations as a person reads them, in local time. Not by Intl: what that knows depends on how Node was
 * built (Alpine's knows no British English).
 */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** "14:02" */
function timeOfDay(at: number): string {
  const date = new Date(at);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** "16 Nov 14:02", with the year if it is not that of `now`. */
export function dayAndTime(at: number, now: number): string {
  const date = new Date(at);
  const year = date.getFullYear() === new Date(now).getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${months[date.getMonth()]}${year} ${timeOfDay(at)}`;
}

/** "14:02", with the day if it is not that of `other`. */
export const timeBeside = (at: number, other: number): string =>
  new Date(at).toDateString() === new Date(other).toDateString() ? timeOfDay(at) : dayAndTime(at, other);

/** "45 s", "2 min 10 s", "29 min", "3 h 5 min", "4 days 2 h": no finer than anybody wants to know. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 600) return inTwo(seconds, 60, 'min', 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return inTwo(minutes, 60, 'h', 'min');
  return inTwo(Math.round(minutes / 60), 24, 'days', 'h');
}

function inTwo(small: number, perLarge: number, large: string, unit: string): string {
  const rest = small % perLarge;
  return `${Math.floor(small / perLarge)} ${large}${rest === 0 ? '' : ` ${rest} ${unit}`}`;
}
