import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type DemoChat, getDemoChat, writeDemoChat } from '#features/notifications/contract/telegram.ts';
import { AppError } from '#kernel/errors.ts';
import { type Caller, route } from '#kernel/route.ts';
import type { ChatPart } from '#shared/chat-text.ts';
import type { TelegramContext } from './context.ts';
import type { Telegram } from './service.ts';

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
const plain = (html: string) => html.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);

/** The parts of our own bot's message as shown; bold, italic and links are never nested in it. */
function parseHtmlParts(html: string): ChatPart[] {
  const parts: ChatPart[] = [];
  let from = 0;
  for (const { index, 0: whole, 1: tag, 2: href, 3: inside = '' } of html.matchAll(
    /<(a|b|i)(?: href="([^"]*)")?>([^<]*)<\/\1>/g,
  )) {
    if (index > from) parts.push({ text: plain(html.slice(from, index)) });
    from = index + whole.length;
    const text = plain(inside);
    if (tag === 'a') parts.push({ text, href: plain(href ?? '') });
    else parts.push({ text, style: tag === 'b' ? 'bold' : 'italic' });
  }
  if (from < html.length) parts.push({ text: plain(html.slice(from)) });
  return parts;
}

/** Ids of simulated chats are above those of accounts, so that they cannot be confused. */
const FIRST_CHAT = 7_000_000_000;
/** It responds late while the simulated market is being built. */
const CALL_MS = 15_000;

const replySchema = z.object({
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

/** The simulated Telegram has its own endpoint for acting as a user. */
async function ask({ bot, config }: TelegramContext, { userId }: Caller, act?: object): Promise<DemoChat> {
  if (!bot) throw new AppError('conflict', 'No Telegram bot is configured');
  const address = `${config.TELEGRAM_API_BASE_URL}/person/${bot.id}/${FIRST_CHAT + userId}`;
  const init = act ? { method: 'POST', body: JSON.stringify(act) } : {};
  const response = await fetch(address, { ...init, signal: AbortSignal.timeout(CALL_MS) }).catch(() => undefined);
  if (!response?.ok) throw new AppError('unavailable', 'The simulated Telegram is not responding');
  const { bot: user, blocked, messages } = replySchema.parse(await response.json());
  return {
    bot: user.username,
    blocked,
    messages: messages.map(({ message_id: id, date, text, markup, from }) => ({
      id,
      from: from.id === user.id ? 'bot' : 'you',
      text,
      ...(markup === undefined ? {} : { parts: parseHtmlParts(markup) }),
      at: new Date(date * 1000).toISOString(),
    })),
  };
}

/** Demo mode only: Telegram without a network. */
export function demoTelegramRoutes(app: FastifyInstance, { ctx }: Telegram): void {
  route(app, getDemoChat, ({ caller }) => ask(ctx, caller));
  route(app, writeDemoChat, ({ caller, body }) => ask(ctx, caller, body));
}
