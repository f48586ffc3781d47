import type { Channel, Delivery, Outcome } from '#features/notifications/server/channel.ts';
import { wait } from '#server/platform/clock.ts';

import { isGone, outcomeOf, retryAfterOf, told } from './api.ts';
import type { TelegramContext } from './context.ts';
import { markBlocked, reachableUsers, takeTurn } from './store/chats.ts';
import { messageOf } from './words.ts';

/** Telegram allows a bot about thirty a second, and one a second to the same chat. */
const PER_SECOND = 28;
const BATCH = 50;
/** A chat whose turn is later than this does not hold up its batch. */
const MOST_WAIT_MS = 3_000;

const GONE: Outcome = { state: 'dropped', note: 'No Telegram chat is connected' };
const STOPPED: Outcome = { state: 'later', note: 'Stopped before it was sent', afterMs: 0 };

/** Brings notices to the chats that people have connected. */
export function telegramChannel(ctx: TelegramContext): Channel {
  const { db, bot, now, report, publicUrl } = ctx;
  let pausedUntil = 0;

  async function deliver({ userId, notice }: Delivery, signal: AbortSignal): Promise<Outcome> {
    if (!bot) return GONE;
    const pauseMs = pausedUntil - now().getTime();
    if (pauseMs > 0) return { state: 'later', note: 'Telegram asked to wait', afterMs: pauseMs };
    if (signal.aborted) return STOPPED;
    const turn = await takeTurn(db, { botId: bot.id, userId, now: now(), mostMs: MOST_WAIT_MS });
    if (!turn) return GONE;
    if (turn.waitMs > MOST_WAIT_MS)
      return { state: 'later', note: 'Waits for its turn: a chat takes one message a second', afterMs: turn.waitMs };
    await wait(turn.waitMs, signal);
    if (signal.aborted) return STOPPED;
    try {
      await bot.api.send(turn.chatId, messageOf(notice, publicUrl(), now()), 'html', signal);
      return { state: 'sent' };
    } catch (error) {
      const waitSeconds = retryAfterOf(error);
      if (waitSeconds !== undefined) pausedUntil = now().getTime() + waitSeconds * 1000;
      if (isGone(error)) await markBlocked(db, bot.id, turn.chatId, now());
      return outcomeOf(error);
    }
  }

  async function settled(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    try {
      return await deliver(delivery, signal);
    } catch (error) {
      report('telegram', 'system', 'A message to Telegram could not be sent', told(error));
      return { state: 'later', note: 'Something failed on our side' };
    }
  }

  return {
    name: 'telegram',
    reach: reachableUsers(bot?.id ?? null),
    perSecond: PER_SECOND,
    announces: true,
    batch: BATCH,
    async send(deliveries, signal) {
      const outcomes = new Map<number, Outcome>();
      const inTurn = async (of: readonly Delivery[]) => {
        for (const delivery of of) outcomes.set(delivery.id, await settled(delivery, signal));
      };
      await Promise.all([...Map.groupBy(deliveries, ({ userId }) => userId).values()].map(inTurn));
      return deliveries.map(({ id }) => outcomes.get(id) ?? STOPPED);
    },
  };
}
