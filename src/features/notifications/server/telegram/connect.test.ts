import { sql } from 'kysely';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { accountTopic } from '#features/accounts/contract/auth.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { registerUser } from '#tests/support/people.ts';
import { dumpDatabase } from '#tests/support/rows.ts';
import { BOT_TOKEN, chatWith, createConnectedUser, generateCode, readStatus } from '#tests/support/telegram.ts';

const MINUTE_MS = 60_000;

const s = fileProduct({ env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, PUBLIC_URL: 'https://meridian.example' } });
beforeAll(async () => {
  s.product.telegram.work();
  await vi.waitFor(async () => expect((await chatWith(s, 1).read()).commands).toHaveLength(4), 8_000);
});

const WRONG = 'This code is invalid, expired or already used. Generate a new one in your profile.';

describe('API calls', () => {
  test('200: a code of 8 characters for 10 minutes, with a link that contains it, stored sealed', async () => {
    const ann = await registerUser(s, 'ann', 'pro');
    const answer = await ann.post('/api/telegram/generate-code');
    const { code, expiresAt, deepLink } = answer.json<{ code: string; expiresAt: string; deepLink: string }>();
    expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
    expect(Date.parse(expiresAt) - s.clock.now().getTime()).toBe(10 * MINUTE_MS);
    expect(deepLink).toBe(`https://t.me/MeridianDemoBot?start=${code}`);
    expect(await readStatus(ann)).toEqual({
      verified: false,
      chatId: null,
      hasValidCode: true,
      code,
      expiresAt,
      deepLink,
      blocked: false,
      hasBot: true,
      botUsername: 'MeridianDemoBot',
      simulated: false,
      canConnect: true,
    });
    expect(await dumpDatabase(s)).not.toContain(code);
  });

  test('a code requires a fresh proof; the connected chat is reported by email', async () => {
    const bo = await registerUser(s, 'bo', 'pro');
    s.advance(15 * MINUTE_MS);
    const refused = await bo.post('/api/telegram/generate-code');
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'reauthentication_required']);
    await chatWith(s, 190).sendAndReadReply(`/verify ${await generateCode(bo)}`);
    const mail = (await emailsTo(s, bo.email)).at(-1);
    expect([mail?.kind, mail?.subject]).toEqual(['access-added', 'A Telegram chat was connected']);
    expect(mail?.text).toContain('This was not me');
  });
});

describe('connecting', () => {
  test('by /verify: the code is used up, the status becomes connected, no trace of the code remains', async () => {
    const cat = await registerUser(s, 'cat', 'pro');
    const chat = chatWith(s, 101);
    const code = await generateCode(cat);
    expect(await chat.sendAndReadReply(`/verify ${code}`)).toBe(
      'Connected. This chat is linked to your Meridian account. Choose what you receive at https://meridian.example/app/profile?tab=notifications',
    );
    expect(await readStatus(cat)).toMatchObject({ verified: true, chatId: 101, hasValidCode: false, code: null });
    expect(await chatWith(s, 102).sendAndReadReply(`/verify ${code}`)).toBe(WRONG);
  });

  test('enables its messages, and every open page of the account is notified', async () => {
    const { who } = await createConnectedUser(s, 'cleo', 106);
    const profile = (await who.get('/api/subscription')).json<{ notifications: object }>();
    expect(profile.notifications).toEqual({ email: true, push: false, telegram: true });
    const { rows } = await sql<{ body: string }>`select body from live_frames where topic = ${accountTopic.name}
      and user_id = ${who.id}`.execute(s.product.market.ctx.db);
    expect(rows.map(({ body }) => JSON.parse(body))).toContainEqual({ changed: ['subscription', 'notifications'] });
  });

  test('by the deep link, which sends /start CODE; lowercase letters and dashes are accepted', async () => {
    const dan = await registerUser(s, 'dan', 'pro');
    expect(await chatWith(s, 103).sendAndReadReply(`/start ${await generateCode(dan)}`)).toMatch(/^Connected\./);
    const code = await generateCode(dan);
    expect(
      await chatWith(s, 104).sendAndReadReply(`/verify ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`),
    ).toMatch(/^Connected\./);
  });

  test('an expired code and a replaced one are rejected', async () => {
    const eve = await registerUser(s, 'eve', 'pro');
    const chat = chatWith(s, 105);
    const first = await generateCode(eve);
    const second = await generateCode(eve);
    expect(await chat.sendAndReadReply(`/verify ${first}`)).toBe(WRONG);
    s.advance(10 * MINUTE_MS);
    expect(await chat.sendAndReadReply(`/verify ${second}`)).toBe(WRONG);
    expect(await readStatus(eve)).toMatchObject({ hasValidCode: false, code: null, expiresAt: null });
    const hash = s.product.auth.ctx.secrets.mac('telegram code', second).toString('hex');
    expect(await dumpDatabase(s)).toContain(hash);
    await s.product.scheduler.runManually('telegram.retention', undefined);
    expect(await dumpDatabase(s)).not.toContain(hash);
  });

  test('a chat’s sixth attempt within 10 minutes is rejected, even with the correct code', async () => {
    const fay = await registerUser(s, 'fay', 'pro');
    const chat = chatWith(s, 106);
    const code = await generateCode(fay);
    for (let i = 0; i < 5; i++) expect(await chat.sendAndReadReply(`/verify WRONG${i}XX`)).toBe(WRONG);
    expect(await chat.sendAndReadReply(`/verify ${code}`)).toBe('Too many attempts. Please try again in 10 minutes.');
    expect((await readStatus(fay)).verified).toBe(false);
    s.advance(10 * MINUTE_MS);
    expect(await chat.sendAndReadReply(`/verify ${await generateCode(fay)}`)).toMatch(/^Connected\./);
  });

  test('a second chat replaces the first and notifies it; a chat that changes owner moves', async () => {
    const { who: gil, chat: first } = await createConnectedUser(s, 'gil', 107);
    const second = chatWith(s, 108);
    await second.sendAndReadReply(`/verify ${await generateCode(gil)}`);
    await expect
      .poll(async () => (await first.heard()).at(-1))
      .toBe('Your Meridian account was connected to another chat. This chat no longer receives messages.');
    expect((await readStatus(gil)).chatId).toBe(108);

    const hal = await registerUser(s, 'hal', 'pro');
    await second.sendAndReadReply(`/verify ${await generateCode(hal)}`);
    expect([(await readStatus(gil)).verified, (await readStatus(hal)).chatId]).toEqual([false, 108]);
  });
});

