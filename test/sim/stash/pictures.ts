import { crc32, deflateSync } from 'node:zlib';
import type { Picture } from './records';

/** A small picture of one colour, the same for the same number every time. */
export function pictureOf(id: number): Buffer {
  const width = 16;
  const height = 9;
  const colour = [(id * 67) % 256, (id * 151) % 256, (id * 211) % 256];
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

export const bytesOf = (picture: Picture, id: number): Buffer =>
  picture === 'generated' ? pictureOf(id) : (picture ?? stockPicture);

export function typeOf(bytes: Buffer): string {
  if (bytes.subarray(0, 4).toString('latin1') === '\x89PNG') return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'image/jpeg';
  return 'image/svg+xml';
}

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
