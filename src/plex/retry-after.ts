/**
 * How long a server asks us to stay away (RFC 9110, 10.2.3): a number of seconds or a date.
 *
 * Holds: never negative, never more than a day; null when there is no header, or none that can be read.
 */
const longestMs = 86_400_000;

/** The three forms of a date that HTTP knows. Others are not tried: Date.parse takes nearly any text for a date. */
const httpDate =
  /^[A-Z][a-z]{2,8},? (\d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT|[A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

export function parseRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1_000, longestMs);
  if (!httpDate.test(text)) return null;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now, 0), longestMs);
}
