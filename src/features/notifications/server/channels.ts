import { emailChannel } from '#features/notifications/server/email/service.ts';
import type { Channel, Settle } from '#features/notifications/server/notifications/channel.ts';
import type { Push } from '#features/notifications/server/push/service.ts';
import type { Telegram } from '#features/notifications/server/telegram/service.ts';
import { webhookChannel } from '#features/notifications/server/webhooks/channel.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';
import type { Mail } from '#kernel/mail/mail.ts';
import type { Secrets } from '#kernel/secrets.ts';
import type { DataMode } from '#shared/provenance.ts';

export type ChannelDeps = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  report: ReportError;
  secrets: Secrets;
  live: Live;
  mail: Mail;
  telegram: Telegram;
  push: Push;
  /** Of what a channel hands over to a queue of its own. */
  settle: Settle;
  publicUrl: () => string;
};

/** The ways by which news leave the product. */
export function openChannels(deps: ChannelDeps): Channel[] {
  return [emailChannel(deps), deps.push.channel, deps.telegram.channel, webhookChannel(deps)];
}
