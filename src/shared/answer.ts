/** What the worker answers a task, in `answers/<id>.json`. */
export interface Answer {
  /** False: more will follow. */
  done: boolean;
  message: string;
  /** What was asked for could not be done; the message says why. */
  failed?: true;
  /** 0 to 1. */
  progress?: number;
}

/** Null: not an answer. */
export function parseAnswer(text: string): Answer | null {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return null;
  const { done, message, failed, progress } = value as Record<string, unknown>;
  if (typeof done !== 'boolean' || typeof message !== 'string') return null;
  return {
    done,
    message,
    ...(failed === true && { failed }),
    ...(typeof progress === 'number' && { progress }),
  };
}
