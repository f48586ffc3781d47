import { ACCOUNTS_CHANNEL, parseAccountChange } from '#features/accounts/server/auth/service.ts';
import {
  loadRecipients,
  type NewsContent,
  newsMail,
  suppressionReason,
} from '#features/notifications/server/email/service.ts';
import { findPreferences } from '#features/notifications/server/notifications/service.ts';
import { grouped } from '#shared/format.ts';
import type { ApiKeysContext } from './context.ts';
import { createBurst, createGate, type Gate } from './gate.ts';
import { createKeyCallers, type KeyCallers } from './key-callers.ts';
import { createQuota, type Quota } from './quota.ts';
import { markNotified, type Settled } from './store/days.ts';

type Input = {
  userId: number;
  to: string;
  /** Percentage of the limit: 80 or 100. */
  percent: number;
  /** Calls of the day. */
  spent: number;
  limit: number;
  /** The UTC day. */
  day: string;
  publicUrl: string;
};

/** 80% or 100% of the daily API calls are used: each is reported once per day. */
function limitReachedMail({ userId, to, percent, spent, limit, day, publicUrl }: Input): NewsContent {
  const isOver = percent >= 100;
  const title = isOver ? 'You have reached your daily API limit' : `You have used ${percent}% of your daily API calls`;
  return {
    kind: isOver ? 'api-limit-reached' : 'api-limit-near',
    userId,
    to,
    subject: title,
    title,
    lines: [
      isOver
        ? 'Further calls return status 429 until the limit resets at midnight UTC.'
        : 'Calls above the limit return status 429 until it resets at midnight UTC.',
    ],
    facts: [
      { label: 'Used', value: `${grouped(spent)} of ${grouped(limit)} calls` },
      { label: 'Day', value: `${day}, UTC` },
    ],
    action: { label: 'View usage', url: `${publicUrl}/app/profile?tab=api-keys` },
    because: 'your API keys are near or at their daily limit.',
  };
}

/** In percent of the limit, highest first. */
const NOTIFY_AT_PERCENT = [100, 80] as const;

/** The report for a day; null if none is needed or it was already sent. */
function reachedThreshold({ spent, told }: Pick<Settled, 'spent' | 'told'>, limit: number | null): number | null {
  if (limit === null) return null;
  const reached = NOTIFY_AT_PERCENT.find((percent) => spent * 100 >= limit * percent);
  return reached !== undefined && reached > told ? reached : null;
}

/** Emails that a limit is near or reached, once across processes, if wanted and deliverable. */
async function notifyLimit(
  ctx: ApiKeysContext,
  { userId, day, spent }: Settled,
  percent: number,
  limit: number,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await markNotified(tx, userId, day, percent))) return;
    const to = (await loadRecipients(ctx, tx, [userId])).get(userId);
    if (!to || suppressionReason(ctx, to)) return;
    if (!(await findPreferences(tx, userId)).emailNotifications) return;
    const given = { userId, to: to.email, percent, spent, limit, day, publicUrl: ctx.publicUrl() };
    await ctx.mail.enqueue(tx, await newsMail(ctx, limitReachedMail(given)));
  });
}

export { type Admission, type Gate, type KeyCaller, readKey } from './gate.ts';

export type ApiKeys = {
  ctx: ApiKeysContext;
  gate: Gate;
  keys: Pick<KeyCallers, 'forget' | 'read'>;
  /** Writes this process's counts. */
  settle: Quota['settle'];
  /** Subscribes to invalidations and usage of other processes. */
  start: () => Promise<void>;
  /** Writes counts and returns unspent units. */
  stop: () => Promise<void>;
};

/** API keys of one process. */
export function createApiKeys(ctx: ApiKeysContext): ApiKeys {
  const keys = createKeyCallers(ctx);
  const burst = createBurst(ctx.config.API_BURST_PER_SECOND);
  const onSettled = (settled: Settled, limit: number | null) => {
    const percent = reachedThreshold(settled, limit);
    if (percent !== null && limit !== null)
      ctx.afterwards('Failed to send a quota notice', () => notifyLimit(ctx, settled, percent, limit));
  };
  const quota = createQuota(ctx, { onSettled, onTick: () => burst.tidy(ctx.now().getTime()) });
  return {
    ctx,
    gate: createGate(ctx, keys, quota, burst),
    keys,
    settle: quota.settle,
    async start() {
      await ctx.listener.listen(
        ACCOUNTS_CHANNEL,
        (payload) => keys.forget(parseAccountChange(payload).user),
        () => keys.forgetAll(),
      );
      await quota.start();
    },
    stop: quota.stop,
  };
}
