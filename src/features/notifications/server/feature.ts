import type { FastifyInstance } from 'fastify';
import type { Auth, AuthContext } from '#features/accounts/server/auth/service.ts';
import {
  cancelBroadcast,
  getBotAudience,
  getBotState,
  getBotWebhook,
  listBotChats,
  listBotCommands,
  listBroadcasts,
  registerBotWebhook,
  sendBroadcast,
  testBroadcast,
} from '#features/notifications/contract/telegram.ts';
import { AppError } from '#kernel/errors.ts';
import { type FeatureContext, feature } from '#kernel/feature.ts';
import type { Live } from '#kernel/live/live.ts';
import { HASH, ownedBy, QUEUE, SECRET } from '#kernel/personal-data.ts';
import { type Caller, route } from '#kernel/route.ts';
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
import { createNotifications, createSettle, type Notifications } from './notifications/service.ts';
import { pushRoutes } from './push/routes.ts';
import { createPush, type Push } from './push/service.ts';
import * as overseeing from './telegram/admin.ts';
import { errorText, isGone, readRetryAfter } from './telegram/api.ts';
import * as broadcasts from './telegram/broadcasts.ts';
import { getBot } from './telegram/broadcasts.ts';
import type { TelegramContext } from './telegram/context.ts';
import { demoTelegramRoutes } from './telegram/demo.ts';
import { announcementHtml } from './telegram/format.ts';
import { telegramJobs } from './telegram/jobs.ts';
import { telegramRoutes } from './telegram/routes.ts';
import { createTelegram, type Telegram } from './telegram/service.ts';
import { findUserChat, markBlocked, reserveSlot } from './telegram/store/chats.ts';
import { countAttempt } from './telegram/store/codes.ts';
import { webhooksJobs } from './webhooks/jobs.ts';
import { webhooksRoutes } from './webhooks/routes.ts';

const TESTS_AN_HOUR = 20;
const HOUR_SECONDS = 3600;
const CALL_MS = 8_000;

/** Sends the announcement to the caller's own chat immediately, within the rate limit. */
async function sendTest(ctx: TelegramContext, { userId }: Caller, text: string): Promise<void> {
  const { db } = ctx;
  const bot = getBot(ctx);
  const chat = await findUserChat(db, bot.id, userId);
  if (!chat || chat.isBlocked) throw new AppError('conflict', 'Connect your own chat first to receive the test');
  const now = ctx.now();
  const key = `tests of ${userId}`;
  const { hits, resetsAt } = await countAttempt(db, { key, windowSeconds: HOUR_SECONDS, now, updateId: null });
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1000));
  if (hits > TESTS_AN_HOUR)
    throw new AppError('rate_limited', `Limit reached: ${TESTS_AN_HOUR} tests per hour`, { retryAfterSeconds });
  const turn = await reserveSlot(db, { botId: bot.id, userId, now, mostMs: 0 });
  if (!turn || turn.waitMs > 0)
    throw new AppError('rate_limited', 'Telegram allows one message per second per chat. Try again in a moment.', {
      retryAfterSeconds: 1,
    });
  try {
    await bot.api.send(turn.chatId, announcementHtml(text), 'html', AbortSignal.timeout(CALL_MS));
  } catch (error) {
    if (isGone(error)) {
      await markBlocked(db, bot.id, turn.chatId, ctx.now());
      throw new AppError('conflict', 'You have blocked the bot. Unblock it in Telegram and try again.');
    }
    const waitSeconds = readRetryAfter(error);
    if (waitSeconds === undefined) throw new AppError('unavailable', errorText(error));
    throw new AppError('rate_limited', `Telegram rate limit: try again in ${waitSeconds} s`, {
      retryAfterSeconds: waitSeconds,
    });
  }
}

/** Administration of the bot. */
function telegramAdminRoutes(app: FastifyInstance, { ctx, webhookSecret }: Telegram, auth: AuthContext): void {
  route(app, getBotState, async () => ({
    bot: await overseeing.readState(ctx),
    lastHour: await overseeing.readLastHour(ctx),
  }));
  route(app, getBotWebhook, () => overseeing.readWebhook(ctx));
  route(app, registerBotWebhook, ({ caller }) => overseeing.registerWebhook(ctx, webhookSecret ?? '', caller));
  route(app, listBotChats, ({ query }) => overseeing.listChats(ctx, query));
  route(app, listBotCommands, () => overseeing.listCommands(ctx));
  route(app, getBotAudience, () => broadcasts.readAudience(ctx));
  route(app, testBroadcast, async ({ caller, body }) => {
    await sendTest(ctx, caller, body.text);
    return { success: true as const };
  });
  route(app, sendBroadcast, ({ caller, body }) => broadcasts.sendBroadcast({ ...ctx, auth }, caller, body));
  route(app, listBroadcasts, ({ query }) => broadcasts.listBroadcasts(ctx, query.before));
  route(app, cancelBroadcast, ({ caller, params }) => broadcasts.cancelBroadcast(ctx, caller, params.id));
}

type Routes = Parameters<typeof demoMailsRoutes>[1] & {
  notifications: Notifications;
  telegram: Telegram;
  push: Push;
  auth: Auth;
  live: Live;
  mode: DataMode;
};
/** Test only: channels added to those of the product, or replacing the one of the same name. */
type Needs = FeatureContext & { channels?: Channel[] };
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
    const own = openChannels({ ...common, push, telegram, settle: createSettle(now) });
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
    ownedBy('push_browsers', 'created_at device', {
      id: QUEUE,
      session_id: QUEUE,
      endpoint: SECRET,
      p256dh: SECRET,
      auth: SECRET,
    }),
    ownedBy('telegram_chats', 'linked_at chat_id blocked_at', { bot_id: QUEUE, linked_by: QUEUE, free_at: QUEUE }),
    ownedBy('mail_suppressions', 'at reason note until', { address_hash: HASH }),
    ownedBy('notification_deliveries', 'created_at channel state due_at queued_at sent_at tries note', {
      id: QUEUE,
      event_id: QUEUE,
      lane: QUEUE,
      expires_at: QUEUE,
      locked_until: QUEUE,
      held: QUEUE,
      restarted_at: QUEUE,
    }),
    ownedBy('notification_events', 'created_at kind severity category subject payload withdrawn_at', {
      id: QUEUE,
      dedupe_key: QUEUE,
      alert_id: QUEUE,
      expires_at: QUEUE,
      fanned_to: QUEUE,
      fanned_at: QUEUE,
    }),
    ownedBy(
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
