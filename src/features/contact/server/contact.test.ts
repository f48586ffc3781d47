import { beforeEach, describe, expect, test } from 'vitest';

import { BRAND } from '#shared/brand.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { GIF, JPEG, PNG, WEBP } from '#tests/support/logo.ts';
import {
  CONTACT_MESSAGE,
  contactPage,
  type FormFields,
  imageBlob,
  refusal,
  statusAndError,
} from '#tests/support/mailbox.ts';

const ADMIN = { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'An-admin-of-tests-1' };
const HOUR_MS = 3_600_000;

const s = fileProduct({ env: ADMIN });
const page = contactPage(s);
beforeEach(() => page.switchNetwork());

describe('POST /api/contact', () => {
  test('200: the message is stored, support is notified and the sender gets a receipt', async () => {
    const response = await page.send(await page.solvedForm());
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ success: true });
    expect((await page.rows()).at(-1)).toMatchObject({
      ...CONTACT_MESSAGE,
      user_id: null,
      screenshot: null,
      status: 'new',
    });
    expect(await page.mails('contact')).toEqual([{ address: BRAND.supportEmail, subject: 'Message: A wrong number' }]);
    expect(await page.mails('contact-received')).toEqual([
      { address: 'ann@example.com', subject: 'We received your message' },
    ]);
  });

  test('errors are reported in field order, and nothing is stored', async () => {
    const before = (await page.rows()).length;
    const letter: FormFields = { captchaAnswer: '', challenge: '' };
    const steps: [field: string, value: string, error: string][] = [
      ['name', '  ', 'Name is required'],
      ['name', 'Ann', 'Email is required'],
      ['email', 'ann', 'Please enter a valid email address'],
      ['email', 'ann@example.com', 'Subject is required'],
      ['subject', 'A wrong number', 'Message is required'],
      ['message', 'Too short', 'Message must be at least 10 characters long'],
      ['message', 'Ten chars.', 'Incorrect captcha answer'],
    ];
    for (const [field, value, error] of steps) {
      letter[field] = value;
      expect(statusAndError(await page.send({ ...letter, screenshot: imageBlob(Buffer.from('<svg/>')) }))).toEqual(
        refusal(error),
      );
    }
    expect((await page.rows()).length).toBe(before);
  });

  test.each([
    ['name', 101, 'Name can have at most 100 characters'],
    ['subject', 201, 'Subject can have at most 200 characters'],
    ['message', 10_001, 'Message can have at most 10,000 characters'],
  ])('rejects %s of %i characters', async (field, length, error) => {
    expect(statusAndError(await page.send(await page.solvedForm({ [field]: 'x'.repeat(length) })))).toEqual(
      refusal(error),
    );
  });

  test('JSON is not a form', async () => {
    const response = await s.product.app.inject({
      method: 'POST',
      url: '/api/contact',
      ...page.from(),
      payload: { ...CONTACT_MESSAGE },
    });
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([400, 'bad_request']);
  });

  test('a truncated form, and one with a hundred fields, are rejected with a message', async () => {
    const torn = await s.product.app.inject({
      method: 'POST',
      url: '/api/contact',
      ...page.from(),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nAn',
    });
    expect(statusAndError(torn).status).toBe(400);
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, 'x']));
    expect(statusAndError(await page.send(fields))).toEqual(refusal('The message has too many form fields', 413));
  });

  test('line breaks stay as typed, and a subject is one line', async () => {
    const message = `${'x'.repeat(9_000)}\n${'\n'.repeat(999)}`.slice(0, 9_500);
    expect((await page.send(await page.solvedForm({ message, subject: 'A\n  B' }))).statusCode).toBe(200);
    expect((await page.rows()).at(-1)).toMatchObject({ subject: 'A B', message: message.trim() });
    const lines = 'one line\nand another';
    await page.send(await page.solvedForm({ message: lines }));
    expect((await page.rows()).at(-1)?.message).toBe(lines);
  });

  test('signed in, the message names the account', async () => {
    const { token } = await signIn();
    await page.send(await page.solvedForm(), { authorization: `Bearer ${token}` });
    expect((await page.rows()).at(-1)?.user_id).not.toBeNull();
  });

  test('a filled honeypot field makes it spam: it is stored without notification', async () => {
    const before = (await page.mails('contact')).length;
    expect((await page.send(await page.solvedForm({ website: 'https://x.example' }))).statusCode).toBe(200);
    expect((await page.rows()).at(-1)?.status).toBe('spam');
    expect((await page.mails('contact')).length).toBe(before);
  });

  test('an address is notified at most three times an hour, however many messages it sends', async () => {
    for (let n = 0; n < 4; n++) await page.send(await page.solvedForm({ email: 'bob@example.com' }));
    const to = (await page.mails('contact-received')).filter(({ address }) => address === 'bob@example.com');
    expect(to).toHaveLength(3);
  });

  test('five messages per hour per network; the sixth is delayed', async () => {
    for (let n = 0; n < 5; n++) expect((await page.send(await page.solvedForm())).statusCode).toBe(200);
    const sixth = await page.send(await page.solvedForm());
    expect(statusAndError(sixth)).toEqual(refusal('Too many attempts. Please try again later.', 429));
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0);
    s.advance(HOUR_MS);
    expect((await page.send(await page.solvedForm())).statusCode).toBe(200);
  });
});

