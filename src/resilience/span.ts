/**
 * A stretch of time with both ends, chosen once and persisted. With only its end, a clock that was set back would
 * make it last for hours; a beginning in the future tells that this happened, and then it is over. Whoever keeps one
 * forgets it as soon as it does not last: else it would come again when the clock comes to that time again.
 */
import * as v from 'valibot';

export const spanSchema = v.object({ from: v.number(), until: v.number() });
export type Span = v.InferOutput<typeof spanSchema>;

export const lasts = (span: Span | null, now: number): span is Span =>
  span !== null && span.from <= now && now < span.until;

/** The one that ends later. */
export const longer = (a: Span | null, b: Span): Span => (a && a.until > b.until ? a : b);
