import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { grouped } from '#shared/format.ts';

export const CODE_MINUTES = 10;

/** A code goes to the bot as `/verify CODE`, or by the link, which opens a chat with the bot and sends it. */
const liveCode = z.object({
  code: z.string(),
  expiresAt: z.iso.datetime(),
  /** Null where the bot is simulated, or while its name is not known yet. */
  deepLink: z.nullable(z.string()),
});

export const telegramStatus = z.object({
  /** A chat is connected, and the person has not stopped the bot in it. */
  verified: z.boolean(),
  chatId: z.nullable(z.int()),
  hasValidCode: z.boolean(),
  code: z.nullable(z.string()),
  expiresAt: z.nullable(z.iso.datetime()),
  deepLink: z.nullable(z.string()),
  /** The chat that was connected has stopped the bot; a new code, or /start in that chat, connects it again. */
  blocked: z.boolean(),
  /** False where this installation has no bot. */
  hasBot: z.boolean(),
  /** Without the @. */
  botUsername: z.nullable(z.string()),
  /** Demo mode: the bot and its chats are on this machine. */
  simulated: z.boolean(),
  /** Whether the caller's plan has Telegram. */
  canConnect: z.boolean(),
});
export type TelegramStatus = z.infer<typeof telegramStatus>;

export const getTelegramStatus = endpoint({
  method: 'GET',
  path: '/api/telegram/status',
  access: 'free',
  reply: z.object({ status: telegramStatus }),
});

/** The one before it no longer counts. At most ten an hour. */
export const generateTelegramCode = endpoint({
  method: 'POST',
  path: '/api/telegram/generate-code',
  access: 'pro',
  reply: liveCode,
});

/** Forgets chat and code; it may be asked for twice. */
export const disconnectTelegram = endpoint({
  method: 'POST',
  path: '/api/telegram/disconnect',
  access: 'free',
  reply: z.object({ success: z.literal(true) }),
});

const chatPart = z.object({
  text: z.string(),
  style: z.optional(z.enum(['bold', 'italic'])),
  href: z.optional(z.string()),
});

const demoChat = z.object({
  bot: z.nullable(z.string()),
  blocked: z.boolean(),
  messages: z.array(
    z.object({
      id: z.int(),
      from: z.enum(['you', 'bot']),
      /** As its reader sees it. */
      text: z.string(),
      /** The same in pieces, where it is marked up. */
      parts: z.optional(z.array(chatPart)),
      at: z.iso.datetime(),
    }),
  ),
});
export type DemoChat = z.infer<typeof demoChat>;

/** Demo mode only: the caller's simulated chat with the bot, oldest first. */
export const getDemoChat = endpoint({
  method: 'GET',
  path: '/api/demo/telegram',
  access: 'free',
  reply: demoChat,
});

/** Demo mode only: writes to the bot as that chat, or stops the bot in it. The bot answers a moment later. */
export const writeDemoChat = endpoint({
  method: 'POST',
  path: '/api/demo/telegram',
  access: 'free',
  body: z.strictObject({
    text: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(4096))),
    blocked: z.optional(z.boolean()),
  }),
  reply: demoChat,
});

/** Of the bot as a whole, for administrators. */
const botState = z.object({
  /** `off` without a token that may be used; the rest by whether Telegram is read or calls. */
  mode: z.enum(['off', 'polling', 'webhook']),
  /** Of `off`: the setting that is missing, and why there is no bot. */
  missing: z.nullable(z.object({ setting: z.string(), why: z.string() })),
  /** Without the @; null while Telegram has not said it. */
  username: z.nullable(z.string()),
  link: z.nullable(z.string()),
  simulated: z.boolean(),
  /** Who holds the bot's lock now, or did last; `isHeld` says which. */
  worker: z.nullable(z.object({ name: z.string(), since: z.iso.datetime(), isHeld: z.boolean() })),
  /** When Telegram last answered a reading. */
  readAt: z.nullable(z.iso.datetime()),
  /** When the last update came. */
  heardAt: z.nullable(z.iso.datetime()),
  error: z.nullable(z.object({ words: z.string(), at: z.iso.datetime() })),
  webhook: z.nullable(z.object({ address: z.string(), registeredAt: z.nullable(z.iso.datetime()) })),
});
export type BotState = z.infer<typeof botState>;

export const COMMAND_NAMES = ['start', 'verify', 'status', 'help', 'stop', 'other'] as const;
const commandName = z.enum(COMMAND_NAMES);
const commandOutcome = z.enum([
  'welcomed',
  'back_again',
  'announcements_on',
  'announcements_off',
  'connected',
  'wrong_code',
  'no_code',
  'too_many_tries',
  'is_connected',
  'is_silent',
  'not_connected',
  'explained',
  'private_only',
]);
export type CommandName = z.infer<typeof commandName>;
export type CommandOutcome = z.infer<typeof commandOutcome>;

const lastHour = z.object({
  sent: z.int(),
  commands: z.record(commandName, z.int()),
  connected: z.int(),
  blocked: z.int(),
});

export const getBotState = endpoint({
  method: 'GET',
  path: '/api/admin/telegram',
  access: 'admin',
  reply: z.object({ bot: botState, lastHour }),
});

