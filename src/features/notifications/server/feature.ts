import type { Auth } from '#features/accounts/server/auth/service.ts';
import { feature, type Ground } from '#kernel/feature.ts';
import type { Live } from '#kernel/live/live.ts';
import { HASH, owned, QUEUE, SECRET } from '#kernel/personal-data.ts';
import type { DataMode } from '#shared/provenance.ts';

import { openChannels } from './channels.ts';
import { digestsJobs } from './digests/jobs.ts';
import { demoMailsRoutes } from './email/demo.ts';
import { emailJobs } from './email/jobs.ts';
import { emailRoutes } from './email/routes.ts';
import type { EmailContext } from './email/service.ts';
import type { Channel } from './notifications/channel.ts';
import { notificationsJobs } from './notifications/jobs.ts';
import { notificationsRoutes } from './notifications/routes.ts';
import { createNotifications, type Notifications, settleWith } from './notifications/service.ts';
import { pushRoutes } from './push/routes.ts';
import { createPush, type Push } from './push/service.ts';
import { telegramAdminRoutes } from './telegram/admin.ts';
import { demoTelegramRoutes } from './telegram/demo.ts';
import { telegramJobs } from './telegram/jobs.ts';
import { telegramRoutes } from './telegram/routes.ts';
import { createTelegram, type Telegram } from './telegram/service.ts';
import { webhooksJobs } from './webhooks/jobs.ts';
import { webhooksRoutes } from './webhooks/routes.ts';

type Routes = Parameters<typeof demoMailsRoutes>[1] & {
  notifications: Notifications;
  telegram: Telegram;
  push: Push;
  auth: Auth;
  live: Live;
  mode: DataMode;
};
/** Only in tests: channels beside those of the product, or in place of the one of the same name. */
type Needs = Ground & { channels?: Channel[] };
type Digests = Parameters<typeof digestsJobs>[0];
type Jobs = Pick<Digests, 'market' | 'metrics' | 'briefSection'> & {
  notifications: Notifications;
  thresholds: { ctx: Digests['thresholds'] };
  email: EmailContext;
};

type Services = { notifications: Notifications; telegram: Telegram; push: Push; email: EmailContext };

export const notifications = feature({
  name: 'notifications',
  create({
    db,
    direct,
    config,
    mode,
    now,
    log,
    report,
    secrets,
    mail,
    live,
    thread,
    publicUrl,
    ...more
  }: Needs): Services {
    const common = { db, config, mode, now, log, report, secrets, live, mail, publicUrl };
    const telegram = createTelegram({ ...common, direct });
    const push = createPush({ db, config, mode, now, report, secrets, thread });
    const { channels: others = [] } = more;
    const own = openChannels({ ...common, push, telegram, settle: settleWith(now) });
    const channels = [...own.filter(({ name }) => others.every((each) => each.name !== name)), ...others];
    return {
      telegram,
      push,
      notifications: createNotifications({ db, now, log, report, live, channels }),
      email: { db, config, mode, now, report, mail, secrets, publicUrl },
    };
  },
  routes(app, parts: Routes) {
    const { auth, telegram } = parts;
    notificationsRoutes(app, parts.notifications);
    telegramRoutes(app, telegram);
    telegramAdminRoutes(app, telegram, auth.ctx);
    emailRoutes(app, { ...auth.ctx, live: parts.live });
    pushRoutes(app, parts.push.ctx);
    webhooksRoutes(app, auth.ctx);
    if (parts.mode !== 'demo') return;
    demoMailsRoutes(app, parts);
    demoTelegramRoutes(app, telegram);
  },
  jobs: (parts: Jobs) => [
    ...notificationsJobs(parts.notifications),
    ...emailJobs(parts.email, parts.notifications.settle),
    ...digestsJobs({ ...parts, thresholds: parts.thresholds.ctx }),
    ...telegramJobs(parts.email),
    ...webhooksJobs(parts.email),
  ],
  personalData: [
    owned('push_browsers', 'created_at device', {
      id: QUEUE,
      session_id: QUEUE,
      endpoint: SECRET,
      p256dh: SECRET,
      auth: SECRET,
    }),
    owned('telegram_chats', 'linked_at chat_id blocked_at', { bot_id: QUEUE, linked_by: QUEUE, free_at: QUEUE }),
    owned('mail_suppressions', 'at reason note until', { address_hash: HASH }),
    owned('notification_deliveries', 'created_at channel state due_at queued_at sent_at tries note', {
      id: QUEUE,
      event_id: QUEUE,
      lane: QUEUE,
      expires_at: QUEUE,
      locked_until: QUEUE,
      held: QUEUE,
      restarted_at: QUEUE,
    }),
    owned('notification_events', 'created_at kind severity category subject payload withdrawn_at', {
      id: QUEUE,
      dedupe_key: QUEUE,
      alert_id: QUEUE,
      expires_at: QUEUE,
      fanned_to: QUEUE,
      fanned_at: QUEUE,
    }),
    owned(
      'webhooks',
      'created_at name url format enabled last_at last_state last_note failures failing_since disabled_at disabled_reason',
      {
        id: QUEUE,
        host: 'it is in the address',
        secret: SECRET,
        old_secret: SECRET,
        old_secret_until: QUEUE,
      },
      ['url'],
    ),
    {
      table: 'webhook_attempts',
      joined: { column: 'webhook_id', table: 'webhooks', key: 'id', of: 'user_id' },
      shown: 'at kind state status ms note',
      hidden: { id: QUEUE, webhook_id: QUEUE, delivery_id: QUEUE },
    },
  ],
  excludedFromPersonalData: {
    telegram_codes: 'secrets valid for a few minutes',
    telegram_broadcasts: 'written by administrators for everyone',
  },
  sealed: [
    { table: 'webhooks', key: 'id', columns: ['url', 'secret', 'old_secret'] },
    { table: 'push_keys', key: 'one', columns: ['sealed_private_key'] },
    { table: 'telegram_codes', key: 'user_id', columns: ['sealed_code'] },
  ],
});
