import { hostname } from 'node:os';

import type { Update } from 'grammy/types';

import { wait } from '#kernel/clock.ts';
import { type Fence, LeadershipLostError } from '#kernel/leader.ts';

import { errorText, readRetryAfter } from './api.ts';
import type { HandleUpdate } from './bot.ts';
import { type BotAccess, type TelegramContext, webhookUrl } from './context.ts';
import { COMMANDS } from './format.ts';
import { findBot, saveActivity, saveBot, saveNextUpdate } from './store/bots.ts';

/** Duration of a long poll without messages. */
const HOLD_SECONDS = 25;
const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000];
/** After a week without updates Telegram may restart its numbering from any value. */
const COUNT_LASTS_MS = 6 * 86_400_000;
/** Then the update is skipped: one that cannot be handled must not block the others. */
const MAX_ATTEMPTS_PER_UPDATE = 3;

type Reader = TelegramContext & { bot: BotAccess };
type Where = { next: number; at: number } | null;

/** Runs the bot until stopped: its commands, and its webhook or, without one, polling. */
export function maintain(
  ctx: Reader,
  handle: HandleUpdate,
  webhookSecret: string,
  fence: Fence,
): { stop: () => Promise<void> } {
  const { db, bot, now, report } = ctx;
  const webhook = webhookUrl(ctx);
  const { api } = bot;
  const stopping = new AbortController();
  const { signal } = stopping;
  const failed = new Map<number, number>();
  let where: Where = null;
  const worker = `${hostname()}, process ${process.pid}`;
  const began = now().toISOString();

  const clock = () => now().toISOString();

  async function registerCommands(): Promise<void> {
    await saveBot(db, bot.id, await api.getUsername(signal), now());
    await saveActivity(db, bot.id, { worker, workerSince: began });
    await api.setCommands(COMMANDS, signal);
    if (webhook) {
      await api.setWebhook(webhook, webhookSecret, signal);
      return saveActivity(db, bot.id, { webhookAt: clock() });
    }
    await api.deleteWebhook(signal);
    const known = await findBot(db, bot.id);
    where = known && known.nextUpdateId !== null ? { next: known.nextUpdateId, at: Date.parse(known.updatedAt) } : null;
    return undefined;
  }

  async function take(update: Update): Promise<void> {
    const { update_id: id } = update;
    // Any other process that polls by now has received it too.
    await db.transaction().execute(fence);
    try {
      await handle(update);
    } catch (error) {
      const tries = (failed.get(id) ?? 0) + 1;
      failed.set(id, tries);
      if (tries < MAX_ATTEMPTS_PER_UPDATE) throw error;
      report('telegram', 'system', 'Failed to process a message to the Telegram bot', errorText(error));
    }
    failed.delete(id);
    const at = now();
    where = { next: id + 1, at: at.getTime() };
    await db.transaction().execute(async (tx) => {
      await fence(tx);
      await saveNextUpdate(tx, bot.id, id + 1, at);
    });
  }

  async function read(): Promise<void> {
    const offset = where && now().getTime() - where.at < COUNT_LASTS_MS ? where.next : undefined;
    const updates = await api.getUpdates(offset, HOLD_SECONDS, signal);
    await saveActivity(db, bot.id, { readAt: clock() });
    for (const update of updates) {
      if (signal.aborted) return;
      await take(update);
    }
  }

  async function run(): Promise<void> {
    let isKnown = false;
    for (let failures = 0; !signal.aborted; ) {
      try {
        if (!isKnown) await registerCommands();
        isKnown = true;
        if (webhook) return;
        await read();
        failures = 0;
      } catch (error) {
        if (signal.aborted || error instanceof LeadershipLostError) return;
        report('telegram', 'api_failure', 'Telegram bot unreachable', errorText(error));
        // The database may be the cause of the failure.
        await saveActivity(db, bot.id, { error: errorText(error).slice(0, 500), errorAt: clock() }).catch(
          () => undefined,
        );
        const seconds = readRetryAfter(error);
        await wait(seconds === undefined ? (RETRY_MS[failures] ?? 60_000) : seconds * 1000, signal);
        failures = Math.min(failures + 1, RETRY_MS.length - 1);
      }
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