/** Current webhook status at Telegram. `conflict` without a webhook. */
export const getBotWebhook = endpoint({
  method: 'GET',
  path: '/api/admin/telegram/webhook',
  access: 'admin',
  reply: z.object({
    /** Null where nothing is registered. */
    address: z.nullable(z.string()),
    isOurs: z.boolean(),
    pending: z.int(),
    lastError: z.nullable(z.object({ words: z.string(), at: z.iso.datetime() })),
  }),
});

/** Registers the webhook again, with its secret. */
export const registerBotWebhook = endpoint({
  method: 'POST',
  path: '/api/admin/telegram/webhook',
  access: 'admin',
  reply: z.object({ registeredAt: z.iso.datetime() }),
});

const connectedChat = z.object({
  userId: z.int(),
  email: z.string(),
  /** Its last four digits. */
  chat: z.string(),
  linkedAt: z.iso.datetime(),
  lastSentAt: z.nullable(z.iso.datetime()),
  blockedAt: z.nullable(z.iso.datetime()),
  /** Telegram notifications are switched on. */
  isOn: z.boolean(),
  announcements: z.boolean(),
});
export type ConnectedChat = z.infer<typeof connectedChat>;

/** The newest first, 50 a page; `q` searches the address; `before` is the `next` of the page before. */
export const listBotChats = endpoint({
  method: 'GET',
  path: '/api/admin/telegram/chats',
  access: 'admin',
  query: z.object({
    q: z.optional(z.string().check(z.maxLength(254))),
    before: z.optional(
      z.string().check(z.regex(/^\d{4}-\d\d-\d\dT[\d:.]+Z,\d{1,15}$/, 'must be the cursor of the previous page')),
    ),
  }),
  reply: z.object({ chats: z.array(connectedChat), total: z.int(), next: z.nullable(z.string()) }),
});

/** The newest 200, without a word of what was written. */
export const listBotCommands = endpoint({
  method: 'GET',
  path: '/api/admin/telegram/commands',
  access: 'admin',
  reply: z.object({
    commands: z.array(z.object({ id: z.int(), at: z.iso.datetime(), command: commandName, outcome: commandOutcome })),
  }),
});

export const LONGEST_BROADCAST = 4000;
export const AUDIENCES = ['all', 'free', 'pro', 'premium'] as const;
const audience = z.enum(AUDIENCES);
export type Audience = z.infer<typeof audience>;

/** What a chat can show: no control characters but the end of a line, no halves of characters. */
const broadcastText = z.string().check(
  z.trim(),
  z.minLength(1, 'Message is required'),
  z.maxLength(LONGEST_BROADCAST, `Messages can have at most ${grouped(LONGEST_BROADCAST)} characters`),
  z.refine((text) => text.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(text), 'Messages cannot contain control characters'),
);

/** Whom an announcement would reach now, and who is left out of them. */
export const getBotAudience = endpoint({
  method: 'GET',
  path: '/api/admin/telegram/audience',
  access: 'admin',
  reply: z.object({
    people: z.record(audience, z.int()),
    left: z.object({ blocked: z.int(), switchedOff: z.int(), declined: z.int() }),
  }),
});

/** Sends the message only to the caller's own chat. At most twenty an hour. */
export const testBroadcast = endpoint({
  method: 'POST',
  path: '/api/admin/telegram/test',
  access: 'admin',
  body: z.strictObject({ text: broadcastText }),
  reply: z.object({ success: z.literal(true) }),
});

const broadcast = z.object({
  id: z.int(),
  text: z.string(),
  audience,
  /** Whom it was for when it was sent off. */
  people: z.int(),
  createdAt: z.iso.datetime(),
  /** Null where the account is gone. */
  createdBy: z.nullable(z.string()),
  /** `stopping`: cancelled, with some still on their way. */
  state: z.enum(['running', 'stopping', 'sent', 'cancelled']),
  finishedAt: z.nullable(z.iso.datetime()),
  sent: z.int(),
  failed: z.int(),
  /** Who has blocked the bot, disconnected, or switched it off meanwhile. */
  skipped: z.int(),
  cancelled: z.int(),
  waiting: z.int(),
  /** Of those that wait: until their quiet hours end. */
  held: z.int(),
});
export type Broadcast = z.infer<typeof broadcast>;

/** Needs a fresh proof. The same `key` makes one broadcast, however often it is sent. One at a time, at most ten a day. */
export const sendBroadcast = endpoint({
  method: 'POST',
  path: '/api/admin/telegram/broadcasts',
  access: 'admin',
  body: z.strictObject({ key: z.uuid(), text: broadcastText, audience }),
  reply: broadcast,
});

/** Newest first, 20 a page. */
export const listBroadcasts = endpoint({
  method: 'GET',
  path: '/api/admin/telegram/broadcasts',
  access: 'admin',
  query: z.object({ before: z.optional(z.coerce.number().check(z.int(), z.minimum(1))) }),
  reply: z.object({ broadcasts: z.array(broadcast), more: z.boolean() }),
});

/** Remaining recipients are skipped. `conflict` when it has finished. */
export const cancelBroadcast = endpoint({
  method: 'POST',
  path: '/api/admin/telegram/broadcasts/:id/cancel',
  access: 'admin',
  params: z.object({ id: z.coerce.number().check(z.int(), z.minimum(1)) }),
  reply: broadcast,
});
