import type { FastifyInstance } from 'fastify';

import { getLedger, verifyLedger } from '#features/predictions/contract.ts';
import { route } from '#server/platform/route.ts';

import type { Predictions } from './service.ts';
import { entriesAfter, lastEntry, roots } from './store/ledger.ts';

export function ledgerRoutes(app: FastifyInstance, { ctx: { db }, verify }: Predictions): void {
  route(app, getLedger, async ({ query: { after, limit } }) => {
    const [entries, newest, published] = await Promise.all([entriesAfter(db, after, limit), lastEntry(db), roots(db)]);
    return { entries, newest: newest?.seq ?? 0, roots: published };
  });
  route(app, verifyLedger, verify);
}
