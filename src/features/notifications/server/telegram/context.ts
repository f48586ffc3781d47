import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import { isLoopback } from '#kernel/http/loopback.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Mail } from '#kernel/mail/mail.ts';
import type { Secrets } from '#kernel/secrets.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { TelegramApi } from './api.ts';

export type TelegramContext = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  report: ReportError;
  secrets: Secrets;
  mail: Pick<Mail, 'enqueue'>;
  live: Pick<Live, 'publishTo'>;
  /** Public URL without a trailing slash. */
  publicUrl: () => string;
  /** Null when this installation has no bot. */
  bot: BotAccess | null;
};

/** The holder of the lock operates the bot. */
export const BOT_LOCK = 7_246_040;

/** The bot of this installation; its id is the public half of its token. */
export type BotAccess = { id: number; token: string; api: TelegramApi };

/** The usable token; demo mode never contacts the real Telegram. */
export function botToken({ config, mode }: Pick<TelegramContext, 'config' | 'mode'>): string | null {
  if (!config.TELEGRAM_BOT_TOKEN) return null;
  return mode === 'live' || isLoopback(config.TELEGRAM_API_BASE_URL) ? config.TELEGRAM_BOT_TOKEN : null;
}

/** The URL Telegram calls; null for polling, which needs no public address. The simulated bot is always polled. */
export const webhookUrl = ({ config, mode }: Pick<TelegramContext, 'config' | 'mode'>): string | null =>
  mode === 'live' ? (config.TELEGRAM_WEBHOOK_URL ?? null) : null;
