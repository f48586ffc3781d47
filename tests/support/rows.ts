import { Client } from 'pg';

import type { Started } from './start.ts';

async function query<T>(s: Started, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client(s.connection);
  await client.connect();
  try {
    const { rows } = await client.query(text, values);
    return rows as T[];
  } finally {
    await client.end();
  }
}

export type Audited = { action: string; details: Record<string, unknown>; network: string | null };

/** What the audit log keeps of an account, oldest first. */
export async function auditOf(s: Started, userId: number, noun: string): Promise<Audited[]> {
  const text = `select action, details, network from audit_log where subject_id = $1 and action like $2 order by id`;
  return query(s, text, [userId, `${noun}.%`]);
}

/** Every row of every table as PostgreSQL writes it: bytes are in hex. */
export async function everything(s: Started): Promise<string> {
  const tables = await query<{ name: string }>(
    s,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(s, `select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}
