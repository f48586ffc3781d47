import type { Call, Provider, Reply, Route } from '#sandbox/provider.ts';
import { ReplyError } from '#sandbox/provider.ts';

import { type Chat, TelegramBot } from './telegram-bot.ts';

const MAX_TEXT_LENGTH = 4096;
const MAX_POLL_SECONDS = 50;
const TAG = /<(\/?)([a-z-]+)(?: [^<>]*)?>/g;
const TAGS = new Set(['a', 'b', 'strong', 'i', 'em', 'u', 's', 'code', 'pre', 'blockquote', 'tg-spoiler']);
const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

const failure = (code: number, description: string, parameters?: object) => ({
  ok: false,
  error_code: code,
  description,
  ...(parameters ? { parameters } : {}),
});
const refuse = (code: number, description: string): never => {
  throw new ReplyError({ status: code, body: failure(code, description) });
};
const ok = (result: unknown): Reply => ({ body: { ok: true, result } });

const readJson = ({ json }: Call): Record<string, unknown> =>
  typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};

/** The visible text of HTML; invalid HTML is refused as Telegram does. */
function visibleText(html: string): string {
  const open: string[] = [];
  const plain = html.replaceAll(TAG, (_, closing: string, name: string) => {
    if (!TAGS.has(name)) refuse(400, `Bad Request: can't parse entities: Unsupported start tag "${name}"`);
    if (!closing) open.push(name);
    else if (open.pop() !== name) refuse(400, `Bad Request: can't parse entities: Unmatched end tag "${name}"`);
    return '';
  });
  if (open.length > 0) refuse(400, `Bad Request: can't parse entities: Can't find end tag of "${open[0]}"`);
  if (/[<>]|&(?!(?:lt|gt|quot|amp);)/.test(plain)) refuse(400, "Bad Request: can't parse entities: Unsupported text");
  return plain.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

async function getUpdates(bot: TelegramBot, call: Call): Promise<Reply> {
  if (bot.webhook) refuse(409, "Conflict: can't use getUpdates method while webhook is active");
  bot.interruptLongPoll();
  const { offset, timeout, limit } = readJson(call);
  const from = typeof offset === 'number' ? offset : 0;
  if (bot.pending(from).length === 0 && typeof timeout === 'number' && timeout > 0) {
    if (await bot.wait(Math.min(timeout, MAX_POLL_SECONDS)))
      refuse(409, 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running');
  }
  return ok(bot.pending(from).slice(0, typeof limit === 'number' ? limit : 100));
}

function sendMessage(bot: TelegramBot, call: Call): Reply {
  const { chat_id: id, text, parse_mode: mode } = readJson(call);
  if (typeof text !== 'string' || text === '') return refuse(400, 'Bad Request: message text is empty');
  const to = bot.chats.get(Number(id));
  if (!to) return refuse(400, 'Bad Request: chat not found');
  if (to.blocked) return refuse(403, 'Forbidden: bot was blocked by the user');
  const visible = mode === 'HTML' ? visibleText(text) : text;
  if (visible.length > MAX_TEXT_LENGTH) return refuse(400, 'Bad Request: message is too long');
  const { markup: _, ...message } = bot.send(to.chat, visible, mode === 'HTML' ? text : null, call.now);
  return ok(message);
}

function setWebhook(bot: TelegramBot, call: Call): Reply {
  const { url, secret_token: secret } = readJson(call);
  if (typeof url !== 'string') return refuse(400, 'Bad Request: bad webhook');
  if (url !== '' && !/^https:|^http:\/\/(?:127\.|localhost)/.test(url))
    return refuse(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook');
  bot.webhook = url === '' ? null : { url, secret: typeof secret === 'string' ? secret : undefined };
  return ok(true);
}

type Method = (bot: TelegramBot, call: Call) => Reply | Promise<Reply>;
const METHODS: Record<string, Method> = {
  getMe: ({ user }) => ok({ ...user, can_join_groups: false, can_read_all_group_messages: false }),
  getUpdates,
  sendMessage,
  setWebhook,
  getWebhookInfo(bot) {
    const { webhook } = bot;
    return ok({
      url: webhook?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: bot.pending(0).length,
      ...(webhook?.failed
        ? { last_error_date: Math.floor(webhook.failed.at / 1000), last_error_message: webhook.failed.reason }
        : {}),
    });
  },
  deleteWebhook(bot) {
    bot.webhook = null;
    return ok(true);
  },
  setMyCommands(bot, call) {
    const { commands } = readJson(call);
    bot.commands.splice(0, Number.POSITIVE_INFINITY, ...(Array.isArray(commands) ? (commands as unknown[]) : []));
    return ok(true);
  },
};

/** The sender of a control call: a private chat, or a group for negative numbers. */
const chatOf = (id: number): Chat =>
  id < 0 ? { id, type: 'group', title: 'A group' } : { id, type: 'private', first_name: 'A person' };

/**
 * The Bot API. Users are simulated by calls below `/person/:bot/:chat`, where `:bot` is the number before the colon of
 * its token: GET returns the messages, POST `{ text }` writes, `{ blocked, silently }` blocks or unblocks the bot, `{
 * repeat: true }` delivers the last update again, `{ forget: true }` makes the chat unknown.
 */
export function telegram(): Provider {
  const bots = new Map<number, TelegramBot>();
  function botOf(id: number): TelegramBot {
    const bot = bots.get(id) ?? new TelegramBot(id);
    bots.set(id, bot);
    return bot;
  }

  const person: Route = {
    path: '/person/:bot/:chat',
    async handle(call) {
      const bot = botOf(Number(call.params['bot']));
      const id = Number(call.params['chat']);
      const { text, blocked, silently, repeat, forget } = readJson(call);
      if (typeof text === 'string') await bot.receive(chatOf(id), text, call.now);
      if (typeof blocked === 'boolean') await bot.block(chatOf(id), blocked, silently === true, call.now);
      if (forget === true) bot.chats.delete(id);
      if (repeat === true) await bot.repeat();
      const known = bot.chats.get(id);
      return {
        body: {
          bot: bot.user,
          blocked: known?.blocked ?? false,
          messages: known?.messages ?? [],
          commands: bot.commands,
          webhook: bot.webhook?.url ?? null,
        },
      };
    },
  };
  const method: Route = {
    path: '/:token/:method',
    handle(call) {
      const [, id] = /^bot(\d+):[\w-]+$/.exec(call.params['token'] ?? '') ?? [];
      const act = METHODS[call.params['method'] ?? ''];
      if (!id) return refuse(401, 'Unauthorized');
      return act ? act(botOf(Number(id)), call) : refuse(404, 'Not Found');
    },
  };

  return {
    id: 'telegram',
    base: '/telegram',
    env: { TELEGRAM_API_BASE_URL: { scheme: 'http', path: '/telegram' } },
    routes: [person, method],
    notFound: { status: 404, body: failure(404, 'Not Found') },
    rateLimited: (seconds: number) =>
      failure(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
    serverError: failure(502, 'Bad Gateway'),
  };
}
