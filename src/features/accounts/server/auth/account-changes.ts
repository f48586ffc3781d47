import { sql } from 'kysely';
import { z } from 'zod';

import type { Db } from '#kernel/db.ts';

/** Notifies every process of invalidated account data, at the commit of the transaction that changed it. */
export const ACCOUNTS_CHANNEL = 'accounts';

/** Longer lists would exceed the size of a NOTIFY. */
const MOST_IDS = 200;

const accountChange = z.object({
  user: z.number(),
  /** Sessions whose streams close. */
  ended: z.union([z.literal('all'), z.array(z.number())]),
});
export type AccountChange = z.infer<typeof accountChange>;

export async function notifyAccountChange(db: Db, { user, ended }: AccountChange): Promise<void> {
  const news: AccountChange = { user, ended: ended !== 'all' && ended.length > MOST_IDS ? 'all' : ended };
  await sql`select pg_notify(${ACCOUNTS_CHANNEL}, ${JSON.stringify(news)})`.execute(db);
}

export const parseAccountChange = (payload: string): AccountChange => accountChange.parse(JSON.parse(payload));
