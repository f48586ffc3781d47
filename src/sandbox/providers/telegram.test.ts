import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, describe, expect, test } from 'vitest';

import { fileSandbox } from '#tests/support/for-file.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);
const CHAT = { id: 9, type: 'private', first_name: 'A person' };

const sandbox = fileSandbox(NOW);
let bot = 100;
afterEach(() => {
  sandbox.faults.clear();
  bot += 1;
});

type Answer = {
  status: number;
  ok: boolean;
  result?: unknown;
  error_code?: number;
  description?: string;
  parameters?: { retry_after: number };
};

async function post(path: string, body: object): Promise<Answer> {
  const address = `${sandbox.urls['TELEGRAM_API_BASE_URL']}${path}`;
  const response = await fetch(address, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
}
const api = (method: string, body: object = {}, token = `${bot}:token`) => post(`/bot${token}/${method}`, body);
const person = (body: object, chat = 9) => post(`/person/${bot}/${chat}`, body);
const updates = async (body: object = {}) =>
  (await api('getUpdates', body)).result as { update_id: number; [kind: string]: unknown }[];

describe('the Bot API', () => {
  test('holds a poll open until an update arrives; a second poll ends the first with 409', async () => {
    const reading = updates({ timeout: 20 });
    await sleep(50);
    await person({ text: 'hello' });
    expect(await reading).toHaveLength(1);
    const offset = 100_000;
    let first: Answer | undefined;
    const held = api('getUpdates', { timeout: 20, offset }).then((answer) => {
      first = answer;
    });
    await expect
      .poll(async () => {
        await api('getUpdates', { offset });
        return first;
      })
      .toMatchObject({ status: 409, error_code: 409 });
    await held;
  });

  test('403 from a user who stopped the bot, with the update unless it gets lost', async () => {
    await person({ text: 'hello' });
    await person({ blocked: true });
    expect((await updates()).at(-1)?.['my_chat_member']).toMatchObject({
      chat: CHAT,
      old_chat_member: { status: 'member' },
      new_chat_member: { status: 'kicked' },
    });
    expect(await api('sendMessage', { chat_id: 9, text: 'hi' })).toMatchObject({
      status: 403,
      description: 'Forbidden: bot was blocked by the user',
    });
    const count = (await updates()).length;
    await person({ blocked: false, silently: true });
    expect(await updates()).toHaveLength(count);
    expect((await api('sendMessage', { chat_id: 9, text: 'hi' })).status).toBe(200);
    await person({ forget: true });
    expect((await api('sendMessage', { chat_id: 9, text: 'hi' })).status).toBe(400);
  });

  test('429 states the delay in its body', async () => {
    sandbox.faults.set({
      provider: 'telegram',
      path: '/bot*/sendMessage',
      kind: 'rate_limit',
      retryAfter: 12,
      count: 1,
    });
    expect(await api('sendMessage', { chat_id: 9, text: 'hi' })).toEqual({
      status: 429,
      ok: false,
      error_code: 429,
      description: 'Too Many Requests: retry after 12',
      parameters: { retry_after: 12 },
    });
    sandbox.faults.set({ provider: 'telegram', kind: 'server_error', count: 1 });
    expect(await api('getMe')).toMatchObject({ status: 503, ok: false });
  });
});

test('a webhook receives updates with its secret, and ends polling; rejected ones wait', async () => {
  const got: { secret: unknown; body: string }[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      got.push({ secret: request.headers['x-telegram-bot-api-secret-token'], body });
      response.writeHead(status).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  expect((await api('setWebhook', { url: 'http://far.example/hook' })).status).toBe(400);
  await api('setWebhook', { url, secret_token: 'S3cret' });
  await person({ text: 'hello' });
  expect(got).toHaveLength(1);
  expect([got[0]?.secret, JSON.parse(got[0]?.body ?? '')]).toMatchObject(['S3cret', { message: { text: 'hello' } }]);
  expect((await api('getUpdates')).status).toBe(409);
  status = 500;
  await person({ text: 'again' });
  await api('deleteWebhook');
  expect(await updates()).toHaveLength(1);
  await api('setMyCommands', { commands: [{ command: 'help', description: 'x' }] });
  server.close();
});
