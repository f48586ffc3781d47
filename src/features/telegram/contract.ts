import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

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

const demoChat = z.object({
  bot: z.nullable(z.string()),
  blocked: z.boolean(),
  messages: z.array(
    z.object({
      id: z.int(),
      from: z.enum(['you', 'bot']),
      /** As its reader sees it. */
      text: z.string(),
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
