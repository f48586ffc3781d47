import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { contactPage, picture, refusal, told } from '#tests/support/letters.ts';
import { GIF, JPEG, PNG, WEBP } from '#tests/support/pictures.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
let page: ReturnType<typeof contactPage>;
beforeAll(async () => {
  s = await start();
  page = contactPage(s);
});
afterAll(() => s.stop());
beforeEach(() => page.moveOn());

describe('the screenshot', () => {
  test.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/gif', GIF],
    ['image/webp', WEBP],
  ])('%s is kept byte for byte, by what it holds and not by what it is called', async (type, bytes) => {
    expect((await page.send(await page.answered({ screenshot: picture(bytes, 'text/html') }))).statusCode).toBe(200);
    expect((await page.rows()).at(-1)).toMatchObject({ screenshot: bytes, screenshot_type: type });
  });

  const noImage = refusal('Please select a valid image file (JPEG, PNG, GIF, or WebP)');
  const HTML = Buffer.from('<script>alert(1)</script>');
  test.each([
    ['a page that says it is a picture', HTML],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a PNG with a page behind it', Buffer.concat([PNG, HTML])],
    ['a JPEG with a page behind it', Buffer.concat([JPEG, HTML])],
    ['a GIF with a page behind it', Buffer.concat([GIF, HTML])],
    ['a WebP with a page behind it', Buffer.concat([WEBP, HTML])],
    ['a PNG that breaks off', PNG.subarray(0, -6)],
    ['a GIF that breaks off', GIF.subarray(0, -2)],
    ['the head of a PNG alone', PNG.subarray(0, 8)],
    ['an empty file', Buffer.alloc(0)],
  ])('%s is refused', async (_, bytes) => {
    expect(told(await page.send(await page.answered({ screenshot: picture(bytes) })))).toEqual(noImage);
  });

  test('5,242,880 bytes are taken, one more is not', async () => {
    const comment = (size: number) => {
      // Private chunks of a PNG may hold anything.
      const data = Buffer.alloc(size - PNG.length - 12);
      const head = Buffer.alloc(8);
      head.writeUInt32BE(data.length);
      head.write('prVt', 4, 'latin1');
      return Buffer.concat([PNG.subarray(0, -12), head, data, Buffer.alloc(4), PNG.subarray(-12)]);
    };
    expect((await page.send(await page.answered({ screenshot: picture(comment(5_242_880)) }))).statusCode).toBe(200);
    const large = await page.send(await page.answered({ screenshot: picture(comment(5_242_881)) }));
    expect(told(large)).toEqual(refusal('File size must be less than 5MB', 413));
  });
});
