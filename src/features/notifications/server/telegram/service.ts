import { timingSafeEqual } from 'node:crypto';
import type { Update } from 'grammy/types';
import type { Channel, Delivery, Outcome } from '#features/notifications/server/notifications/channel.ts';
import { wait } from '#kernel/clock.ts';
import type { Connection } from '#kernel/db.ts';
import { runForLeader } from '#kernel/leader.ts';
import type { Log } from '#kernel/log.ts';
import type { Caller } from '#kernel/route.ts';

import { errorText, isGone, openApi, readRetryAfter, toOutcome } from './api.ts';
import { createBot, type HandleUpdate } from './bot.ts';
import { disconnect } from './connection.ts';
import { BOT_LOCK, botToken, type TelegramContext, webhookUrl } from './context.ts';
import { formatMessage, SAYS } from './format.ts';
import { maintain } from './poller.ts';
import { findBot, saveActivity, saveBot } from './store/bots.ts';
import { markBlocked, reachableUsers, reserveSlot } from './store/chats.ts';

/** Telegram allows a bot about thirty messages per second, and one per second to the same chat. */
const PER_SECOND = 28;
const BATCH = 50;
/** A chat with a slot later than this does not hold up its batch. */
const MOST_WAIT_MS = 3_000;

const GONE: Outcome = { state: 'dropped', note: 'No Telegram chat is connected' };
const STOPPED: Outcome = { state: 'later', note: 'Stopped before it was sent', afterMs: 0 };

/** Sends notices to connected chats. */
function telegramChannel(ctx: TelegramContext): Channel {
  const { db, bot, now, report, publicUrl } = ctx;
  let pausedUntil = 0;

  async function deliver({ userId, notice }: Delivery, signal: AbortSignal): Promise<Outcome> {
    if (!bot) return GONE;
    const pauseMs = pausedUntil - now().getTime();
    if (pauseMs > 0) return { state: 'later', note: 'Telegram rate limit', afterMs: pauseMs };
    if (signal.aborted) return STOPPED;
    const turn = await reserveSlot(db, { botId: bot.id, userId, now: now(), mostMs: MOST_WAIT_MS });
    if (!turn) return GONE;
    if (turn.waitMs > MOST_WAIT_MS)
      return { state: 'later', note: 'Queued: one message per second per chat', afterMs: turn.waitMs };
    await wait(turn.waitMs, signal);
    if (signal.aborted) return STOPPED;
    try {
      await bot.api.send(turn.chatId, formatMessage(notice, publicUrl(), now()), 'html', signal);
      return { state: 'sent' };
    } catch (error) {
      const waitSeconds = readRetryAfter(error);
      if (waitSeconds !== undefined) pausedUntil = now().getTime() + waitSeconds * 1000;
      if (isGone(error)) await markBlocked(db, bot.id, turn.chatId, now());
      return toOutcome(error);
    }
  }

  async function settled(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    try {
      return await deliver(delivery, signal);
    } catch (error) {
      report('telegram', 'system', 'Failed to send a Telegram message', errorText(error));
      return { state: 'later', note: 'Internal error' };
    }
  }

  return {
    name: 'telegram',
    reach: reachableUsers(bot?.id ?? null),
    perSecond: PER_SECOND,
    carriesAnnouncements: true,
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

const GRACE_MS = 4_000;

function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export type Telegram = {
  ctx: TelegramContext;
  channel: Channel;
  /** The secret Telegram sends with each webhook call; null when there is no webhook. */
  webhookSecret: string | null;
  /** Also accepts secrets registered before a rotation of the secret key. */
  isWebhookSecret: (given: string) => boolean;
  /** Handles one update received by the webhook. */
  handle: (update: Update) => Promise<void>;
  /** The chat is notified after the response. */
  disconnect: (caller: Caller) => Promise<void>;
  /** Runs the bot in the one process that holds its lock. Only workers call it. */
  work: () => void;
  stop: () => Promise<void>;
};

type Deps = Omit<TelegramContext, 'bot'> & { direct: Connection; log: Log };

/** The bot of one process: without a token it makes no requests. */
export function createTelegram({ direct, log, ...deps }: Deps): Telegram {
  const token = botToken(deps);
  const bot = token
    ? { id: Number(token.split(':')[0]), token, api: openApi(token, deps.config.TELEGRAM_API_BASE_URL) }
    : null;
  const ctx: TelegramContext = { ...deps, bot };
  const { db, now, report, secrets } = ctx;
  const ending = new AbortController();
  const pending = new Set<Promise<unknown>>();
  const webhookSecrets = () =>
    bot ? secrets.macs('telegram webhook', String(bot.id)).map((mac) => mac.toString('hex')) : [];
  const [secret = ''] = webhookSecrets();
  let handling: Promise<HandleUpdate> | null = null;
  let leadership: ReturnType<typeof runForLeader> | null = null;

  async function openBot(access: NonNullable<typeof bot>): Promise<HandleUpdate> {
    const known = await findBot(db, access.id);
    if (known) return createBot(ctx, access, known.username, ending.signal);
    const username = await access.api.getUsername(ending.signal);
    await saveBot(db, access.id, username, now());
    return createBot(ctx, access, username, ending.signal);
  }

  /** The bot's name is fetched once; after a failure the next update retries. */
  async function handle(update: Update): Promise<void> {
    if (!bot) return;
    handling ??= openBot(bot).catch((error: unknown) => {
      handling = null;
      throw error;
    });
    await (await handling)(update);
    await saveActivity(db, bot.id, { heardAt: now().toISOString() });
  }

  const afterwards = (work: Promise<unknown>) => {
    const running = work
      .catch((error: unknown) =>
        report('telegram', 'api_failure', 'The Telegram bot could not reply', errorText(error)),
      )
      .finally(() => pending.delete(running));
    pending.add(running);
  };

  return {
    ctx,
    channel: telegramChannel(ctx),
    webhookSecret: bot && webhookUrl(ctx) ? secret : null,
    isWebhookSecret: (given) => webhookSecrets().some((each) => isSame(given, each)),
    handle,
    async disconnect(caller) {
      const connection = await disconnect(ctx, caller);
      if (connection) afterwards(connection.bot.api.send(connection.chatId, SAYS.disconnected, 'plain', ending.signal));
    },
    work() {
      if (!bot) return;
      leadership = runForLeader(direct, BOT_LOCK, {
        duty: 'telegram',
        lead: async ({ fence }) => maintain({ ...ctx, bot }, handle, secret, fence).stop,
        error: (error) => report('telegram', 'system', 'Failed to acquire the Telegram bot lock', error),
        log,
      });
    },
    async stop() {
      const stopped = leadership?.stop();
      await Promise.race([Promise.allSettled(pending), wait(GRACE_MS / 2)]);
      ending.abort();
      await Promise.race([Promise.allSettled([stopped, ...pending]), wait(GRACE_MS / 2)]);
    },
  };
}
