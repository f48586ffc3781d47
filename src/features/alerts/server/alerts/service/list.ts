import type { Alert, RaisedAlert } from '#features/alerts/contract/alerts.ts';
import type { Db } from '#kernel/db.ts';
import type { AlertsContext } from '../context.ts';
import { toRaised } from '../raise.ts';
import { alertsOf, findShared } from '../store.ts';

/** Newest first: what was raised for everyone and for one person, and what became of it for them. */
export async function readAlerts(
  { db }: Pick<AlertsContext, 'db'>,
  userId: number,
  page: { limit: number; before?: number | undefined },
): Promise<Alert[]> {
  const { rows } = await alertsOf(userId, page).execute(db);
  return rows.map((row) => {
    const raised = toRaised(row);
    const deliveries = row.deliveries.map(({ channel, sent_at }) => ({
      channel,
      sentAt: new Date(sent_at).toISOString(),
    }));
    return { ...raised, receipt: { ...raised.receipt, deliveries }, acknowledged: row.acknowledged };
  });
}

/** The newest that was raised for everyone before the moment. */
export async function findMarketAlert(db: Db, before: Date): Promise<RaisedAlert | undefined> {
  const row = await findShared(db, before);
  return row && toRaised(row);
}
