import pg from 'pg';

import { copyInCommand, JOBS_SCHEMA, quoteTable, type TableShape } from './catalogue.ts';
import { CopyIn } from './copy.ts';
import type { Source } from './source.ts';

/** Queues first, because each job references one. Finished jobs are history of the older queue and are not copied. */
const COPIED_STATES = [
  { name: 'queue', of: 'queue', where: 'true' },
  { name: 'job_common', of: 'job', where: `state < 'completed'` },
];

/**
 * The job queue of another version has other columns. Its queues and its waiting or running jobs are copied by the
 * columns common to both; the product writes schedules at its start.
 */
export async function copyJobs(client: pg.Client, source: Source): Promise<void> {
  for (const { name, of, where } of COPIED_STATES) {
    const given = source.tables.find((table) => table.schema === JOBS_SCHEMA && table.name === name);
    if (!given) continue;
    const target = quoteTable({ schema: JOBS_SCHEMA, name: of });
    const { rows } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
        and attgenerated = ''`,
      [target],
    );
    const known = new Set(rows.map((row) => row.name));
    const common = given.columns
      .filter((column) => known.has(column.name))
      .map((column) => pg.escapeIdentifier(column.name))
      .join(', ');
    const staging: TableShape = { ...given, schema: 'pg_temp', name: `carried_${name}` };
    const columns = given.columns.map((column) => `${pg.escapeIdentifier(column.name)} ${column.type}`);
    await client.query(`create temporary table ${staging.name} (${columns.join(', ')})`);
    await source.send(given, new CopyIn(client, copyInCommand(staging)));
    await client.query(
      `insert into ${target} (${common}) select ${common} from ${quoteTable(staging)} where ${where} on conflict do nothing`,
    );
    await client.query(`drop table ${quoteTable(staging)}`);
  }
}
