import { countAttempt, type Origin } from '#features/accounts/server/auth/service.ts';
import type { reportClientError } from '#features/operations/contract/error-logs.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller, Input } from '#kernel/route.ts';
import { impersonal } from '#shared/impersonal.ts';
import { resolve } from './store.ts';

export type ErrorLogsContext = { db: Db; now: () => Date; report: ReportError; publicUrl: () => string };

const HOUR_SECONDS = 3600;
const MAX_PER_NETWORK = 30;
const MAX_TOTAL = 300;

async function limit(ctx: ErrorLogsContext, key: string, most: number): Promise<void> {
  const { hits, resetsAt } = await countAttempt(ctx.db, `client-error:${key}`, HOUR_SECONDS, ctx.now());
  if (hits <= most) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - ctx.now().getTime()) / 1000));
  throw new AppError('rate_limited', 'Too many attempts. Please try again later.', { retryAfterSeconds });
}

type Report = Input<typeof reportClientError>['body'];

/**
 * Records an error reported by a browser. The endpoint is open to anyone: the report is bounded and remains plain text.
 */
export async function acceptReport(ctx: ErrorLogsContext, told: Report, { network, device }: Origin): Promise<void> {
  await limit(ctx, network, MAX_PER_NETWORK);
  await limit(ctx, 'everyone', MAX_TOTAL);
  const line = impersonal(told.message).replaceAll(/\s+/g, ' ').trim();
  const path = told.path.replace(/[?#].*/s, '');
  const stack = told.stack === undefined ? {} : { stack: impersonal(told.stack) };
  ctx.report('browser', 'system', line || 'Error without a message', {
    kind: told.kind,
    page: impersonal(path),
    browser: device,
    ...stack,
  });
}

export async function resolveOne(ctx: ErrorLogsContext, caller: Caller, id: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const outcome = await resolve(tx, id, ctx.now());
    if (outcome === undefined) throw new AppError('not_found', 'Error not found');
    if (outcome === 'was') return;
    await audit(tx, {
      at: ctx.now(),
      actorId: caller.userId,
      subjectId: null,
      action: 'error.resolve',
      details: { error: id },
    });
  });
}
