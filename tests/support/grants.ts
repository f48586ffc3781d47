import type { NewGrant } from '#features/billing/server/service.ts';
import { addGrant, revokeGrant } from '#features/billing/server/service.ts';

import type { Person } from './people.ts';
import type { Started } from './start.ts';

let count = 0;

/** Grants a plan as a payment would; 'wallet:…' unless it says otherwise. Its source. */
export async function grantTo(s: Started, { id }: Pick<Person, 'id'>, change: Partial<NewGrant> = {}): Promise<string> {
  const ctx = s.product.billing;
  const at = s.clock.now();
  count += 1;
  const grant: NewGrant = {
    source: `wallet:pay_${count}:1`,
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
