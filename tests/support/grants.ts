import type { NewGrant } from '#features/payments/server/billing/service.ts';
import { addGrant, post, revokeGrant } from '#features/payments/server/billing/service.ts';

import type { Person } from './people.ts';
import type { Started } from './start.ts';

// Test files of a worker share this count, and grants of one moment are ordered by their source: '10' must follow '9'.
let count = 0;

/** Grants a plan as a payment would; 'wallet:…' unless it says otherwise. Its source. */
export async function grantTo(s: Started, { id }: Pick<Person, 'id'>, change: Partial<NewGrant> = {}): Promise<string> {
  const ctx = s.product.billing;
  const at = s.clock.now();
  count += 1;
  const grant: NewGrant = {
    source: `wallet:pay_${String(count).padStart(4, '0')}:1`,
    userId: id,
    plan: 'pro',
    months: 1,
    days: 0,
    goodAt: at,
    units: 29_990_000n,
    at,
    createdBy: null,
    note: '',
    ...change,
  };
  await ctx.db.transaction().execute((tx) => addGrant(ctx, tx, grant));
  return grant.source;
}

export async function takeBack(s: Started, { id }: Pick<Person, 'id'>, source: string): Promise<boolean> {
  const ctx = s.product.billing;
  const revocation = { source, userId: id, at: s.clock.now(), reason: 'reorg' };
  return ctx.db.transaction().execute((tx) => revokeGrant(ctx, tx, revocation));
}

/** Credit that somebody has, as a gift or an overpayment would leave it. */
export async function creditTo(s: Started, { id }: Pick<Person, 'id'>, units: bigint): Promise<void> {
  count += 1;
  const lines = [['goodwill', units] as const, [`credit:${id}`, -units] as const];
  await post(s.product.billing.db, {
    key: `admin:${count}:${id}`,
    at: s.clock.now(),
    about: '',
    createdBy: null,
    lines,
  });
}
