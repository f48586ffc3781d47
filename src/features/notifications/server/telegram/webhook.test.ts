import { beforeAll, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { registerUser } from '#tests/support/people.ts';
import { SECRET_KEY, start } from '#tests/support/start.ts';
import { chatWith, generateCode, readStatus } from '#tests/support/telegram.ts';

const BOT = 7201;
const PORT = 21_570;
const URL = `http://127.0.0.1:${PORT}/api/telegram/webhook`;

const s = fileProduct({ env: { TELEGRAM_BOT_TOKEN: `${BOT}:test`, TELEGRAM_WEBHOOK_URL: URL, PORT: String(PORT) } });
beforeAll(async () => {
  await s.product.listen();
  s.product.telegram.work();
});

const update = (id: number, text: string) => ({
  update_id: id,
  message: {
    message_id: 1,
    date: 1,
    chat: { id: 601, type: 'private', first_name: 'A person' },
    from: { id: 601, is_bot: false, first_name: 'A person' },
    text,
    entities: [{ type: 'bot_command', offset: 0, length: 7 }],
  },
});
const post = (body: object, headers = {}) => s.product.app.inject({ method: 'POST', url: URL, payload: body, headers });

test('is registered at startup with a secret; nothing is fetched by polling', async () => {
  await expect.poll(async () => (await chatWith(s, 601, BOT).read()).webhook).toBe(URL);
  expect(s.sandbox.faults.requests('telegram', `/bot${BOT}:*/getUpdates`)).toBe(0);
});

test('401 without the secret or with another one', async () => {
  const ann = await registerUser(s, 'ann', 'pro');
  const body = update(1, `/verify ${await generateCode(ann)}`);
  for (const headers of [{}, { 'x-telegram-bot-api-secret-token': 'guessed' }]) {
    const answer = await post(body, headers);
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'unauthenticated']);
  }
  expect(await readStatus(ann)).toMatchObject({ verified: false, hasValidCode: true });
});

test('200 with the secret: what Telegram posts is handled', async () => {
  const bea = await registerUser(s, 'bea', 'pro');
  const chat = chatWith(s, 602, BOT);
  expect(await chat.sendAndReadReply(`/verify ${await generateCode(bea)}`)).toMatch(/^Connected\./);
  expect((await readStatus(bea)).chatId).toBe(602);
});

test('a duplicate update connects once, and a repeated wrong code counts as one attempt', async () => {
  const cat = await registerUser(s, 'cat', 'pro');
  const chat = chatWith(s, 603, BOT);
  expect(await chat.sendAndReadReply('/verify WRONG234')).toMatch(/^This code is invalid/);
  for (let i = 0; i < 6; i++) await chat.repeat();
  expect(await chat.sendAndReadReply(`/verify ${await generateCode(cat)}`)).toMatch(/^Connected\./);
  await chat.repeat();
  expect((await chat.heard()).slice(-2)).toEqual([
    expect.stringMatching(/^Connected\./),
    expect.stringMatching(/^Connected\./),
  ]);
  expect((await readStatus(cat)).chatId).toBe(603);
});

test('400: an invalid update', async () => {
  const secret = s.product.telegram.webhookSecret ?? '';
  const answer = await post({ hello: 1 }, { 'x-telegram-bot-api-secret-token': secret });
  expect(answer.statusCode).toBe(400);
});

test('the secret from before a key change works as long as that key is known', async () => {
  const secretOf = (process: typeof s.product) => process.telegram.webhookSecret ?? '';
  const other = await start({
    env: {
      TELEGRAM_BOT_TOKEN: `${BOT}:test`,
      TELEGRAM_WEBHOOK_URL: URL,
      SECRET_KEY: 'the key that comes after it, alone',
    },
  });
  const both = await other.another({ SECRET_KEY_PREVIOUS: SECRET_KEY });
  const code = async (process: typeof s.product, secret: string) => {
    const headers = { 'x-telegram-bot-api-secret-token': secret };
    return (await process.app.inject({ method: 'POST', url: URL, payload: update(90, 'hello'), headers })).statusCode;
  };
  expect(secretOf(s.product)).not.toBe(secretOf(both));
  expect(await code(other.product, secretOf(s.product))).toBe(401);
  expect(await code(both, secretOf(s.product))).toBe(200);
  expect(await code(both, secretOf(other.product))).toBe(200);
  await other.stop();
});

test('a new token of the same bot keeps its chats', async () => {
  const dan = await registerUser(s, 'dan', 'pro');
  expect(await chatWith(s, 604, BOT).sendAndReadReply(`/verify ${await generateCode(dan)}`)).toMatch(/^Connected\./);
  const renewed = await s.another({ TELEGRAM_BOT_TOKEN: `${BOT}:renewed` });
  const answer = await renewed.app.inject({
    url: '/api/telegram/status',
    headers: { authorization: `Bearer ${dan.token}` },
  });
  expect(answer.json().status).toMatchObject({ verified: true, chatId: 604 });
});
