import { sql } from 'kysely';
import { z } from 'zod';

import type { Db } from '#server/platform/db.ts';

/** Asks every process to give back what it holds of a day and does not need. */
export const UNITS_CHANNEL = 'api_units';

const wish = z.object({ user: z.number(), day: z.string(), from: z.string() });
/** `from` is the process that asks. */
export type Wish = z.infer<typeof wish>;

export async function askForUnits(db: Db, asked: Wish): Promise<void> {
  await sql`select pg_notify(${UNITS_CHANNEL}, ${JSON.stringify(asked)})`.execute(db);
}

export const readWish = (payload: string): Wish => wish.parse(JSON.parse(payload));
