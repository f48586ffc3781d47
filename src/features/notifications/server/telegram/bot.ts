import { Bot } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import { accountTopic } from '#features/accounts/contract/auth.ts';
import { notifyAccessAdded } from '#features/accounts/server/auth/service.ts';

import type { CommandName, CommandOutcome } from '#features/notifications/contract/telegram.ts';
import { isGone, errorText as wordsOf } from './api.ts';
import { hashCodeWithAllKeys, readCode } from './connection.ts';
import type { BotAccess, TelegramContext } from './context.ts';
import { SAYS } from './format.ts';
import { saveCommand } from './store/bots.ts';
import { findChat, linkChat, markBlocked, setAnnouncements, switchOn } from './store/chats.ts';
import { consumeCode, countAttempt, deleteAttempts } from './store/codes.ts';

const MAX_CODE_ATTEMPTS = 5;
const WINDOW_SECONDS = 600;

type Verified =
  | { kind: 'connected'; formerChatId: number | undefined }
  | { kind: 'wrong' }
  | { kind: 'missing' }
  | { kind: 'limited'; minutes: number };

type Given = { botId: number; chatId: number; updateId: number; typed: string };

/**
 * Connects a chat by a code and enables its messages, as the user expects. The attempt is counted before the code is
 * checked, so that even a correct guess beyond the limit is refused.
 */
async function verify(ctx: TelegramContext, { botId, chatId, updateId, typed }: Given): Promise<Verified> {
  const { db, now, secrets, live } = ctx;
  if (readCode(typed) === '') return { kind: 'missing' };
  const chat = await findChat(db, botId, chatId);
  if (chat?.linkedBy === updateId) return { kind: 'connected', formerChatId: undefined };
  const at = now();
  const key = `tries of chat ${botId} ${chatId}`;
  const { hits, resetsAt } = await countAttempt(db, { key, windowSeconds: WINDOW_SECONDS, now: at, updateId });
  if (hits > MAX_CODE_ATTEMPTS)
    return { kind: 'limited', minutes: Math.max(1, Math.ceil((resetsAt.getTime() - at.getTime()) / 60_000)) };
  return db.transaction().execute(async (tx): Promise<Verified> => {
    const userId = await consumeCode(tx, hashCodeWithAllKeys(secrets, typed), at);
    if (userId === undefined) return { kind: 'wrong' };
    await deleteAttempts(tx, key);
    await switchOn(tx, userId);
    await live.publishTo(tx, userId, accountTopic, { changed: ['subscription', 'notifications'] });
    const formerChatId = await linkChat(tx, { botId, userId, chatId, updateId, at });
    await notifyAccessAdded(ctx, tx, userId, { what: 'telegram', name: null, network: null });
    return { kind: 'connected', formerChatId };
  });
}

/** The handlers' effects are in the database; a lost reply is not worth repeating them. */
export type HandleUpdate = (update: Update) => Promise<void>;

const BOT_ABILITIES = {
  is_bot: true,
  first_name: 'Bot',
  can_join_groups: false,
  can_read_all_group_messages: false,
  can_connect_to_business: false,
  has_main_web_app: false,
} as const;

const GROUP_COMMANDS = ['start', 'verify', 'status', 'help'] as const;

/** The page for choosing notifications. */
const settingsPage = ({ publicUrl }: TelegramContext) => `${publicUrl()}/app/profile?tab=notifications`;

/**
 * Handles commands in private chats. Updates are delivered at least once, so a handler may see one twice. `ending`
 * aborts its replies.
 */
