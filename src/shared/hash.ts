import { createHash } from 'node:crypto';

/** Enough to tell whether a value is still the same, and too little to tell what it was. */
export const shortHash = (value: unknown): string =>
  createHash('sha1').update(JSON.stringify(value)).digest('base64url').slice(0, 10);
