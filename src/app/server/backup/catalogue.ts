import pg from 'pg';

import type { Connection } from '#kernel/db.ts';

/** A table that stores rows: a partition, or a table without partitions. */
export type TableShape = {
  schema: string;
  name: string;
  /** The table it is a partition of. */
  parent: string | null;
  /** For a time partition: its start and exclusive end, as the server writes them in UTC. */
  bounds: [string, string] | null;
  /** Columns to copy, in order; generated ones are excluded. */
  columns: { name: string; type: string }[];
  /** Columns generated from others. */
  generated: string[];
};

export type SequenceState = { schema: string; name: string; value: string; called: boolean };

/**
 * Rows, and the sum of the first eight bytes of each row's SHA-256: the same for the same rows in any order, on every
 * PostgreSQL.
 */
export type Content = { rows: number; hash: string };

/** Application name of our sessions. */
export const READER = 'meridian-backup';
export const JOBS_SCHEMA = 'pgboss';
const SCHEMAS = ['public', JOBS_SCHEMA];
/** Internal tables of the job queue, which it recreates. */
const QUEUE_TABLES = /^(version|bam|warning|queue_stats.*)$/;

/** Exists throughout a restore or a move: the product refuses a database that has it. */
export const MARKER = 'unfinished_copy';

// The text of a value must be the same on both sides, whatever the server settings.
const STABLE_OUTPUT = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set client_encoding = 'UTF8'; set statement_timeout = 0; set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set search_path = public`;

/** A session that writes every value in the same format on both sides. */
export async function connect(connection: Connection): Promise<pg.Client> {
  const client = await openClient(connection);
  await client.query(STABLE_OUTPUT);
  return client;
}

export async function openClient(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({ application_name: READER, keepAlive: true, ...connection });
  // A lost connection rejects the pending query.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return client;
}

export async function withClient<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(connection);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export const quoteTable = ({ schema, name }: { schema: string; name: string }): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

/** Every table of the product and of its job queue that stores rows, according to the catalog. */
export async function readTables(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape & { bound: string | null }>(
    `select n.nspname as schema, c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
        coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
          order by a.attnum) filter (where a.attgenerated = ''), '[]') as columns,
        coalesce(jsonb_agg(a.attname order by a.attnum) filter (where a.attgenerated <> ''), '[]') as generated
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
        left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
        left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where n.nspname = any($1) and c.relkind = 'r' and c.relname <> $2
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
      group by n.nspname, c.relname, p.relname, c.relpartbound, c.oid
      order by 1, 2`,
    [SCHEMAS, MARKER],
  );
  return rows
    .filter(({ schema, name }) => schema !== JOBS_SCHEMA || !QUEUE_TABLES.test(name))
    .map(({ bound, ...table }) => ({ ...table, bounds: parseBounds(bound) }));
}

function parseBounds(bound: string | null): [string, string] | null {
  const [, from, to] = /^FOR VALUES FROM \('([\d :+.-]+)'\) TO \('([\d :+.-]+)'\)$/.exec(bound ?? '') ?? [];
  return from && to ? [from, to] : null;
}

/** Sequence values are not part of a snapshot: read last, they are above every row in it. */
export async function readSequences(client: pg.Client): Promise<SequenceState[]> {
  const { rows: names } = await client.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1) and c.relkind = 'S' order by 1, 2`,
    [SCHEMAS],
  );
  const states: SequenceState[] = [];
  for (const name of names) {
    const { rows } = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${quoteTable(name)}`,
    );
    for (const row of rows) states.push({ ...name, ...row });
  }
  return states;
}

/** Columns by name, because two databases may have added them in a different order. */
export async function readContent(client: pg.Client, table: TableShape): Promise<Content> {
  const columns = [...table.columns.map(({ name }) => name), ...table.generated].toSorted().map(pg.escapeIdentifier);
  const { rows } = await client.query<{ rows: string; hash: string }>(
    `select count(*)::text as rows, coalesce(sum(('x' || encode(substring(sha256(convert_to(
        row(${columns.join(', ')})::text, 'UTF8')) from 1 for 8), 'hex'))::bit(64)::bigint), 0)::text as hash
      from only ${quoteTable(table)}`,
  );
  const [found] = rows as [{ rows: string; hash: string }];
  return { rows: Number(found.rows), hash: found.hash };
}

export const copyOutCommand = (table: TableShape): string =>
  `copy ${quoteTable(table)} (${columnList(table)}) to stdout`;
export const copyInCommand = (table: TableShape): string =>
  `copy ${quoteTable(table)} (${columnList(table)}) from stdin`;
const columnList = ({ columns }: TableShape) => columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ');

/** All constraints, one line each: keys, checks, indexes and triggers with their state. */
export async function readGuards(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `select format('%s %s %s %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid), c.convalidated) as line
        from pg_constraint c join pg_namespace n on n.oid = c.connamespace where n.nspname = any($1) and c.contype <> 'n'
          and c.conparentid = 0
      union all
      select format('%s %s', pg_get_indexdef(i.indexrelid), i.indisvalid)
        from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = any($1)
      union all
      select format('%s %s', pg_get_triggerdef(t.oid), t.tgenabled)
        from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = any($1) and not t.tgisinternal
      order by 1`,
    [SCHEMAS],
  );
  return rows.map(({ line }) => line);
}

export type ForeignKey = { table: string; name: string; definition: string };

export async function readForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<{ schema: string; relation: string; name: string; definition: string }>(
    `select n.nspname as schema, r.relname as relation, c.conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c join pg_class r on r.oid = c.conrelid join pg_namespace n on n.oid = r.relnamespace
      where n.nspname = any($1) and c.contype = 'f' and c.conparentid = 0 order by 1, 2, 3`,
    [SCHEMAS],
  );
  return rows.map(({ schema, relation, name, definition }) => ({
    table: quoteTable({ schema, name: relation }),
    name: pg.escapeIdentifier(name),
    definition,
  }));
}
