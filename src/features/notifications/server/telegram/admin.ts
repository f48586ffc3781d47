import {
  type BotState,
  COMMAND_NAMES,
  type CommandName,
  type ConnectedChat,
} from '#features/notifications/contract/telegram.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { errorText } from './api.ts';
import { getBot } from './broadcasts.ts';
import { BOT_LOCK, type TelegramContext, webhookUrl } from './context.ts';
import { countCommands, findActivity, newestCommands, saveActivity } from './store/bots.ts';
import { connectedChats, countConnected, ratesSince } from './store/chats.ts';

const HOUR_MS = 3_600_000;
const PAGE = 50;
const NEWEST_COMMANDS = 200;
/** An administrator is waiting for the response. */
const CALL_TIMEOUT_MS = 5_000;

function missingSetting({ config }: TelegramContext): NonNullable<BotState['missing']> {
  if (!config.TELEGRAM_BOT_TOKEN)
    return {
      setting: 'TELEGRAM_BOT_TOKEN',
      why: 'Not set. Send /newbot to @BotFather in Telegram, enter the token it returns here and restart.',
    };
  return {
    setting: 'TELEGRAM_API_BASE_URL',
    why: 'Points to the real Telegram, which demo mode never calls.',
  };
}

export async function readState(ctx: TelegramContext): Promise<BotState> {
  const { bot, mode, db } = ctx;
  const simulated = mode === 'demo';
  const none = { username: null, link: null, worker: null, readAt: null, heardAt: null, error: null, webhook: null };
  if (!bot) return { mode: 'off', missing: missingSetting(ctx), simulated, ...none };
  const address = webhookUrl(ctx);
  const life = await findActivity(db, bot.id, BOT_LOCK);
  const base = { mode: address ? ('webhook' as const) : ('polling' as const), missing: null, simulated };
  const webhook = address ? { address, registeredAt: life?.webhookAt ?? null } : null;
  if (!life) return { ...base, ...none, webhook };
  const { username, worker, workerSince, isHeld, readAt, heardAt, error, errorAt } = life;
  return {
    ...base,
    username,
    link: simulated ? null : `https://t.me/${username}`,
    worker: worker && workerSince ? { name: worker, since: workerSince, isHeld } : null,
    readAt,
    heardAt,
    error: error && errorAt ? { words: error, at: errorAt } : null,
    webhook,
  };
}

export async function readLastHour({ bot, db, now }: TelegramContext) {
  const from = new Date(now().getTime() - HOUR_MS);
  const counted = bot ? await countCommands(db, bot.id, from) : new Map<CommandName, number>();
  const commands = Object.fromEntries(COMMAND_NAMES.map((name) => [name, counted.get(name) ?? 0])) as Record<
    CommandName,
    number
  >;
  const rates = bot ? await ratesSince(db, bot.id, from) : { sent: 0, connected: 0, blocked: 0 };
  return { ...rates, commands };
}

/** The URL Telegram should call; 409 when it is polled. */
function getWebhook(ctx: TelegramContext) {
  const bot = getBot(ctx);
  const address = webhookUrl(ctx);
  if (!address) throw new AppError('conflict', 'The bot uses no webhook: TELEGRAM_WEBHOOK_URL is not set');
  return { bot, address };
}

async function callTelegram<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new AppError('unavailable', errorText(error));
  }
}

export async function readWebhook(ctx: TelegramContext) {
  const { bot, address: ours } = getWebhook(ctx);
  const { address, pending, lastError } = await callTelegram(bot.api.getWebhook(AbortSignal.timeout(CALL_TIMEOUT_MS)));
  return { address: address || null, isOurs: address === ours, pending, lastError };
}

export async function registerWebhook(ctx: TelegramContext, secret: string, caller: Caller) {
  const { bot, address } = getWebhook(ctx);
  await callTelegram(bot.api.setWebhook(address, secret, AbortSignal.timeout(CALL_TIMEOUT_MS)));
  const at = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    await saveActivity(tx, bot.id, { webhookAt: at.toISOString() });
    await audit(tx, { at, actorId: caller.userId, subjectId: null, action: 'telegram.webhook', details: { address } });
  });
  return { registeredAt: at.toISOString() };
}

/** The last four digits: enough to tell chats apart, too little to write to one. */
const maskChatId = (chatId: number) => `…${String(Math.abs(chatId)).slice(-4)}`;

type Page = { q?: string | undefined; before?: string | undefined };

export async function listChats({ bot, db }: TelegramContext, { q, before }: Page) {
  if (!bot) return { chats: [], total: 0, next: null };
  const [linkedAt = '', userId = ''] = before?.split(',') ?? [];
  const [rows, total] = await Promise.all([
    connectedChats(db, bot.id, {
      q,
      before: before ? { linkedAt, userId: Number(userId) } : undefined,
      count: PAGE + 1,
    }),
    countConnected(db, bot.id, q),
  ]);
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  const chats = page.map(({ chatId, ...rest }): ConnectedChat => ({ ...rest, chat: maskChatId(chatId) }));
  return { chats, total, next: rows.length > PAGE && last ? `${last.linkedAt},${last.userId}` : null };
}

export const listCommands = async ({ bot, db }: TelegramContext) => ({
  commands: bot ? await newestCommands(db, bot.id, NEWEST_COMMANDS) : [],
});
