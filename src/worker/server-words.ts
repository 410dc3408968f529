/**
 * What goes wrong with Plex is said in the words of the settings page ("Plex token" in the settings). A server of
 * servers.json has its settings there, under other names: a person must be sent to the right place.
 */
import { serversFileName } from '../stash/servers';

const fields: Record<string, string> = {
  'Plex address': 'url',
  'Plex token': 'token',
  'Plex libraries': 'libraries',
  'Path map': 'pathMap',
  'Trust any Plex certificate': 'trustAnyCertificate',
};

/** The sentence as it has to be for this server of the file. */
export function inServersFile(server: string, sentence: string): string {
  return sentence.replace(
    /"(Plex address|Plex token|Plex libraries|Path map|Trust any Plex certificate)"( in the settings)?/g,
    (_, label: string) => `"${fields[label]}" of "${server}" in ${serversFileName}`,
  );
}