describe('disconnecting', () => {
  test('deletes chat and code, and notifies the chat', async () => {
    const { who, chat } = await createConnectedUser(s, 'jan', 110);
    await generateCode(who);
    expect((await who.post('/api/telegram/disconnect')).json()).toEqual({ success: true });
    expect(await readStatus(who)).toMatchObject({ verified: false, chatId: null, hasValidCode: false, code: null });
    await expect
      .poll(async () => (await chat.heard()).at(-1))
      .toBe('Disconnected. This chat no longer receives messages from your Meridian account.');
  });

  test('deleting an account deletes its chat and its code', async () => {
    const { who, chat } = await createConnectedUser(s, 'kim', 111);
    const code = await generateCode(who);
    expect((await who.remove('/api/auth/delete-account')).statusCode).toBe(200);
    expect(await chat.sendAndReadReply('/status')).toMatch(/^This chat is not connected\./);
    expect(await chat.sendAndReadReply(`/verify ${code}`)).toBe(WRONG);
  });
});

test('/start gives instructions, /help and anything else list the four commands', async () => {
  const chat = chatWith(s, 201);
  expect(await chat.sendAndReadReply('/start')).toContain(
    'open https://meridian.example/app/profile?tab=notifications, generate a verification code and send it here as /verify CODE.',
  );
  const help = await chat.sendAndReadReply('/help');
  for (const command of ['/start', '/verify', '/status', '/help']) expect(help).toContain(command);
  expect(await chat.sendAndReadReply('hello')).toBe(help);
  expect(await chat.sendAndReadReply('/unknown')).toBe(help);
  expect(await chat.sendAndReadReply('/verify')).toBe('Send your code with the command, for example /verify ABCD2345.');
  expect((await chat.read()).commands.map(({ command }) => command)).toEqual(['start', 'verify', 'status', 'help']);
});

test('/status reports whether the chat is connected, and whether the switch is on', async () => {
  expect(await chatWith(s, 202).sendAndReadReply('/status')).toMatch(/^This chat is not connected\./);
  const { who, chat } = await createConnectedUser(s, 'lea', 203);
  expect(await chat.sendAndReadReply('/status')).toBe('This chat is connected and Telegram notifications are on.');
  await who.put('/api/profile', { email: who.email, notifications: { email: true, push: false, telegram: false } });
  expect(await chat.sendAndReadReply('/status')).toContain('Telegram notifications are off');
});

test('a group is rejected, whatever the sender', async () => {
  const bea = await registerUser(s, 'mia', 'pro');
  const group = chatWith(s, -301);
  expect(await group.sendAndReadReply(`/verify ${await generateCode(bea)}`)).toBe(
    'Please message me in a private chat.',
  );
  expect(await readStatus(bea)).toMatchObject({ verified: false, hasValidCode: true });
});

test('stopping the bot disconnects; starting it again connects', async () => {
  const { who, chat } = await createConnectedUser(s, 'noa', 204);
  await chat.block();
  await expect.poll(async () => (await readStatus(who)).verified).toBe(false);
  expect(await readStatus(who)).toMatchObject({ blocked: true, chatId: null });
  await chat.unblock();
  await expect.poll(async () => (await readStatus(who)).verified).toBe(true);
});
