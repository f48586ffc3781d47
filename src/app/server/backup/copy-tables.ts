import pg from 'pg';
import type { Connection } from '#kernel/db.ts';
import { type Migrations, migrateWith } from '#kernel/migrate.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import { migrations as ours } from '../migrations.ts';
import {
  type Content,
  copyInCommand,
  JOBS_SCHEMA,
  MARKER,
  quoteTable,
  readContent,
  readForeignKeys,
  readGuards,
  readTables,
  type TableShape,
  withClient,
} from './catalogue.ts';
import { CopyIn } from './copy.ts';
import { copyJobs } from './jobs.ts';
import type { Source } from './source.ts';

export type Filled = { tables: number; rows: number; leftOut: string[] };

type Table = TableShape & Content;

const qualifiedName = ({ schema, name }: TableShape) => `${schema}.${name}`;

/** The migrations that created the tables of the source; refuses those this version does not know. */
export function selectMigrations(names: string[], known: Migrations = ours): Migrations {
  const unknown = names.filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0)
    throw new AppStartError(`The data comes from a newer version with ${unknown.join(', ')}. Update Meridian first.`);
  return Object.fromEntries(names.map((name) => [name, known[name]])) as Migrations;
}

/**
 * Fills an empty database: our own migrations create the tables, then the rows are copied. The database is marked as
 * unfinished from the start; the caller removes the marker when everything is done. At the end, every table is verified
 * to be equal.
 */
export async function copyTables(target: Connection, source: Source, known: Migrations = ours): Promise<Filled> {
  const schema = selectMigrations(source.migrations, known);
  return withClient(target, async (client) => {
    await assertSameEncoding(client);
    await client.query(`create table if not exists public.${MARKER} (since timestamptz not null default now())`);
    await migrateWith(target, schema);
    const { rows } = await client.query<{ version: number }>(`select version from ${JOBS_SCHEMA}.version`);
    const sameJobs = rows[0]?.version === source.jobsVersion;
    const guards = await readGuards(client);
    await createPartitions(client, source.tables);
    const { tables, leftOut } = await matchTables(client, source.tables, sameJobs);
    await load(client, source, tables);
    if (!sameJobs) await copyJobs(client, source);
    await verifyEqual(client, tables);
    await verifyConstraints(client, guards, source.tables);
    await setSequences(client, source);
    await client.query('analyze');
    return { tables: tables.length, rows: tables.reduce((total, table) => total + table.rows, 0), leftOut };
  });
}

export async function removeMarker(target: Connection): Promise<void> {
  await withClient(target, (client) => client.query(`drop table public.${MARKER}`));
}

async function assertSameEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8')
    throw new AppStartError(`The database encoding is ${encoding}. Create one with ENCODING 'UTF8'.`);
}

async function createPartitions(client: pg.Client, tables: Table[]): Promise<void> {
  for (const { schema, name, parent, bounds } of tables) {
    if (!parent || !bounds || schema === JOBS_SCHEMA) continue;
    const [from, to] = bounds.map((bound) => pg.escapeLiteral(bound));
    await client.query(
      `create table if not exists ${quoteTable({ schema, name })} partition of ${quoteTable({ schema, name: parent })}
        for values from (${from}) to (${to})`,
    );
  }
}

const tableShape = ({ columns, generated }: TableShape) =>
  JSON.stringify([columns.map(({ name, type }) => `${name} ${type}`).toSorted(), generated.toSorted()]);

/**
 * Tables of the same name have the same columns, because the same migrations created them; unknown tables are reported
 * and left out.
 */
async function matchTables(
  client: pg.Client,
  given: Table[],
  sameJobs: boolean,
): Promise<{ tables: Table[]; leftOut: string[] }> {
  const present = new Map((await readTables(client)).map((table) => [qualifiedName(table), table]));
  const wanted = given.filter(({ schema }) => sameJobs || schema !== JOBS_SCHEMA);
  const tables = wanted.filter((table) => present.has(qualifiedName(table)));
  for (const table of tables) {
    if (tableShape(table) !== tableShape(present.get(qualifiedName(table)) as TableShape))
      throw new AppStartError(`The columns of the table ${qualifiedName(table)} do not match this version.`);
    present.delete(qualifiedName(table));
  }
  const missing = [...present.values()].filter(({ schema }) => sameJobs || schema !== JOBS_SCHEMA);
  if (missing.length > 0)
    throw new AppStartError(`The data does not include the table ${missing.map(qualifiedName).join(', ')}.`);
  return { tables, leftOut: wanted.filter((table) => !tables.includes(table)).map(qualifiedName) };
}

