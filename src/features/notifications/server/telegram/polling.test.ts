import { afterEach, expect, test } from 'vitest';

import { registerUser } from '#tests/support/people.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { chatWith, generateCode, readStatus } from '#tests/support/telegram.ts';

let bot = 7100;
let s: TestProduct;
/** A new bot each time, as the simulated Telegram keeps running between tests. */
async function open(env: Record<string, string> = {}): Promise<void> {
  bot += 1;
  s = await start({ env: { TELEGRAM_BOT_TOKEN: `${bot}:test`, ...env } });
}
afterEach(() => s.stop());

const requests = (method: string) => s.sandbox.faults.requests('telegram', `/bot${bot}:*/${method}`);

test('of two processes one reads updates, and the other takes over when it ends', async () => {
  await open();
  const other = await s.another();
  s.product.telegram.work();
  const chat = chatWith(s, 501, bot);
  await chat.sendAndReadReply('/help');
  other.telegram.work();
  for (let i = 0; i < 3; i++) await chat.sendAndReadReply('/help');
  // Each poll ends with a message, and no second poller has interrupted one.
  expect(requests('getUpdates')).toBeLessThanOrEqual(5);
  expect(requests('getMe')).toBe(1);
  await s.product.telegram.stop();
  await chat.sendAndReadReply('/status');
  expect(requests('getMe')).toBe(2);
  expect((await chat.heard()).length).toBe(5);
});

test('Telegram is down at startup: nothing fails, and the bot works once it responds', async () => {
  await open();
  s.sandbox.faults.set({ provider: 'telegram', kind: 'server_error' });
  s.product.telegram.work();
  await expect.poll(() => requests('getMe')).toBeGreaterThan(0);
  expect((await s.get('/api/health')).statusCode).toBe(200);
  const ann = await registerUser(s, 'ann', 'pro');
  expect(await readStatus(ann)).toMatchObject({ hasBot: true, botUsername: null });
  const code = await generateCode(ann);
  expect((await readStatus(ann)).deepLink).toBeNull();
  s.sandbox.faults.clear();
  const chat = chatWith(s, 502, bot);
  expect(await chat.sendAndReadReply(`/verify ${code}`)).toMatch(/^Connected\./);
});

test('messages missed while offline are read later; processed ones are not read again', async () => {
  await open();
  const chat = chatWith(s, 503, bot);
  await chat.write('/help');
  s.product.telegram.work();
  await expect.poll(async () => (await chat.heard()).length).toBe(1);
  const other = await s.another();
  await s.product.telegram.stop();
  other.telegram.work();
  await chat.sendAndReadReply('/status');
  expect((await chat.heard()).length).toBe(2);
});

test('shutdown does not wait for an open long poll', async () => {
  await open();
  s.product.telegram.work();
  await expect.poll(() => requests('getUpdates')).toBe(1);
  const begun = performance.now();
  await s.product.telegram.stop();
  expect(performance.now() - begun).toBeLessThan(1500);
});
