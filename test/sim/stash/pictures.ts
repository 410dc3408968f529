import { crc32, deflateSync } from 'node:zlib';
import type { Picture } from './records';
import type { Store } from './store';

/** A small picture of one colour, the same for the same number every time. */
export function pictureOf(id: number): Buffer {
  const width = 16;
  const height = 9;
  // An odd factor: no two numbers up to 16 million share a colour.
  const mixed = Math.imul(id, 0x9e_37_79_b1);
  const colour = [mixed & 255, (mixed >> 8) & 255, (mixed >> 16) & 255];
  const row = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** What Stash shows when there is no picture: a drawing, with status 200 and nothing that says so but its type. */
export const stockPicture = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><path d="M6 2v5l4-2.5z"/></svg>\n',
);

const bytesOf = (picture: Picture, id: number): Buffer =>
  picture === 'generated' ? pictureOf(id) : (picture ?? stockPicture);

/** The picture that Stash serves at this path; null where there is nothing. */
export function pictureAt(store: Store, path: string): Buffer | null {
  const [, kind = '', id = '', name = ''] = path.split('/');
  const number = Number(id);
  const scene = kind === 'scene' && name === 'screenshot' ? store.scenes.get(number) : undefined;
  if (scene) return bytesOf(scene.cover, number);
  const table = { performer: store.performers, studio: store.studios, tag: store.tags }[kind];
  const record = name === 'image' ? table?.get(number) : undefined;
  const group = kind === 'group' && name === 'frontimage' ? store.groups.get(number) : undefined;
  const owner = record ?? group;
  return owner ? bytesOf(owner.image, number) : null;
}

/** What Go takes the bytes for, whatever they were called when they were given; and all plain text is a drawing. */
export function typeOf(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 512);
  const [, type] = signatures.find(([signature]) => signature.test(start)) ?? [];
  return type ?? 'image/svg+xml';
}

const signatures: [RegExp, string][] = [
  [/^\x89PNG/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBPVP/s, 'image/webp'],
  [/^BM/, 'image/bmp'],
  [/^\s*<(!DOCTYPE HTML|HTML|HEAD|BODY|SCRIPT|DIV|P|A|BR|TABLE)[ >]/i, 'text/html; charset=utf-8'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what tells that it is no text
  [/[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/, 'application/octet-stream'],
];

/** A picture given to Stash is a data URL; an address, which Stash would fetch, is not simulated. */
export function fromDataUrl(text: string): Buffer {
  const data = /^data:[^,]*;base64,(.*)$/s.exec(text)?.[1];
  if (data === undefined) throw new Error('The Stash simulator does not fetch pictures: give a data URL');
  return Buffer.from(data, 'base64');
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
