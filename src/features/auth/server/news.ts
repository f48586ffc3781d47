import { sql } from 'kysely';
import { z } from 'zod';

import type { Db } from '#server/platform/db.ts';

/** Tells every process what of an account no longer holds, at the commit of the transaction that changed it. */
export const ACCOUNTS_CHANNEL = 'accounts';

/** Longer lists would not fit a NOTIFY. */
const MOST_IDS = 200;

const accountNews = z.object({
  user: z.number(),
  /** Sessions whose streams close. */
  ended: z.union([z.literal('all'), z.array(z.number())]),
});
export type AccountNews = z.infer<typeof accountNews>;

export async function tellProcesses(db: Db, { user, ended }: AccountNews): Promise<void> {
  const news: AccountNews = { user, ended: ended !== 'all' && ended.length > MOST_IDS ? 'all' : ended };
  await sql`select pg_notify(${ACCOUNTS_CHANNEL}, ${JSON.stringify(news)})`.execute(db);
}

export const readNews = (payload: string): AccountNews => accountNews.parse(JSON.parse(payload));
