const longestHours = 24 * 366 * 10;

/** The argument `hours` of a task, or the sentence that says what is wrong with it. */
export function hoursFrom<T>(given: unknown, fallback: T): number | T | string {
  if (given === undefined || given === '') return fallback;
  const hours = typeof given === 'string' || typeof given === 'number' ? Number(given) : Number.NaN;
  if (hours > 0 && hours <= longestHours) return hours;
  return `"hours" is ${JSON.stringify(given)}, but must be a number above 0 and at most ${longestHours} (ten years).`;
}
