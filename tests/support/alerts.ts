import type { RaisedAlert } from '#features/alerts/contract/alerts.ts';
import { type AlertDraft, raiseAlerts } from '#features/alerts/server/alerts/raise.ts';

import type { TestProduct } from './start.ts';

const AT = new Date('2026-11-20T11:59:00Z');

/** An alert for everyone, unless a user is given. */
export const createDraft = (once: string, more: Partial<AlertDraft> = {}): AlertDraft => ({
  idempotencyKey: once,
  own: null,
  type: more.own ? 'CUSTOM_THRESHOLD' : 'SSR_LEVEL',
  severity: 'low',
  message: `This is ${once}`,
  metric: 'ssr',
  value: 1.5,
  source: 'Meridian',
  method: 'computed',
  sourceAt: AT,
  receivedAt: AT,
  evaluatedAt: AT,
  ...more,
});

/** Raises in a separate transaction. */
export function raise(s: TestProduct, drafts: AlertDraft[]): Promise<RaisedAlert[]> {
  const { db, live, now } = s.product.alerts.ctx;
  return db.transaction().execute((tx) => raiseAlerts({ live, now }, tx, drafts));
}
