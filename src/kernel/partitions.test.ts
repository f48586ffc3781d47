import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';

import { fileDatabase } from '#tests/support/for-file.ts';

import { openDatabase } from './db.ts';
import { createPartitions, type PartitionedTable } from './partitions.ts';

const DAILY: PartitionedTable = { table: 'daily', every: 'day' };
const MONTHLY: PartitionedTable = { table: 'monthly', every: 'month' };

const open = fileDatabase();

beforeEach(async () => {
  await open.pool.query('drop table if exists daily, monthly');
  for (const name of ['daily', 'monthly'])
    await sql`create table ${sql.table(name)} (at timestamptz not null, n int) partition by range (at)`.execute(
      open.db,
    );
});

const at = (text: string) => new Date(text);
const put = (table: string, ...times: string[]) =>
  open.pool.query(`insert into ${table} select unnest($1::timestamptz[]), 1`, [times]);
const partitionsOf = async (table: string): Promise<string[]> => {
  const { rows } = await open.pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass order by 1`,
    [table],
  );
  return rows.map(({ name }) => name);
};

describe('ensure', () => {
  test('creates every day from the first moment to the last, inclusive, and rows land in their day', async () => {
    await createPartitions(open.db).ensure(DAILY, at('2026-02-27T23:59:59.999Z'), at('2026-03-02T00:00:00Z'));
    expect(await partitionsOf('daily')).toEqual([
      'daily_20260227',
      'daily_20260228',
      'daily_20260301',
      'daily_20260302',
    ]);
    await put('daily', '2026-02-27T23:59:59.999Z', '2026-02-28T00:00:00Z', '2026-03-02T00:00:00Z');
    const { rows } = await open.pool.query('select tableoid::regclass::text as part from daily order by at');
    expect(rows).toEqual([{ part: 'daily_20260227' }, { part: 'daily_20260228' }, { part: 'daily_20260302' }]);
  });

  test('months cross the end of a year, in UTC whatever the database time zone', async () => {
    await open.pool.query(`alter database ${open.connection.database} set timezone to 'Pacific/Auckland'`);
    const other = openDatabase(open.connection, () => undefined);
    await createPartitions(other.db).ensure(MONTHLY, at('2026-11-20T12:00:00Z'), at('2027-01-01T00:00:00Z'));
    await other.close();
    await open.pool.query(`alter database ${open.connection.database} reset timezone`);
    expect(await partitionsOf('monthly')).toEqual(['monthly_202611', 'monthly_202612', 'monthly_202701']);
    await put('monthly', '2026-11-30T23:59:59.999Z', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z');
    const { rows } = await open.pool.query('select tableoid::regclass::text as part from monthly order by at');
    expect(rows.map(({ part }) => part)).toEqual(['monthly_202611', 'monthly_202612', 'monthly_202701']);
  });

  test('several processes that need the same days concurrently all get them', async () => {
    const processes = Array.from({ length: 6 }, () => openDatabase(open.connection, () => undefined));
    await Promise.all(
      processes.map(({ db }) =>
        createPartitions(db).ensure(DAILY, at('2026-11-01T00:00:00Z'), at('2026-11-15T00:00:00Z')),
      ),
    );
    await Promise.all(processes.map(({ close }) => close()));
    expect(await partitionsOf('daily')).toHaveLength(15);
  });

  test('days being written remain open to readers and writers while new ones are created', async () => {
    const partitions = createPartitions(open.db);
    await partitions.ensure(DAILY, at('2026-11-01T00:00:00Z'), at('2026-11-01T00:00:00Z'));
    const writes = Promise.all(Array.from({ length: 40 }, () => put('daily', '2026-11-01T10:00:00Z')));
    await partitions.ensure(DAILY, at('2026-11-02T00:00:00Z'), at('2026-11-10T00:00:00Z'));
    await writes;
    expect((await open.pool.query('select 1 from daily')).rowCount).toBe(40);
  });

  test('a failed creation is an error, not silence', async () => {
    const gone = createPartitions(open.db).ensure(
      { table: 'nowhere', every: 'day' },
      at('2026-11-01T00:00:00Z'),
      at('2026-11-01T00:00:00Z'),
    );
    await expect(gone).rejects.toThrow(/nowhere/);
  });
});

describe('dropOld', () => {
  test('drops whole partitions beyond the retention period, and only of its own table', async () => {
    const partitions = createPartitions(open.db);
    await partitions.ensure(DAILY, at('2026-11-10T00:00:00Z'), at('2026-11-20T00:00:00Z'));
    await partitions.ensure(MONTHLY, at('2026-01-01T00:00:00Z'), at('2026-03-01T00:00:00Z'));
    const dropped = await partitions.dropOld({ ...DAILY, keepDays: 3 }, at('2026-11-20T12:00:00Z'));
    expect(dropped).toHaveLength(7);
    expect(await partitionsOf('daily')).toEqual([
      'daily_20261117',
      'daily_20261118',
      'daily_20261119',
      'daily_20261120',
    ]);
    expect(await partitionsOf('monthly')).toHaveLength(3);
    expect(await partitions.dropOld({ ...DAILY, keepDays: 3 }, at('2026-11-20T12:00:00Z'))).toEqual([]);
  });

  test('a month remains until its last day is past the retention period', async () => {
    const partitions = createPartitions(open.db);
    await partitions.ensure(MONTHLY, at('2026-09-01T00:00:00Z'), at('2026-11-01T00:00:00Z'));
    expect(await partitions.dropOld({ ...MONTHLY, keepDays: 30 }, at('2026-10-30T12:00:00Z'))).toEqual([]);
    expect(await partitions.dropOld({ ...MONTHLY, keepDays: 30 }, at('2026-10-31T00:00:00Z'))).toEqual([
      'monthly_202609',
    ]);
  });

  test('a table without a limit retains everything', async () => {
    const partitions = createPartitions(open.db);
    await partitions.ensure(DAILY, at('2020-01-01T00:00:00Z'), at('2020-01-02T00:00:00Z'));
    expect(await partitions.dropOld(DAILY, at('2026-11-20T00:00:00Z'))).toEqual([]);
    expect(await partitionsOf('daily')).toHaveLength(2);
  });

  test('a dropped day is recreated when a row of that day arrives', async () => {
    const mine = createPartitions(open.db);
    const day = at('2026-11-01T00:00:00Z');
    await mine.ensure(DAILY, day, day);
    await mine.dropOld({ ...DAILY, keepDays: 3 }, at('2026-11-20T00:00:00Z'));
    await mine.ensure(DAILY, day, day);
    await put('daily', '2026-11-01T05:00:00Z');
    expect((await open.pool.query('select 1 from daily')).rowCount).toBe(1);
  });
});
