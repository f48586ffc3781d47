import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { grouped } from '#shared/format.ts';

export const CODE_MINUTES = 10;

/** The code is sent to the bot as `/verify CODE`, or through the link, which opens a chat with the bot and sends it. */
const liveCode = z.object({
  code: z.string(),
  expiresAt: z.iso.datetime(),
  /** Null when the bot is simulated or its name is not known yet. */
  deepLink: z.nullable(z.string()),
});

export const telegramStatus = z.object({
  /** A chat is connected and the user has not blocked the bot. */
  verified: z.boolean(),
  chatId: z.nullable(z.int()),
  hasValidCode: z.boolean(),
  code: z.nullable(z.string()),
  expiresAt: z.nullable(z.iso.datetime()),
  deepLink: z.nullable(z.string()),
  /** The connected chat has blocked the bot; a new code, or /start in that chat, reconnects it. */
  blocked: z.boolean(),
  /** False when this installation has no bot. */
  hasBot: z.boolean(),
  /** Without the @. */
  botUsername: z.nullable(z.string()),
  /** Demo mode: the bot and its chats are on this machine. */
  simulated: z.boolean(),
  /** Whether the caller's plan includes Telegram. */
  canConnect: z.boolean(),
});
export type TelegramStatus = z.infer<typeof telegramStatus>;

export const getTelegramStatus = endpoint({
  method: 'GET',
  path: '/api/telegram/status',
  access: 'free',
  reply: z.object({ status: telegramStatus }),
});

/** Invalidates the previous code. At most ten per hour. */
export const generateTelegramCode = endpoint({
  method: 'POST',
  path: '/api/telegram/generate-code',
  access: 'pro',
  reply: liveCode,
});

/** Deletes chat and code; idempotent. */
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
      /** The same text in parts, when it has markup. */
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

/** Demo mode only: writes to the bot as that chat, or blocks the bot in it. The bot responds a moment later. */
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

/** State of the bot as a whole, for administrators. */
const botState = z.object({
  /** `off` without a usable token; otherwise by whether updates are polled or pushed. */
  mode: z.enum(['off', 'polling', 'webhook']),
  /** When `off`: the missing setting, and why there is no bot. */
  missing: z.nullable(z.object({ setting: z.string(), why: z.string() })),
  /** Without the @; null until Telegram has reported it. */
  username: z.nullable(z.string()),
  link: z.nullable(z.string()),
  simulated: z.boolean(),
  /** The current or last holder of the bot's lock; `isHeld` tells which. */
  worker: z.nullable(z.object({ name: z.string(), since: z.iso.datetime(), isHeld: z.boolean() })),
  /** When Telegram last answered a poll. */
  readAt: z.nullable(z.iso.datetime()),
  /** When the last update arrived. */
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
    /** Null when nothing is registered. */
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
  /** Telegram notifications are enabled. */
  isOn: z.boolean(),
  announcements: z.boolean(),
});
export type ConnectedChat = z.infer<typeof connectedChat>;

/** Newest first, 50 per page; `q` searches the email address; `before` is the `next` of the previous page. */
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

/** The newest 200 commands, without message text. */
export const listBotCommands = endpoint({
  method: 'GET',
  path: '/api/admin/telegram/commands',
  access: 'admin',
  reply: z.object({
    commands: z.array(z.object({ id: z.int(), at: z.iso.datetime(), command: commandName, outcome: commandOutcome })),
  }),
});

export const MAX_BROADCAST_LENGTH = 4000;
export const AUDIENCES = ['all', 'free', 'pro', 'premium'] as const;
const audience = z.enum(AUDIENCES);
export type Audience = z.infer<typeof audience>;

/** Text a chat can show: no control characters except line breaks, no unpaired surrogates. */
const broadcastText = z.string().check(
  z.trim(),
  z.minLength(1, 'Message is required'),
  z.maxLength(MAX_BROADCAST_LENGTH, `Messages can have at most ${grouped(MAX_BROADCAST_LENGTH)} characters`),
  z.refine((text) => text.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(text), 'Messages cannot contain control characters'),
);

/** Who an announcement would reach now, and who is left out. */
export const getBotAudience = endpoint({
  method: 'GET',
  path: '/api/admin/telegram/audience',
  access: 'admin',
  reply: z.object({
    people: z.record(audience, z.int()),
    left: z.object({ blocked: z.int(), switchedOff: z.int(), declined: z.int() }),
  }),
});

/** Sends the message only to the caller's own chat. At most twenty per hour. */
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
  /** Size of the audience when it was sent. */
  people: z.int(),
  createdAt: z.iso.datetime(),
  /** Null when the account has been deleted. */
  createdBy: z.nullable(z.string()),
  /** `stopping`: cancelled, with some messages still in flight. */
  state: z.enum(['running', 'stopping', 'sent', 'cancelled']),
  finishedAt: z.nullable(z.iso.datetime()),
  sent: z.int(),
  failed: z.int(),
  /** Users who have since blocked the bot, disconnected or disabled it. */
  skipped: z.int(),
  cancelled: z.int(),
  waiting: z.int(),
  /** Waiting until their quiet hours end. */
  held: z.int(),
});
export type Broadcast = z.infer<typeof broadcast>;

/** Needs a fresh sign-in. Idempotent by `key`. One at a time, at most ten per day. */
export const sendBroadcast = endpoint({
  method: 'POST',
  path: '/api/admin/telegram/broadcasts',
  access: 'admin',
  body: z.strictObject({ key: z.uuid(), text: broadcastText, audience }),
  reply: broadcast,
});

/** Newest first, 20 per page. */
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
