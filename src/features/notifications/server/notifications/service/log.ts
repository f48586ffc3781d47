import {
  type AdminDelivery,
  CHANNELS,
  type ChannelName,
  type Delivery,
  type Latency,
} from '#features/notifications/contract/notifications.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { NotificationsContext } from '../context.ts';
import { toNotice } from '../notice.ts';
import { wakeWorkers } from '../store/announce.ts';
import { restartDelivery } from '../store/claim.ts';
import {
  countFailed,
  failedDeliveries,
  findDelivery,
  inAppLatency,
  type Logged,
  latencies,
  selectDeliveries,
} from '../store/log.ts';

const DAY_MS = 86_400_000;
const MEASURED_DAYS = 30;
const MEASURED_FOR_MS = 60_000;
const HOUR_MS = 3_600_000;
const MAX_FAILED = 100;
const NOT_FOUND = 'Delivery not found';

function toDelivery(row: Logged, now: Date): Delivery {
  const isWaiting = row.state === 'due' || row.state === 'digest';
  const isHeld = isWaiting && row.held && new Date(row.due_at) > now;
  const why = row.state === 'digest' ? 'Held for your digest' : 'Held until your quiet hours end';
  return {
    id: row.id,
    channel: row.channel,
    title: toNotice(row).title,
    severity: row.severity,
    state: row.state === 'due' || row.state === 'digest' ? 'waiting' : row.state,
    queuedAt: row.queued_at,
    dueAt: isWaiting ? row.due_at : null,
    sentAt: row.sent_at,
    latencyMs: row.sent_at === null ? null : Date.parse(row.sent_at) - Date.parse(row.queued_at),
    tries: row.tries,
    note: row.note ?? (isHeld || row.state === 'digest' ? why : null),
  };
}

const toAdminDelivery = (row: Logged & { email: string }, now: Date): AdminDelivery => ({
  ...toDelivery(row, now),
  userId: row.user_id,
  email: row.email,
});

type Page = { limit: number; before?: number | undefined };

export async function listDeliveries(ctx: NotificationsContext, userId: number, page: Page): Promise<Delivery[]> {
  const { rows } = await selectDeliveries(userId, page.limit, page.before).execute(ctx.db);
  const now = ctx.now();
  return rows.map((row) => toDelivery(row, now));
}

export async function listFailed(ctx: NotificationsContext, channel: ChannelName | undefined) {
  const [rows, total] = await Promise.all([
    failedDeliveries(ctx.db, channel, MAX_FAILED),
    countFailed(ctx.db, channel),
  ]);
  const now = ctx.now();
  return { deliveries: rows.map((row) => toAdminDelivery(row, now)), total };
}

export async function getDelivery(ctx: NotificationsContext, id: number): Promise<AdminDelivery> {
  const row = await findDelivery(ctx.db, id);
  if (!row) throw new AppError('not_found', NOT_FOUND);
  return toAdminDelivery(row, ctx.now());
}

export async function retryDelivery({ db, now }: NotificationsContext, actorId: number, id: number): Promise<void> {
  const at = now();
  await db.transaction().execute(async (tx: Db) => {
    if (!(await restartDelivery(tx, id, at, new Date(at.getTime() + HOUR_MS)))) {
      if (await findDelivery(tx, id)) throw new AppError('conflict', 'This delivery has not failed');
      throw new AppError('not_found', NOT_FOUND);
    }
    await audit(tx, { at, actorId, subjectId: null, action: 'delivery.retry', details: { delivery: id } });
    await wakeWorkers(tx);
  });
}

/** Computed at most once per minute, for all callers. */
export function createLatency({ db, now }: NotificationsContext): () => Promise<Latency> {
  let cached: { at: number; latency: Promise<Latency> } | null = null;

  async function measure(): Promise<Latency> {
    const to = now();
    const from = new Date(to.getTime() - MEASURED_DAYS * DAY_MS);
    const measured = new Map((await latencies(db, from)).map((each) => [each.channel, each]));
    const ways = CHANNELS.map(
      (channel) => measured.get(channel) ?? { channel, n: 0, p50Ms: null, p95Ms: null, p99Ms: null },
    );
    const channels = [await inAppLatency(db, from), ...ways];
    return { from: from.toISOString(), to: to.toISOString(), channels };
  }

  return () => {
    const at = now().getTime();
    if (cached && at >= cached.at && at - cached.at < MEASURED_FOR_MS) return cached.latency;
    const measurement = { at, latency: measure() };
    cached = measurement;
    measurement.latency.catch(() => {
      if (cached === measurement) cached = null;
    });
    return measurement.latency;
  };
}
