import { expect, it } from 'vitest';
import { errorForStatus } from '../../../src/plex/errors';
import { inServersFile } from '../../../src/worker/server-words';

it.each([
  [
    errorForStatus(401, 'server', { retryAfterMs: null, redirectsTo: null }).message,
    'Enter a valid one as "token" of "attic" in servers.json.',
  ],
  [
    'Correct it, or turn on "Trust any Plex certificate".',
    '"trustAnyCertificate" of "attic" in servers.json',
  ],
  [
    'Set "Path map" in the settings, like "/data => /media".',
    'Set "pathMap" of "attic" in servers.json, like',
  ],
  ['Plex is not answering (connection refused).', 'Plex is not answering (connection refused).'],
])('sends the person of a server in the file to the file: %s', (sentence, expected) => {
  expect(inServersFile('attic', sentence)).toContain(expected);
  expect(inServersFile('attic', sentence)).not.toContain('in the settings');
});