export function createBot(
  ctx: TelegramContext,
  access: BotAccess,
  username: string,
  ending: AbortSignal,
): HandleUpdate {
  const { db, now, report } = ctx;
  const botInfo = { id: access.id, username, ...BOT_ABILITIES } as UserFromGetMe;
  const bot = new Bot(access.token, { botInfo });

  async function sendReply(chatId: number, text: string): Promise<void> {
    try {
      await access.api.send(chatId, text, 'plain', ending);
    } catch (error) {
      if (isGone(error)) await markBlocked(db, access.id, chatId, now());
      else report('telegram', 'api_failure', 'The Telegram bot could not reply', wordsOf(error));
    }
  }

  async function reply(chatId: number, outcome: CommandOutcome, text: string): Promise<CommandOutcome> {
    await sendReply(chatId, text);
    return outcome;
  }

  async function redeem(chatId: number, updateId: number, typed: string): Promise<CommandOutcome> {
    const found = await verify(ctx, { botId: access.id, chatId, updateId, typed });
    if (found.kind === 'missing') return reply(chatId, 'no_code', SAYS.codeMissing);
    if (found.kind === 'wrong') return reply(chatId, 'wrong_code', SAYS.wrong);
    if (found.kind === 'limited') return reply(chatId, 'too_many_tries', SAYS.tooMany(found.minutes));
    await sendReply(chatId, SAYS.connected(settingsPage(ctx)));
    if (found.formerChatId !== undefined) await sendReply(found.formerChatId, SAYS.movedAway);
    return 'connected';
  }

  async function start(chatId: number): Promise<CommandOutcome> {
    const chat = await findChat(db, access.id, chatId);
    if (chat && !chat.announcements) await setAnnouncements(db, chat.userId, true);
    if (chat?.isBlocked) {
      await markBlocked(db, access.id, chatId, null);
      return reply(chatId, 'back_again', SAYS.backAgain);
    }
    if (chat && !chat.announcements) return reply(chatId, 'announcements_on', SAYS.announcementsAgain);
    return reply(chatId, 'welcomed', SAYS.welcome(settingsPage(ctx)));
  }

  async function stop(chatId: number): Promise<CommandOutcome> {
    const chat = await findChat(db, access.id, chatId);
    if (!chat) return reply(chatId, 'not_connected', SAYS.nothingToStop);
    await setAnnouncements(db, chat.userId, false);
    return reply(chatId, 'announcements_off', SAYS.noAnnouncements(settingsPage(ctx)));
  }

  async function status(chatId: number): Promise<CommandOutcome> {
    const chat = await findChat(db, access.id, chatId);
    if (!chat || chat.isBlocked) return reply(chatId, 'not_connected', SAYS.isNotConnected);
    if (!chat.isWanted) return reply(chatId, 'is_silent', SAYS.isSilent(settingsPage(ctx)));
    const words = chat.announcements ? SAYS.isConnected : `${SAYS.isConnected} ${SAYS.declined}`;
    return reply(chatId, 'is_connected', words);
  }

  type Said = { chat: { id: number }; match: string; update: { update_id: number } };

  /** Replies, then records the command and its outcome, but no message text. */
  const noted =
    (command: CommandName, act: (c: Said) => Promise<CommandOutcome>) =>
    async (c: Said): Promise<void> => {
      const outcome = await act(c);
      await saveCommand(db, { botId: access.id, updateId: c.update.update_id, command, outcome, at: now() });
    };

  const people = bot.chatType('private');
  people.command(
    'start',
    noted('start', (c) => (c.match.trim() === '' ? start(c.chat.id) : redeem(c.chat.id, c.update.update_id, c.match))),
  );
  people.command(
    'verify',
    noted('verify', (c) => redeem(c.chat.id, c.update.update_id, c.match)),
  );
  people.command(
    'status',
    noted('status', (c) => status(c.chat.id)),
  );
  people.command(
    'stop',
    noted('stop', (c) => stop(c.chat.id)),
  );
  people.command(
    'help',
    noted('help', (c) => reply(c.chat.id, 'explained', SAYS.help)),
  );
  const explain = noted('other', ({ chat }) => reply(chat.id, 'explained', SAYS.help));
  people.on('message', (c) => explain({ chat: c.chat, match: '', update: c.update }));
  people.on('my_chat_member', async (c) => {
    const isStopped = c.myChatMember.new_chat_member.status === 'kicked';
    await markBlocked(db, access.id, c.chat.id, isStopped ? now() : null);
  });
  // Everyone reads along in a group, so only commands are answered, without personal data.
  const groups = bot.chatType(['group', 'supergroup']);
  for (const command of GROUP_COMMANDS)
    groups.command(
      command,
      noted(command, ({ chat }) => reply(chat.id, 'private_only', SAYS.privateOnly)),
    );

  return (update) => bot.handleUpdate(update);
}
