import type { ComponentId } from '#features/site/contract/status.ts';
import type { Db } from '#kernel/db.ts';
import '../schema.ts';

export type DayRow = { component: ComponentId; day: string; measured: number; degraded: number; down: number };

export const daysSince = (db: Db, day: string): Promise<DayRow[]> =>
  db.selectFrom('status_days').selectAll().where('day', '>=', day).orderBy('day').execute();

/** The state of the last minute that was looked at, where that was not well. */
export async function statesAt(db: Db, minute: Date): Promise<Map<ComponentId, 'degraded' | 'down'>> {
  const rows = await db
    .selectFrom('status_lapses')
    .select(['component', 'state'])
    .where('minute', '=', minute.toISOString())
    .execute();
  return new Map(rows.map(({ component, state }) => [component, state]));
}
