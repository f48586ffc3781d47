import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Supplies stored before may be total supplies of CoinPaprika: the next price list of either kind replaces them.
  await sql`alter table coins add column supply_method text check (supply_method in ('measured', 'computed'))`.execute(
    db,
  );
}
