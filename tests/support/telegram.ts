import { expect } from 'vitest';

import { registerUser, type TestUser, withReauthentication } from './people.ts';
import type { TestProduct } from './start.ts';

export const BOT = 7001;
export const BOT_TOKEN = `${BOT}:test`;

type Message = { from: { id: number }; text: string; markup?: string };
type ChatState = { bot: { id: number }; messages: Message[]; webhook: string | null; commands: { command: string }[] };

/** A chat of the simulated Telegram, for one user. */
export function chatWith(s: TestProduct, chatId: number, bot = BOT) {
  const chatUrl = `${s.sandbox.urls['TELEGRAM_API_BASE_URL']}/person/${bot}/${chatId}`;
  async function fetchChat(body?: object): Promise<ChatState> {
    const response = await fetch(chatUrl, body ? { method: 'POST', body: JSON.stringify(body) } : {});
    return (await response.json()) as ChatState;
  }
  /** Messages of the bot, oldest first. */
  const botMessages = async () =>
    (await fetchChat()).messages.filter(({ from }) => from.id === bot).map(({ text }) => text);
  return {
    id: chatId,
    read: () => fetchChat(),
    heard: botMessages,
    write: (text: string) => fetchChat({ text }),
    block: (silently = false) => fetchChat({ blocked: true, silently }),
    unblock: () => fetchChat({ blocked: false }),
    /** As if the account were deleted. */
    forget: () => fetchChat({ forget: true }),
    repeat: () => fetchChat({ repeat: true }),
    /** Writes a message and waits for the bot's reply. */
    async sendAndReadReply(text: string): Promise<string> {
      const before = (await botMessages()).length;
      await fetchChat({ text });
      await expect.poll(async () => (await botMessages()).length).toBeGreaterThan(before);
      return (await botMessages()).at(before) ?? '';
    },
  };
}

type Status = {
  verified: boolean;
  chatId: number | null;
  hasValidCode: boolean;
  code: string | null;
  deepLink: string | null;
  blocked: boolean;
  [name: string]: unknown;
};

export const readStatus = async (user: TestUser): Promise<Status> =>
  (await user.get('/api/telegram/status')).json<{ status: Status }>().status;

export async function generateCode(user: TestUser): Promise<string> {
  const response = await withReauthentication(user, () => user.post('/api/telegram/generate-code'));
  expect(response.statusCode, response.body).toBe(200);
  return response.json<{ code: string }>().code;
}

/** A Pro user with a connected chat. */
export async function createConnectedUser(s: TestProduct, name: string, chatId: number) {
  const user = await registerUser(s, name, 'pro');
  const chat = chatWith(s, chatId);
  expect(await chat.sendAndReadReply(`/verify ${await generateCode(user)}`)).toMatch(/^Connected\./);
  return { who: user, chat };
}