/** Like pg_restore: foreign keys and our own triggers are restored after all rows are loaded. */
async function load(client: pg.Client, source: Source, tables: Table[]): Promise<void> {
  const keys = await readForeignKeys(client);
  const names = tables.map((table) => quoteTable(table));
  const { rows: triggered } = await client.query<{ table: string }>(
    `select distinct tgrelid::regclass::text as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
      join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and not tgisinternal`,
  );
  await client.query('set synchronous_commit = off');
  await client.query('begin');
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { table } of triggered) await client.query(`alter table ${table} disable trigger user`);
  await client.query(`truncate only ${names.join(', only ')}`);
  await client.query('commit');
  for (const table of tables) {
    const into = new CopyIn(client, copyInCommand(table));
    await source.send(table, into);
    if (into.rows !== table.rows)
      throw new AppStartError(`${qualifiedName(table)}: received ${into.rows} rows, expected ${table.rows}.`);
  }
  await client.query('begin');
  for (const { table } of triggered) await client.query(`alter table ${table} enable trigger user`);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  await client.query('commit');
  await client.query('reset synchronous_commit');
}

async function verifyEqual(client: pg.Client, tables: Table[]): Promise<void> {
  for (const table of tables) {
    const { rows, hash } = await readContent(client, table);
    if (rows !== table.rows || hash !== table.hash)
      throw new AppStartError(
        `${qualifiedName(table)} differs from the source: ${rows} rows with checksum ${hash}, expected ${table.rows} with ${table.hash}.`,
      );
  }
}

/** No constraint may be lost; new partitions add their own. */
async function verifyConstraints(client: pg.Client, before: string[], tables: Table[]): Promise<void> {
  const now = new Set(await readGuards(client));
  const lost = before.filter((line) => !now.has(line));
  const off = [...now].filter((line) => / f$| D$/.test(line));
  if (lost.length > 0 || off.length > 0)
    throw new Error(`Missing constraints or triggers: ${[...lost, ...off].join('; ')}`);
  const { rows } = await client.query<{ name: string }>(
    `select i.inhrelid::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relkind = 'r'`,
  );
  const there = new Set(rows.map(({ name }) => name));
  const detached = tables.filter(({ schema, name, bounds }) => schema === 'public' && bounds && !there.has(name));
  if (detached.length > 0) throw new Error(`Missing partitions: ${detached.map(qualifiedName).join(', ')}`);
}

/** Set to their source values, and verified to be above every number assigned. */
async function setSequences(client: pg.Client, { sequences }: Source): Promise<void> {
  for (const sequence of sequences) {
    const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      quoteTable(sequence),
    ]);
    if (!rows[0]?.there) continue;
    await client.query('select setval($1, $2, $3)', [quoteTable(sequence), sequence.value, sequence.called]);
  }
  const { rows: owned } = await client.query<{ sequence: string; table: string; column: string }>(
    `select s.oid::regclass::text as sequence, c.oid::regclass::text as table, quote_ident(a.attname) as column
      from pg_class s join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
        join pg_class c on c.oid = d.refobjid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
        join pg_namespace n on n.oid = s.relnamespace
      where s.relkind = 'S' and n.nspname = 'public'`,
  );
  for (const { sequence, table, column } of owned) {
    const { rows } = await client.query<{ behind: boolean }>(
      `select coalesce(max(${column}), 0) > (select last_value from ${sequence}) as behind from ${table}`,
    );
    if (rows[0]?.behind) throw new AppStartError(`The sequence ${sequence} is behind the rows of ${table}.`);
  }
}
