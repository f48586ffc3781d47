import { Api, GrammyError, HttpError } from 'grammy';
import type { Update } from 'grammy/types';

import type { Outcome } from '#features/notifications/server/notifications/channel.ts';

/** `address` is '' when none is registered. */
export type WebhookInfo = { address: string; pending: number; lastError: { words: string; at: string } | null };

/** The part of the Bot API used here. Every call ends with its signal, or after ten seconds; long polls wait longer. */
export type TelegramApi = {
  getUsername: (signal: AbortSignal) => Promise<string>;
  /** Waits up to `seconds` for the first update. */
  getUpdates: (offset: number | undefined, seconds: number, signal: AbortSignal) => Promise<Update[]>;
  /** `html` is Bot API markup; `plain` is sent verbatim. */
  send: (chatId: number, text: string, how: 'html' | 'plain', signal: AbortSignal) => Promise<void>;
  setWebhook: (url: string, secret: string, signal: AbortSignal) => Promise<void>;
  getWebhook: (signal: AbortSignal) => Promise<WebhookInfo>;
  deleteWebhook: (signal: AbortSignal) => Promise<void>;
  setCommands: (commands: readonly { command: string; description: string }[], signal: AbortSignal) => Promise<void>;
};

const CALL_MS = 10_000;
export const UPDATES = ['message', 'my_chat_member'] as const;

type ApiSignal = NonNullable<Parameters<Api['getMe']>[0]>;
/** grammY's AbortSignal type comes from an older library; only its event is used. */
const within = (signal: AbortSignal, ms = CALL_MS) =>
  AbortSignal.any([signal, AbortSignal.timeout(ms)]) as unknown as ApiSignal;

export function openApi(token: string, apiRoot: string): TelegramApi {
  const api = new Api(token, { apiRoot, timeoutSeconds: 100 });
  return {
    async getUsername(signal) {
      return (await api.getMe(within(signal))).username;
    },
    getUpdates: (offset, seconds, signal) =>
      api.getUpdates(
        { timeout: seconds, allowed_updates: UPDATES, ...(offset === undefined ? {} : { offset }) },
        within(signal, CALL_MS + seconds * 1000),
      ),
    async send(chatId, text, how, signal) {
      await api.sendMessage(
        chatId,
        text,
        { link_preview_options: { is_disabled: true }, ...(how === 'html' ? { parse_mode: 'HTML' as const } : {}) },
        within(signal),
      );
    },
    async setWebhook(url, secret, signal) {
      await api.setWebhook(
        url,
        { secret_token: secret, allowed_updates: UPDATES, max_connections: 10 },
        within(signal),
      );
    },
    async getWebhook(signal) {
      const info = await api.getWebhookInfo(within(signal));
      const { url, pending_update_count: pending, last_error_date: at, last_error_message: words } = info;
      const lastError = at && words ? { words, at: new Date(at * 1000).toISOString() } : null;
      return { address: url ?? '', pending, lastError };
    },
    async deleteWebhook(signal) {
      await api.deleteWebhook({}, within(signal));
    },
    async setCommands(commands, signal) {
      await api.setMyCommands(commands, {}, within(signal));
    },
  };
}

/** Safe to log: the URL of a call contains the token. */
export function errorText(error: unknown): string {
  if (error instanceof GrammyError) return `Telegram responded with ${error.error_code}: ${error.description}`;
  if (error instanceof HttpError) return 'Telegram could not be reached';
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

export const readRetryAfter = (error: unknown): number | undefined =>
  error instanceof GrammyError && error.error_code === 429 ? (error.parameters.retry_after ?? 1) : undefined;

/** The chat is gone for this bot: blocked, deleted or nonexistent. */
export const isGone = (error: unknown): boolean =>
  error instanceof GrammyError &&
  (error.error_code === 403 || (error.error_code === 400 && /chat not found|PEER_ID_INVALID/i.test(error.description)));

/** Outcome of a message that Telegram did not accept. */
export function toOutcome(error: unknown): Exclude<Outcome, { state: 'sent' | 'handed' }> {
  const waitSeconds = readRetryAfter(error);
  if (waitSeconds !== undefined)
    return { state: 'later', note: `Telegram rate limit: retry in ${waitSeconds} s`, afterMs: waitSeconds * 1000 };
  if (isGone(error)) return { state: 'dropped', note: 'The chat has blocked the bot' };
  if (error instanceof GrammyError && error.error_code === 400)
    return { state: 'failed', note: `Telegram rejected the message: ${error.description}` };
  return { state: 'later', note: errorText(error) };
}
