import { describe, expect, it } from 'vitest';
import {
  errorForStatus,
  PlexError,
  PlexSettingsError,
  type Subject,
  toOutcome,
} from '../../../src/plex/errors';
import { settingsTable } from '../../../src/stash/settings';

const subjects: Subject[] = ['server', 'library', 'item', 'edit', 'picture'];
const error = (status: number, subject: Subject) =>
  errorForStatus(status, subject, { retryAfterMs: 7_000, redirectsTo: 'https://elsewhere.example' });

describe('what an answer means', () => {
  it.each([
    [429, 'overloaded'],
    [503, 'overloaded'],
    [408, 'server-down'],
    [502, 'server-down'],
    [504, 'server-down'],
    [500, 'transient'],
    [507, 'transient'],
    [401, 'not-authorised'],
    [301, 'misconfigured'],
  ])('HTTP %i is %s, whatever was asked', (status, kind) => {
    for (const subject of subjects) expect(error(status, subject).kind).toBe(kind);
  });

  it.each<[number, Subject, string]>([
    [403, 'edit', 'may-not-edit'],
    [403, 'item', 'not-authorised'],
    [400, 'edit', 'bad-data'],
    [409, 'edit', 'bad-data'],
    [414, 'edit', 'bad-data'],
    [404, 'edit', 'bad-data'],
    [404, 'item', 'bad-data'],
    [403, 'picture', 'may-not-edit'],
    [404, 'picture', 'bad-data'],
    [413, 'picture', 'bad-data'],
    [415, 'picture', 'bad-data'],
    [500, 'picture', 'transient'],
    [404, 'library', 'transient'],
    [404, 'server', 'misconfigured'],
    [400, 'server', 'misconfigured'],
  ])('HTTP %i about %s is %s', (status, subject, kind) => {
    expect(error(status, subject)).toMatchObject({ kind, status });
  });

  it('says in whole sentences what happened, and names settings as the person sees them', () => {
    const labels = Object.values(settingsTable).map(({ label }) => label);
    for (const status of [301, 400, 401, 403, 404, 408, 409, 413, 414, 429, 500, 502, 503, 504]) {
      for (const subject of subjects) {
        const { message } = error(status, subject);
        expect(message).toMatch(/^[A-Z].*\.$/);
        expect(message).toContain(String(status));
        for (const [, name] of message.matchAll(/"([^"]+)"/g)) expect(labels).toContain(name);
      }
    }
  });
});

describe('toOutcome', () => {
  it('carries over what the queue and the gate need', () => {
    expect(toOutcome(error(503, 'edit'))).toEqual({
      kind: 'overloaded',
      message: 'Plex is overloaded or still starting (HTTP 503).',
      retryAfterMs: 7_000,
    });
    expect(toOutcome(new PlexError('server-down', 'x'))).toEqual({ kind: 'server-down', message: 'x' });
    expect(toOutcome(new PlexSettingsError('x'))).toEqual({ kind: 'misconfigured', message: 'x' });
  });

  it('passes on what is not about Plex: an abort, a lost lease, a defect', () => {
    const abort = new DOMException('stop', 'AbortError');
    expect(() => toOutcome(abort)).toThrow(abort);
    expect(() => toOutcome(new TypeError('defect'))).toThrow('defect');
  });
});
