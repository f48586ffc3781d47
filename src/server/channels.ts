import { emailChannel } from '#features/email/server/service.ts';
import type { Channel, Settle } from '#features/notifications/server/channel.ts';
import type { Push } from '#features/push/server/service.ts';
import type { Telegram } from '#features/telegram/server/service.ts';
import { webhookChannel } from '#features/webhooks/server/channel.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { Config } from './platform/config.ts';
import type { Db } from './platform/db.ts';
import type { ReportError } from './platform/error-reports.ts';
import type { Live } from './platform/live/live.ts';
import type { Log } from './platform/log.ts';
import type { Mail } from './platform/mail/mail.ts';
import type { Secrets } from './platform/secrets.ts';

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
