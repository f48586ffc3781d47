import type { z } from 'zod/mini';
import { hasSecondFactor, listSessions, type Origin } from '#features/accounts/server/auth/service.ts';
import { countPasskeys } from '#features/accounts/server/passkeys/service.ts';
import { readLedgerView } from '#features/accounts/server/subscriptions/service.ts';
import { listDeliveries } from '#features/notifications/server/notifications/service.ts';
import type { AuditEntry, listAudit, UserDetail } from '#features/operations/contract/admin.ts';
import { drawReceipt, readBilling } from '#features/payments/server/billing/service.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import type { Caller, Input } from '#kernel/route.ts';
import type { AdminContext } from '../context.ts';
import { type AuditRow, findDisabled, findEmails, findIds, newestEntries } from '../store.ts';
import { getListed } from './users.ts';

const PAGE = 50;
const DAY_MS = 86_400_000;
/** Limit of accounts matched by part of an address: the newest count. */
const MAX_ACCOUNTS = 500;

/** An id may belong to a deleted account. */
async function findMatchingIds(db: Db, wanted: string | undefined): Promise<number[] | undefined> {
  const text = wanted?.trim();
  if (!text) return undefined;
  return /^\d{1,15}$/.test(text) ? [Number(text)] : findIds(db, text, MAX_ACCOUNTS);
}

/** The account of an id; `email` is null once it is deleted. */
const toParty = (addresses: ReadonlyMap<number, string>, id: number | null) =>
  id === null ? null : { id, email: addresses.get(id) ?? null };

async function withParties(db: Db, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const addresses = await findEmails(
    db,
    rows.flatMap(({ actor_id, subject_id }) => [actor_id, subject_id]),
  );
  return rows.map(({ actor_id, subject_id, ...entry }) => ({
    ...entry,
    actor: toParty(addresses, actor_id),
    subject: toParty(addresses, subject_id),
  }));
}

export async function readAudit(
  { db }: { db: Db },
  { action, actor, subject, from, to, before }: Input<typeof listAudit>['query'],
): Promise<z.infer<(typeof listAudit)['reply']>> {
  const [actors, subjects] = await Promise.all([findMatchingIds(db, actor), findMatchingIds(db, subject)]);
  const filter = {
    action,
    actors,
    subjects,
    from: from === undefined ? undefined : new Date(from),
    end: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
    before: before === undefined ? undefined : Number(before),
  };
  const rows = await newestEntries(db, filter, PAGE + 1);
  return { entries: await withParties(db, rows.slice(0, PAGE)), more: rows.length > PAGE };
}

const SHOWN = 50;
const OWN_RECEIPTS = '/api/billing/receipts/';

/** Everything needed for support, but nothing that would give access to the account. */
export async function readDetail(ctx: AdminContext, userId: number): Promise<UserDetail> {
  const { db } = ctx;
  const user = await getListed(ctx, userId);
  const person = { userId, sessionId: null };
  const [ledger, disabled, sessions, billing, deliveries, keys, twoFactor, passkeys, log] = await Promise.all([
    readLedgerView(db, userId, ctx.now()),
    findDisabled(db, userId),
    listSessions(ctx, person),
    readBilling(ctx.billing, person),
    listDeliveries(ctx.notifications, userId, { limit: SHOWN }),
    ctx.keysOf(userId),
    hasSecondFactor(db, userId),
    countPasskeys(ctx, userId),
    newestEntries(db, { subjects: [userId] }, SHOWN),
  ]);
  const addresses = await findEmails(db, [disabled?.by ?? null, ...ledger.map(({ createdBy }) => createdBy)]);
  return {
    user,
    disabled: disabled ? { ...disabled, by: toParty(addresses, disabled.by) } : null,
    facts: ledger.map(({ startsAt, endsAt, at, createdBy, ...fact }) => ({
      ...fact,
      from: startsAt.toISOString(),
      until: endsAt?.toISOString() ?? null,
      at: at.toISOString(),
      by: toParty(addresses, createdBy),
    })),
    sessions,
    billing: {
      ...billing,
      entries: billing.entries.map((entry) => ({
        ...entry,
        receipt: entry.receipt?.replace(OWN_RECEIPTS, `/api/admin/users/${userId}/receipts/`) ?? null,
      })),
    },
    deliveries,
    keys,
    twoFactor,
    passkeys,
    audit: await withParties(db, log),
  };
}

/** Recorded in the audit log, since it reveals what a user has paid. */
export async function drawUserReceipt(
  ctx: AdminContext,
  caller: Caller,
  { network }: Origin,
  { userId, receipt }: { userId: number; receipt: string },
): Promise<{ number: string; bytes: Buffer }> {
  await getListed(ctx, userId);
  const receiptPdf = await drawReceipt(ctx.billing, { userId }, receipt);
  const entry = { actorId: caller.userId, subjectId: userId, action: 'receipt.read', details: { receipt }, network };
  await audit(ctx.db, { at: ctx.now(), ...entry });
  return receiptPdf;
}
