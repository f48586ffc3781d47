import { Bot, type Context } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import { isGone, told } from './api.ts';
import type { BotAccess, TelegramContext } from './context.ts';
import { findChat, markBlocked } from './store/chats.ts';
import { verify } from './verify.ts';
import { SAYS } from './words.ts';

/** What the handlers have done is in the database; an answer that gets lost is not worth doing it again. */
export type HandleUpdate = (update: Update) => Promise<void>;

const BOT_ABILITIES = {
  is_bot: true,
  first_name: 'Bot',
  can_join_groups: false,
  can_read_all_group_messages: false,
  can_connect_to_business: false,
  has_main_web_app: false,
} as const;

/** Where people choose what arrives. */
const settingsPage = ({ publicUrl }: TelegramContext) => `${publicUrl()}/app/profile?tab=notifications`;

/** Answers commands in private chats. Updates come at least once, so each handler may see one twice. `ending` ends what it says. */
export function createBot(
  ctx: TelegramContext,
  access: BotAccess,
  username: string,
  ending: AbortSignal,
): HandleUpdate {
  const { db, now, report } = ctx;
  const botInfo = { id: access.id, username, ...BOT_ABILITIES } as UserFromGetMe;
  const bot = new Bot(access.token, { botInfo });

  async function say(chatId: number, text: string): Promise<void> {
    try {
      await access.api.send(chatId, text, 'plain', ending);
    } catch (error) {
      if (isGone(error)) await markBlocked(db, access.id, chatId, now());
      else report('telegram', 'api_failure', 'The Telegram bot could not answer', told(error));
    }
  }

  async function redeem(chatId: number, updateId: number, typed: string): Promise<void> {
    const found = await verify(ctx, { botId: access.id, chatId, updateId, typed });
    if (found.kind === 'missing') return say(chatId, SAYS.codeMissing);
    if (found.kind === 'wrong') return say(chatId, SAYS.wrong);
    if (found.kind === 'limited') return say(chatId, SAYS.tooMany(found.minutes));
    await say(chatId, SAYS.connected(settingsPage(ctx)));
    if (found.formerChatId !== undefined) await say(found.formerChatId, SAYS.movedAway);
  }

  async function start(chatId: number): Promise<void> {
    const chat = await findChat(db, access.id, chatId);
    if (chat?.isBlocked) {
      await markBlocked(db, access.id, chatId, null);
      return say(chatId, SAYS.backAgain);
    }
    return say(chatId, SAYS.welcome(settingsPage(ctx)));
  }

  async function status(chatId: number): Promise<void> {
    const chat = await findChat(db, access.id, chatId);
    if (!chat || chat.isBlocked) return say(chatId, SAYS.isNotConnected);
    return say(chatId, chat.isWanted ? SAYS.isConnected : SAYS.isSilent(settingsPage(ctx)));
  }

  const updateIdOf = (c: Context) => c.update.update_id;

  const people = bot.chatType('private');
  people.command('start', (c) =>
    c.match.trim() === '' ? start(c.chat.id) : redeem(c.chat.id, updateIdOf(c), c.match),
  );
  people.command('verify', (c) => redeem(c.chat.id, updateIdOf(c), c.match));
  people.command('status', (c) => status(c.chat.id));
  people.on('message', (c) => say(c.chat.id, SAYS.help));
  people.on('my_chat_member', async (c) => {
    const isStopped = c.myChatMember.new_chat_member.status === 'kicked';
    await markBlocked(db, access.id, c.chat.id, isStopped ? now() : null);
  });
  // In a group everybody reads along, so only a command is answered, and with nothing of anybody.
  bot
    .chatType(['group', 'supergroup'])
    .command(['start', 'verify', 'status', 'help'], (c) => say(c.chat.id, SAYS.privateOnly));

  return (update) => bot.handleUpdate(update);
}
