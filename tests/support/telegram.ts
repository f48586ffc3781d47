import { expect } from 'vitest';

import { type Person, person, withReauthentication } from './people.ts';
import type { Started } from './start.ts';

export const BOT = 7001;
export const BOT_TOKEN = `${BOT}:test`;

type Message = { from: { id: number }; text: string; markup?: string };
type Seen = { bot: { id: number }; messages: Message[]; webhook: string | null; commands: { command: string }[] };

/** A chat of the simulated Telegram, for one user. */
export function chatWith(s: Started, chatId: number, bot = BOT) {
  const address = `${s.sandbox.urls['TELEGRAM_API_BASE_URL']}/person/${bot}/${chatId}`;
  async function act(body?: object): Promise<Seen> {
    const response = await fetch(address, body ? { method: 'POST', body: JSON.stringify(body) } : {});
    return (await response.json()) as Seen;
  }
  /** Messages of the bot, oldest first. */
  const heard = async () => (await act()).messages.filter(({ from }) => from.id === bot).map(({ text }) => text);
  return {
    id: chatId,
    see: () => act(),
    heard,
    write: (text: string) => act({ text }),
    block: (silently = false) => act({ blocked: true, silently }),
    unblock: () => act({ blocked: false }),
    /** As if the account were deleted. */
    forget: () => act({ forget: true }),
    repeat: () => act({ repeat: true }),
    /** Writes a message and waits for the bot's reply. */
    async ask(text: string): Promise<string> {
      const before = (await heard()).length;
      await act({ text });
      await expect.poll(async () => (await heard()).length).toBeGreaterThan(before);
      return (await heard()).at(before) ?? '';
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

export const statusOf = async (who: Person): Promise<Status> =>
  (await who.get('/api/telegram/status')).json<{ status: Status }>().status;

export async function codeFor(who: Person): Promise<string> {
  const answer = await withReauthentication(who, () => who.post('/api/telegram/generate-code'));
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ code: string }>().code;
}

/** A Pro user with a connected chat. */
export async function connectedPerson(s: Started, name: string, chatId: number) {
  const who = await person(s, name, 'pro');
  const chat = chatWith(s, chatId);
  expect(await chat.ask(`/verify ${await codeFor(who)}`)).toMatch(/^Connected\./);
  return { who, chat };
}