describe('the captcha', () => {
  test('two numbers from 1 to 10 and plus, minus or times', async () => {
    const sums = await Promise.all(Array.from({ length: 60 }, page.newSum));
    expect(new Set(sums.map(({ operator }) => operator))).toEqual(new Set(['+', '-', '×']));
    for (const { a, b } of sums) expect([a, b].every((n) => Number.isInteger(n) && n >= 1 && n <= 10)).toBe(true);
  });

  const wrong = refusal('Incorrect captcha answer');

  test('a wrong answer invalidates the question: the right one is then too late', async () => {
    const letter = await page.solvedForm();
    expect(statusAndError(await page.send({ ...letter, captchaAnswer: '999' }))).toEqual(wrong);
    expect(statusAndError(await page.send(letter))).toEqual(wrong);
  });

  test('sixty attempts per hour per network; the next is delayed', async () => {
    const letter = await page.solvedForm({ captchaAnswer: '999' });
    const attempts = await Promise.all(Array.from({ length: 60 }, () => page.send(letter)));
    expect(new Set(attempts.map(({ statusCode }) => statusCode))).toEqual(new Set([400]));
    expect((await page.send(letter)).statusCode).toBe(429);
  });

  test('the question expires after ten minutes', async () => {
    const letter = await page.solvedForm();
    s.advance(600_000);
    expect(statusAndError(await page.send(letter))).toEqual(wrong);
  });

  test.each([
    ['another seal', (challenge: string) => `${challenge.slice(0, -43)}${'A'.repeat(43)}`],
    ['a later end', (challenge: string) => challenge.replace(/\.\d{13}\./, '.9999999999999.')],
    ['another id', (challenge: string) => `${'A'.repeat(16)}${challenge.slice(16)}`],
    ['nothing', () => ''],
  ])('rejects %s', async (_, change) => {
    const letter = await page.solvedForm();
    expect(statusAndError(await page.send({ ...letter, challenge: change(letter['challenge'] as string) }))).toEqual(
      wrong,
    );
  });

  test('a rejected screenshot leaves the question valid', async () => {
    const letter = await page.solvedForm();
    expect(
      statusAndError(await page.send({ ...letter, screenshot: imageBlob(Buffer.from('no picture')) })).status,
    ).toBe(400);
    expect((await page.send(letter)).statusCode).toBe(200);
  });
});

describe('the screenshot', () => {
  test.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/gif', GIF],
    ['image/webp', WEBP],
  ])('%s is stored byte for byte, by its content and not its name', async (type, bytes) => {
    expect((await page.send(await page.solvedForm({ screenshot: imageBlob(bytes, 'text/html') }))).statusCode).toBe(
      200,
    );
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
  ])('rejects %s', async (_, bytes) => {
    expect(statusAndError(await page.send(await page.solvedForm({ screenshot: imageBlob(bytes) })))).toEqual(noImage);
  });

  test('accepts 5,242,880 bytes but not one more', async () => {
    const comment = (size: number) => {
      // Private PNG chunks may contain anything.
      const data = Buffer.alloc(size - PNG.length - 12);
      const head = Buffer.alloc(8);
      head.writeUInt32BE(data.length);
      head.write('prVt', 4, 'latin1');
      return Buffer.concat([PNG.subarray(0, -12), head, data, Buffer.alloc(4), PNG.subarray(-12)]);
    };
    expect((await page.send(await page.solvedForm({ screenshot: imageBlob(comment(5_242_880)) }))).statusCode).toBe(
      200,
    );
    const large = await page.send(await page.solvedForm({ screenshot: imageBlob(comment(5_242_881)) }));
    expect(statusAndError(large)).toEqual(refusal('File size must be less than 5MB', 413));
  });
});

async function signIn() {
  const credentials = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD };
  const response = await s.product.app.inject({ method: 'POST', url: '/api/auth/login', payload: credentials });
  return response.json<{ token: string }>();
}
