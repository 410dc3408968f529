import { expect, it } from 'vitest';
import { parseRetryAfter } from '../../../src/plex/retry-after';

const now = Date.parse('1994-11-06T08:49:00Z');

it.each([
  ['seconds', '120', 120_000],
  ['zero', '0', 0],
  ['surrounding space', ' 5 ', 5_000],
  ['more than a day', '99999', 86_400_000],
  ['a number beyond all measure', '9'.repeat(400), 86_400_000],
  ['a date', 'Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
  ['a date of RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
  ['a date of asctime, which is GMT too', 'Sun Nov  6 08:49:37 1994', 37_000],
  ['a date that has passed', 'Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['a date beyond a day', 'Tue, 08 Nov 1994 08:49:37 GMT', 86_400_000],
  ['a negative number', '-5', null],
  ['some text', 'later', null],
  ['a date in another form', '1994-11-06', null],
  ['a date that does not exist', 'Sun, 99 Nov 1994 08:49:37 GMT', null],
  ['nothing', '', null],
  ['no header', null, null],
])('%s', (_, header, expected) => {
  expect(parseRetryAfter(header, now)).toBe(expected);
});
