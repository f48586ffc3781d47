import { hasSecondFactor, listSessions, type Origin } from '#features/accounts/server/auth/service.ts';
import { countPasskeys } from '#features/accounts/server/passkeys/service/passkeys.ts';
import { ledgerOf } from '#features/accounts/server/subscriptions/service.ts';
import { listDeliveries } from '#features/notifications/server/notifications/service.ts';
import type { UserDetail } from '#features/operations/contract/admin.ts';
import { drawReceipt, readBilling } from '#features/payments/server/billing/service.ts';
import { audit } from '#kernel/audit.ts';
import type { Caller } from '#kernel/route.ts';

import type { AdminContext } from '../context.ts';
import { newestEntries } from '../store/audit.ts';
import { addressesOf, findDisabled } from '../store/users.ts';
import { partyOf, withParties } from './audit-log.ts';
import { getListed } from './users.ts';

const SHOWN = 50;
const OWN_RECEIPTS = '/api/billing/receipts/';

/** Everything that helps to help somebody; nothing that would open the account. */
export async function readDetail(ctx: AdminContext, userId: number): Promise<UserDetail> {
  const { db } = ctx;
  const user = await getListed(ctx, userId);
  const person = { userId, sessionId: null };
  const [ledger, disabled, sessions, billing, deliveries, keys, twoFactor, passkeys, log] = await Promise.all([
    ledgerOf(db, userId, ctx.now()),
    findDisabled(db, userId),
    listSessions(ctx, person),
    readBilling(ctx.billing, person),
    listDeliveries(ctx.notifications, userId, { limit: SHOWN }),
    ctx.keysOf(userId),
    hasSecondFactor(db, userId),
    countPasskeys(ctx, userId),
    newestEntries(db, { subjects: [userId] }, SHOWN),
  ]);
  const addresses = await addressesOf(db, [disabled?.by ?? null, ...ledger.map(({ createdBy }) => createdBy)]);
  return {
    user,
    disabled: disabled ? { ...disabled, by: partyOf(addresses, disabled.by) } : null,
    facts: ledger.map(({ startsAt, endsAt, at, createdBy, ...fact }) => ({
      ...fact,
      from: startsAt.toISOString(),
      until: endsAt?.toISOString() ?? null,
      at: at.toISOString(),
      by: partyOf(addresses, createdBy),
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

/** Noted, as whoever reads it learns what somebody has paid. */
export async function drawUserReceipt(
  ctx: AdminContext,
  caller: Caller,
  { network }: Origin,
  { userId, receipt }: { userId: number; receipt: string },
): Promise<{ number: string; bytes: Buffer }> {
  await getListed(ctx, userId);
  const drawn = await drawReceipt(ctx.billing, { userId }, receipt);
  const entry = { actorId: caller.userId, subjectId: userId, action: 'receipt.read', details: { receipt }, network };
  await audit(ctx.db, { at: ctx.now(), ...entry });
  return drawn;
}
