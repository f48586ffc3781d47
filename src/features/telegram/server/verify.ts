import { accountTopic } from '#features/auth/contract.ts';

import { hashesOfCode, readCode } from './codes.ts';
import type { TelegramContext } from './context.ts';
import { findChat, linkChat, switchOn } from './store/chats.ts';
import { countAttempt, forgetAttempts, spendCode } from './store/codes.ts';

const TRIES = 5;
const WINDOW_SECONDS = 600;

export type Verified =
  | { kind: 'connected'; formerChatId: number | undefined }
  | { kind: 'wrong' }
  | { kind: 'missing' }
  | { kind: 'limited'; minutes: number };

type Given = { botId: number; chatId: number; updateId: number; typed: string };

/** Connects a chat by a code and switches its messages on, as who connects one wants them. Counted before the code is looked at, so that a right guess past the limit is refused too. */
export async function verify(
  { db, now, secrets, live }: TelegramContext,
  { botId, chatId, updateId, typed }: Given,
): Promise<Verified> {
  if (readCode(typed) === '') return { kind: 'missing' };
  const chat = await findChat(db, botId, chatId);
  if (chat?.linkedBy === updateId) return { kind: 'connected', formerChatId: undefined };
  const at = now();
  const key = `tries of chat ${botId} ${chatId}`;
  const { hits, resetsAt } = await countAttempt(db, { key, windowSeconds: WINDOW_SECONDS, now: at, updateId });
  if (hits > TRIES)
    return { kind: 'limited', minutes: Math.max(1, Math.ceil((resetsAt.getTime() - at.getTime()) / 60_000)) };
  return db.transaction().execute(async (tx): Promise<Verified> => {
    const userId = await spendCode(tx, hashesOfCode(secrets, typed), at);
    if (userId === undefined) return { kind: 'wrong' };
    await forgetAttempts(tx, key);
    await switchOn(tx, userId);
    await live.publishTo(tx, userId, accountTopic, { changed: ['subscription', 'notifications'] });
    return { kind: 'connected', formerChatId: await linkChat(tx, { botId, userId, chatId, updateId, at }) };
  });
}
