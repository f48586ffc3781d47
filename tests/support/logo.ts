import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 60;
const HEIGHT = 20;

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

const head = Buffer.alloc(13);
head.writeUInt32BE(WIDTH, 0);
head.writeUInt32BE(HEIGHT, 4);
head.set([8, 6], 8);
const pixels = Buffer.alloc(HEIGHT * (1 + 4 * WIDTH), 200);
for (let row = 0; row < HEIGHT; row++) pixels[row * (1 + 4 * WIDTH)] = 0;

/** A transparent grey rectangle of 60 × 20. */
export const PNG: Buffer = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  chunk('IHDR', head),
  chunk('IDAT', deflateSync(pixels)),
  chunk('IEND', Buffer.alloc(0)),
]);

const from = (base64: string) => Buffer.from(base64, 'base64');

/** The smallest images of two pixels a side, as encoded by a browser. */
export const TINY_PNG = from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAADUlEQVR4AWJigAI4AwAAAP//Y0HangAAAAZJREFUAwAASAAFuIFDmQAAAABJRU5ErkJggg==',
);
export const JPEG = from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAACAAIDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AIgAf//Z',
);
export const GIF = from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');
export const WEBP = from(
  'UklGRkQAAABXRUJQVlA4WAoAAAAQAAAAAQAAAQAAQUxQSAUAAAAAAAAAAABWUDggGAAAADABAJ0BKgIAAgAHQJYlpAADcAD+77kAAA==',
);
