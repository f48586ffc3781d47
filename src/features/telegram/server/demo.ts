import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { AppError } from '#server/platform/errors.ts';
import { type Caller, route } from '#server/platform/route.ts';

import { type DemoChat, getDemoChat, writeDemoChat } from '../contract.ts';
import type { TelegramContext } from './context.ts';
import { partsOfHtml } from './html-parts.ts';
import type { Telegram } from './service.ts';

/** Numbers of simulated chats lie above those of accounts, so that nobody takes one for the other. */
const FIRST_CHAT = 7_000_000_000;
/** It answers late while its market is being made. */
const CALL_MS = 15_000;

const said = z.object({
  bot: z.object({ id: z.number(), username: z.string() }),
  blocked: z.boolean(),
  messages: z.array(
    z.object({
      message_id: z.number(),
      date: z.number(),
      text: z.string(),
      markup: z.string().optional(),
      from: z.object({ id: z.number() }),
    }),
  ),
});

/** The simulated Telegram lets people be played at an address of its own. */
async function ask({ bot, config }: TelegramContext, { userId }: Caller, act?: object): Promise<DemoChat> {
  if (!bot) throw new AppError('conflict', 'This installation has no Telegram bot');
  const address = `${config.TELEGRAM_API_BASE_URL}/person/${bot.id}/${FIRST_CHAT + userId}`;
  const init = act ? { method: 'POST', body: JSON.stringify(act) } : {};
  const response = await fetch(address, { ...init, signal: AbortSignal.timeout(CALL_MS) }).catch(() => undefined);
  if (!response?.ok) throw new AppError('unavailable', 'The simulated Telegram does not answer');
  const { bot: user, blocked, messages } = said.parse(await response.json());
  return {
    bot: user.username,
    blocked,
    messages: messages.map(({ message_id: id, date, text, markup, from }) => ({
      id,
      from: from.id === user.id ? 'bot' : 'you',
      text,
      ...(markup === undefined ? {} : { parts: partsOfHtml(markup) }),
      at: new Date(date * 1000).toISOString(),
    })),
  };
}

/** Demo mode only: Telegram without a network. */
export function demoTelegramRoutes(app: FastifyInstance, { ctx }: Telegram): void {
  route(app, getDemoChat, ({ caller }) => ask(ctx, caller));
  route(app, writeDemoChat, ({ caller, body }) => ask(ctx, caller, body));
}
