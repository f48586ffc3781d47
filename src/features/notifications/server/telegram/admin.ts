import type { FastifyInstance } from 'fastify';
import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import {
  cancelBroadcast,
  getBotAudience,
  getBotState,
  getBotWebhook,
  listBotChats,
  listBotCommands,
  listBroadcasts,
  registerBotWebhook,
  sendBroadcast,
  testBroadcast,
} from '#features/notifications/contract/telegram.ts';
import { AppError } from '#kernel/errors.ts';
import { type Caller, route } from '#kernel/route.ts';
import { isGone, retryAfterOf, told } from './api.ts';
import * as broadcasts from './broadcasts.ts';
import { getBot } from './broadcasts.ts';
import type { TelegramContext } from './context.ts';
import * as overseeing from './overseeing.ts';
import type { Telegram } from './service.ts';
import { findChatOfUser, markBlocked, takeTurn } from './store/chats.ts';
import { countAttempt } from './store/codes.ts';
import { announcementOf } from './words.ts';

const TESTS_AN_HOUR = 20;
const HOUR_SECONDS = 3600;
const CALL_MS = 8_000;

/** Sends the announcement to the caller's own chat at once, in its turn. */
async function sendTest(ctx: TelegramContext, { userId }: Caller, text: string): Promise<void> {
  const { db } = ctx;
  const bot = getBot(ctx);
  const chat = await findChatOfUser(db, bot.id, userId);
  if (!chat || chat.isBlocked) throw new AppError('conflict', 'Connect your own chat first to receive the test');
  const now = ctx.now();
  const key = `tests of ${userId}`;
  const { hits, resetsAt } = await countAttempt(db, { key, windowSeconds: HOUR_SECONDS, now, updateId: null });
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1000));
  if (hits > TESTS_AN_HOUR)
    throw new AppError('rate_limited', `Limit reached: ${TESTS_AN_HOUR} tests per hour`, { retryAfterSeconds });
  const turn = await takeTurn(db, { botId: bot.id, userId, now, mostMs: 0 });
  if (!turn || turn.waitMs > 0)
    throw new AppError('rate_limited', 'Telegram allows one message per second per chat. Try again in a moment.', {
      retryAfterSeconds: 1,
    });
  try {
    await bot.api.send(turn.chatId, announcementOf(text), 'html', AbortSignal.timeout(CALL_MS));
  } catch (error) {
    if (isGone(error)) {
      await markBlocked(db, bot.id, turn.chatId, ctx.now());
      throw new AppError('conflict', 'You have blocked the bot. Unblock it in Telegram and try again.');
    }
    const waitSeconds = retryAfterOf(error);
    if (waitSeconds === undefined) throw new AppError('unavailable', told(error));
    throw new AppError('rate_limited', `Telegram rate limit: try again in ${waitSeconds} s`, {
      retryAfterSeconds: waitSeconds,
    });
  }
}

/** The bot in the hands of an administrator. */
export function telegramAdminRoutes(app: FastifyInstance, { ctx, webhookSecret }: Telegram, auth: AuthContext): void {
  route(app, getBotState, async () => ({
    bot: await overseeing.readState(ctx),
    lastHour: await overseeing.readLastHour(ctx),
  }));
  route(app, getBotWebhook, () => overseeing.readWebhook(ctx));
  route(app, registerBotWebhook, ({ caller }) => overseeing.registerWebhook(ctx, webhookSecret ?? '', caller));
  route(app, listBotChats, ({ query }) => overseeing.listChats(ctx, query));
  route(app, listBotCommands, () => overseeing.listCommands(ctx));
  route(app, getBotAudience, () => broadcasts.readAudience(ctx));
  route(app, testBroadcast, async ({ caller, body }) => {
    await sendTest(ctx, caller, body.text);
    return { success: true as const };
  });
  route(app, sendBroadcast, ({ caller, body }) => broadcasts.sendBroadcast({ ...ctx, auth }, caller, body));
  route(app, listBroadcasts, ({ query }) => broadcasts.listBroadcasts(ctx, query.before));
  route(app, cancelBroadcast, ({ caller, params }) => broadcasts.cancelBroadcast(ctx, caller, params.id));
}
