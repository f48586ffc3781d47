import { randomInt } from 'node:crypto';

import { requireProof } from '#features/accounts/server/auth/service.ts';
import { CODE_MINUTES, generateTelegramCode, type TelegramStatus } from '#features/notifications/contract/telegram.ts';
import { AppError } from '#kernel/errors.ts';
import { type Caller, hasAccess } from '#kernel/route.ts';
import { type Secrets, UnreadableSecretError } from '#kernel/secrets.ts';

import type { BotAccess, TelegramContext } from './context.ts';
import { findBot } from './store/bots.ts';
import { findUserChat, unlinkChat } from './store/chats.ts';
import { countAttempt, deleteCode, findCode, saveCode } from './store/codes.ts';

/** Without letters and digits that are easily confused. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

/** Eight characters of 31: a guess hits one of a thousand live codes once in 850 million. */
const newCode = (): string => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** Normalises typed codes: spaces, dashes and case. */
export const readCode = (typed: string): string => typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase();

const PURPOSE = 'telegram code';

const hashCode = (secrets: Secrets, code: string): Buffer => secrets.mac(PURPOSE, readCode(code));

/** Hashes a code may be stored under, including those from before a rotation of the secret key. */
export const hashCodeWithAllKeys = (secrets: Secrets, code: string): Buffer[] => secrets.macs(PURPOSE, readCode(code));

const CODES_AN_HOUR = 10;
const HOUR_SECONDS = 3600;

/** Live mode only: a link would lead out of the demo, to a bot that does not know it. */
function deepLink({ mode }: TelegramContext, username: string | null, code: string | null): string | null {
  return mode === 'live' && username && code ? `https://t.me/${username}?start=${code}` : null;
}

function opened({ secrets }: TelegramContext, sealed: string): string | null {
  try {
    return secrets.open(sealed);
  } catch (error) {
    if (error instanceof UnreadableSecretError) return null;
    throw error;
  }
}

export async function readStatus(ctx: TelegramContext, caller: Caller): Promise<TelegramStatus> {
  const { db, bot, mode, now } = ctx;
  const base = {
    hasBot: bot !== null,
    simulated: mode === 'demo',
    canConnect: hasAccess(generateTelegramCode.access, caller),
  };
  const [known, chat, kept] = bot
    ? await Promise.all([
        findBot(db, bot.id),
        findUserChat(db, bot.id, caller.userId),
        findCode(db, caller.userId, now()),
      ])
    : [];
  const botUsername = known?.username ?? null;
  const code = kept ? opened(ctx, kept.sealed) : null;
  const isConnected = chat !== undefined && !chat.isBlocked;
  return {
    ...base,
    verified: isConnected,
    chatId: isConnected ? chat.chatId : null,
    blocked: chat?.isBlocked ?? false,
    hasValidCode: code !== null,
    code,
    expiresAt: code && kept ? kept.expiresAt : null,
    deepLink: deepLink(ctx, botUsername, code),
    botUsername,
  };
}

export async function generateCode(
  ctx: TelegramContext,
  caller: Caller,
): Promise<{ code: string; expiresAt: string; deepLink: string | null }> {
  const { db, bot, secrets } = ctx;
  if (!bot) throw new AppError('conflict', 'No Telegram bot is configured');
  const { userId } = caller;
  await requireProof(ctx, caller);
  const now = ctx.now();
  const key = `codes of ${userId}`;
  const { hits, resetsAt } = await countAttempt(db, { key, windowSeconds: HOUR_SECONDS, now, updateId: null });
  if (hits > CODES_AN_HOUR) {
    const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1000));
    throw new AppError('rate_limited', 'Too many codes. Please try again later.', { retryAfterSeconds });
  }
  const code = newCode();
  const expiresAt = new Date(now.getTime() + CODE_MINUTES * 60_000);
  await saveCode(db, { userId, hash: hashCode(secrets, code), sealed: secrets.seal(code), expiresAt });
  const known = await findBot(db, bot.id);
  return { code, expiresAt: expiresAt.toISOString(), deepLink: deepLink(ctx, known?.username ?? null, code) };
}

/** Deletes chat and code. Returns the chat to notify, if this bot can. */
export async function disconnect({ db, bot }: TelegramContext, { userId }: Caller): Promise<ConnectionReply | null> {
  const chat = await db.transaction().execute(async (tx) => {
    await deleteCode(tx, userId);
    return unlinkChat(tx, userId);
  });
  return bot && chat?.botId === bot.id ? { bot, chatId: chat.chatId } : null;
}

export type ConnectionReply = { bot: BotAccess; chatId: number };
