import { afterAll, beforeAll, expect, test } from 'vitest';

import { person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';
import { BOT_TOKEN, chatWith, codeFor, connectedPerson, statusOf } from '#tests/support/telegram.ts';

let s: Started;
beforeAll(async () => {
  s = await start({ env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, PUBLIC_URL: 'https://meridian.example' } });
  s.product.telegram.work();
});
afterAll(() => s.stop());

test('/start says what to do, /help and anything else name the four commands', async () => {
  const chat = chatWith(s, 201);
  expect(await chat.ask('/start')).toContain(
    'open https://meridian.example/app/profile?tab=notifications, generate a verification code and send it here as /verify CODE.',
  );
  const help = await chat.ask('/help');
  for (const command of ['/start', '/verify', '/status', '/help']) expect(help).toContain(command);
  expect(await chat.ask('hello')).toBe(help);
  expect(await chat.ask('/unknown')).toBe(help);
  expect(await chat.ask('/verify')).toBe('Please send your code along, as /verify ABCD2345.');
  expect((await chat.see()).commands.map(({ command }) => command)).toEqual(['start', 'verify', 'status', 'help']);
});

test('/status says whether the chat is connected, and whether the switch is on', async () => {
  expect(await chatWith(s, 202).ask('/status')).toMatch(/^This chat is not connected\./);
  const { who, chat } = await connectedPerson(s, 'ann', 203);
  expect(await chat.ask('/status')).toBe('This chat is connected. Telegram notifications are switched on.');
  await who.put('/api/profile', { email: who.email, notifications: { email: true, push: false, telegram: false } });
  expect(await chat.ask('/status')).toContain('Telegram notifications are switched off');
});

test('a group is refused, whoever writes in it', async () => {
  const bea = await person(s, 'bea', 'pro');
  const group = chatWith(s, -301);
  expect(await group.ask(`/verify ${await codeFor(bea)}`)).toBe('Please write to me in a private chat.');
  expect(await statusOf(bea)).toMatchObject({ verified: false, hasValidCode: true });
});

test('who stops the bot is no longer connected; starting it again connects', async () => {
  const { who, chat } = await connectedPerson(s, 'cat', 204);
  await chat.block();
  await expect.poll(async () => (await statusOf(who)).verified).toBe(false);
  expect(await statusOf(who)).toMatchObject({ blocked: true, chatId: null });
  await chat.unblock();
  await expect.poll(async () => (await statusOf(who)).verified).toBe(true);
});
