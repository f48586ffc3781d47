import { emailChannel } from '#features/notifications/server/email/service.ts';
import type { Channel, Delivery, Outcome, Settle } from '#features/notifications/server/notifications/channel.ts';
import type { Push } from '#features/notifications/server/push/service.ts';
import type { Telegram } from '#features/notifications/server/telegram/service.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';
import type { Mail } from '#kernel/mail/mail.ts';
import type { Secrets } from '#kernel/secrets.ts';
import type { DataMode } from '#shared/provenance.ts';
import { openWebhooks, type WebhooksContext, type WebhooksDeps } from './webhooks/context.ts';
import { callWebhook, record } from './webhooks/service/call.ts';
import { findEnabled, findSettled, reachable, type Settled, type WebhookRow } from './webhooks/store.ts';

const BATCH = 50;
/** A webhook with this many consecutive failures is called only occasionally: each call may take until its timeout. */
const FAILURES_BEFORE_COOLDOWN = 5;
const COOLDOWN_MS = 60_000;

type WebhookOutcome = { host: string; outcome: Exclude<Outcome, { state: 'handed' }> };

/** Webhooks as a notification channel. All webhooks of a user form one delivery. */
function webhookChannel(deps: WebhooksDeps): Channel {
  const ctx = openWebhooks(deps);
  return {
    name: 'webhook',
    reach: reachable(),
    perSecond: null,
    batch: BATCH,
    async send(deliveries, signal) {
      const rows = await findEnabled(ctx.db, [...new Set(deliveries.map(({ userId }) => userId))]);
      const settled = await findSettled(
        ctx.db,
        deliveries.map(({ id }) => id),
      );
      const endOf = new Map(settled.map((each) => [`${each.delivery_id} ${each.webhook_id}`, each]));
      return Promise.all(
        deliveries.map(async (delivery) => {
          const own = rows.filter((row) => row.user_id === delivery.userId);
          const each = own.map(async (row): Promise<WebhookOutcome> => {
            const before = endOf.get(`${delivery.id} ${row.id}`);
            if (before && isFinal(before, delivery))
              return { host: row.host, outcome: { state: before.state, note: 'already delivered' } };
            return { host: row.host, outcome: await sendToWebhook(ctx, row, delivery, signal) };
          });
          return combineOutcomes(await Promise.all(each));
        }),
      );
    },
  };
}

/** A successful webhook is not called again; one that failed before a restart is retried. */
const isFinal = ({ state, at }: Settled, { restartedAt }: Delivery): boolean =>
  state === 'sent' || restartedAt === null || at > restartedAt;

async function sendToWebhook(
  ctx: WebhooksContext,
  row: WebhookRow,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<WebhookOutcome['outcome']> {
  const restMs = cooldownMs(row, ctx.now());
  if (restMs > 0) return { state: 'later', note: `paused briefly after ${row.failures} failures`, afterMs: restMs };
  const { id, queuedAt, notice } = delivery;
  const message = {
    id: `dlv_${id}`,
    createdAt: queuedAt,
    notice,
    url: ctx.publicUrl() + notice.path,
    dataMode: ctx.mode,
  };
  try {
    const posted = await callWebhook(ctx, row, message, signal);
    if (signal.aborted && posted.state === 'later') return { state: 'later', note: posted.note };
    await record(ctx, row, { deliveryId: id, kind: notice.kind }, posted);
    const { state, note, afterMs } = posted;
    return state === 'later' && afterMs !== undefined ? { state, note, afterMs } : { state, note };
  } catch (error) {
    ctx.report('webhooks', 'system', 'Failed to call a webhook', error);
    return { state: 'later', note: 'internal error' };
  }
}

function cooldownMs({ failures, last_at }: WebhookRow, now: Date): number {
  if (failures < FAILURES_BEFORE_COOLDOWN || last_at === null) return 0;
  return Date.parse(last_at) + COOLDOWN_MS - now.getTime();
}

const countText = (count: number) => `${count} ${count === 1 ? 'webhook' : 'webhooks'}`;

/** Combined outcome of the delivery. It is complete when every webhook has received it or never will. */
function combineOutcomes(each: readonly WebhookOutcome[]): Outcome {
  if (each.length === 0) return { state: 'dropped', note: 'No webhook is enabled' };
  const of = (state: Outcome['state']) => each.filter(({ outcome }) => outcome.state === state);
  const sent = of('sent').length;
  const joinNotes = (some: readonly WebhookOutcome[]) =>
    some.map(({ host, outcome }) => `${host}: ${outcome.note}`).join('; ');

  const later = of('later');
  if (later.length > 0) {
    const waits = later.flatMap(({ outcome }) => (outcome.state === 'later' ? (outcome.afterMs ?? []) : []));
    const note = `${sent > 0 ? `to ${sent} of ${countText(each.length)}; ` : ''}${joinNotes(later)}`;
    return { state: 'later', note, ...(waits.length > 0 ? { afterMs: Math.min(...waits) } : {}) };
  }
  if (sent === each.length) return { state: 'sent', note: `to ${countText(sent)}` };
  const others = each.filter(({ outcome }) => outcome.state !== 'sent');
  if (sent > 0) return { state: 'sent', note: `to ${sent} of ${countText(each.length)}; ${joinNotes(others)}` };
  return { state: of('failed').length > 0 ? 'failed' : 'dropped', note: joinNotes(others) };
}

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
  /** For channels that hand over to a queue of their own. */
  settle: Settle;
  publicUrl: () => string;
};

/** The notification channels. */
export function openChannels(deps: ChannelDeps): Channel[] {
  return [emailChannel(deps), deps.push.channel, deps.telegram.channel, webhookChannel(deps)];
}
