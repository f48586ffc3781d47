import { afterAll, beforeAll, expect, test } from 'vitest';

import { give, type Person, person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';
import { BOT_TOKEN, connectedPerson } from '#tests/support/telegram.ts';

const PATH = '/api/admin/telegram/test';
const SEND = { provider: 'telegram', path: '/bot*/sendMessage' } as const;

let s: Started;
let admin: Person;
beforeAll(async () => {
  s = await start({ env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN } });
  s.product.telegram.work();
  admin = await person(s, 'admin', 'admin');
});
afterAll(() => s.stop());

test('a test goes to the own chat alone, and says why it cannot', async () => {
  const none = await admin.post(PATH, { text: 'A test' });
  expect([none.statusCode, none.json().error]).toEqual([409, 'Connect your own chat first: the test goes there']);
  const { chat } = await connectedPerson(s, 'ann', 901);
  const boss = await connectedPerson(s, 'boss', 905);
  await give(s, boss.who.id, 'admin');
  // An administrator belongs to everybody and to no plan.
  expect((await admin.get('/api/admin/telegram/audience')).json()).toMatchObject({
    people: { all: 2, free: 0, pro: 1, premium: 0 },
  });
  expect((await boss.who.post(PATH, { text: '_A test_' })).json()).toEqual({ success: true });
  expect((await boss.chat.heard()).at(-1)).toMatch(/^A test\n\nAnnouncement\./);
  expect((await chat.heard()).at(-1)).toMatch(/^Connected\./);
  expect((await boss.who.post(PATH, { text: 'At once' })).json().error).toBe('A chat takes one message a second');
  s.advance(2000);
  s.sandbox.faults.set({ ...SEND, kind: 'rate_limit', retryAfter: 7, count: 1 });
  const limited = await boss.who.post(PATH, { text: 'Limited' });
  expect([limited.statusCode, limited.json().error]).toEqual([429, 'Telegram asks to wait 7 s']);
  s.advance(8000);
  await boss.chat.block(true);
  expect((await boss.who.post(PATH, { text: 'Blocked' })).json().error).toBe(
    'Your chat no longer takes messages from the bot',
  );
});

test('429 after twenty tests an hour', async () => {
  const many = await connectedPerson(s, 'many', 906);
  await give(s, many.who.id, 'admin');
  for (let count = 0; count < 20; count++) {
    s.advance(1500);
    expect((await many.who.post(PATH, { text: `Test ${count}` })).statusCode).toBe(200);
  }
  s.advance(1500);
  const answer = await many.who.post(PATH, { text: 'One too many' });
  expect([answer.statusCode, answer.json().error]).toEqual([429, 'At most 20 tests an hour']);
});
