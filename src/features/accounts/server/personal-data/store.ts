import { type RawBuilder, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import type { PersonalData } from '#kernel/personal-data.ts';

const ref = (column: string): RawBuilder<unknown> => sql.ref(column);

type Row = Record<string, unknown>;

/** Rows of one part, oldest first; times as ISO 8601, bytes in base64. */
export async function readPart(db: Db, { table, of, joined, shown }: PersonalData, userId: number): Promise<Row[]> {
  const names = shown.split(' ');
  const columns = sql.join(names.map((name) => sql.ref(`t.${name}`)));
  const ownRows = joined
    ? sql`${ref(`t.${joined.column}`)} in (select ${ref(joined.key)} from ${sql.table(joined.table)} where ${ref(joined.of)} = ${userId})`
    : sql`${ref(`t.${of}`)} = ${userId}`;
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(table)} t where ${ownRows} order by ${ref(`t.${names[0]}`)}`.execute(db);
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString('base64') : value]),
    ),
  );
}

/** Email records for an address, without their text. */
export async function readMails(db: Db, address: string): Promise<unknown[]> {
  return db
    .selectFrom('mail_outbox')
    .select(['created_at', 'kind', 'subject', 'state', 'sent_at'])
    .where('address', '=', address)
    .orderBy('id')
    .execute();
}
