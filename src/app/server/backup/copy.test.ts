import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

import { connect, copyInCommand, copyOutCommand, readContent, readTables } from './catalogue.ts';
import { CopyIn, CopyOut } from './copy.ts';

let database: TestDatabase;
let from: pg.Client;
let to: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  [from, to] = [await connect(database.connection), await connect(database.connection)];
});
afterAll(async () => {
  await Promise.all([from.end(), to.end()]);
  await database.drop();
});

const COLUMNS = `id bigint generated always as identity primary key, words text, amount numeric, ratio float8, single float4,
  at timestamptz, day date, span interval, body jsonb, raw bytea, names text[], numbers float8[], flag boolean, ident uuid,
  "odd ""name"" \\ here" text, doubled numeric generated always as (amount * 2) stored`;

beforeEach(async () => {
  await from.query(`drop table if exists hostile, hostile_copy; create table hostile (${COLUMNS});
    create table hostile_copy (${COLUMNS})`);
});

const tableOf = async (name: string) => {
  const table = (await readTables(from)).find((each) => each.name === name);
  if (!table) throw new Error(`no table ${name}`);
  return table;
};

const text = fc.oneof(
  fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '')),
  fc.constantFrom('\\N', '\\.', '\\', '\t', '\n', '\r\n', '"', "'", '', 'NULL', '{}', '\u202e', '💱', 'a\\tb', '\\x41'),
);
const number = fc.oneof(
  fc.double(),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, 5e-324, 1.7976931348623157e308, 0.1 + 0.2),
);
const numeric = fc.oneof(
  fc.constantFrom('NaN', 'Infinity', '-Infinity', '0.0000', `1${'0'.repeat(300)}`, `0.${'0'.repeat(300)}1`),
  fc.tuple(fc.bigInt(), fc.nat({ max: 99_999 })).map(([whole, part]) => `${whole}.${part}`),
);
const moment = fc.oneof(
  fc.constantFrom(
    'infinity',
    '-infinity',
    '0001-01-01 00:00:00.000001+00',
    '4713-01-01 BC',
    '9999-12-31 23:59:59.999999+14',
  ),
  fc
    .date({ noInvalidDate: true, min: new Date('0100-01-01'), max: new Date('9999-01-01') })
    .map((date) => date.toISOString()),
);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6 });
const json = fc.jsonValue().map((value) => JSON.stringify(value).replaceAll('\\u0000', ''));

const row = fc.tuple(
  optional(text),
  optional(numeric),
  optional(number),
  optional(fc.float({ noNaN: false })),
  optional(moment),
  optional(fc.constantFrom('infinity', '2026-02-28', '0044-03-15 BC')),
  optional(fc.constantFrom('1 mon -3 days 04:05:06.789', '-178000000 years', '00:00:00.000001')),
  optional(json),
  optional(fc.uint8Array().map((bytes) => Buffer.from(bytes))),
  optional(fc.array(optional(text))),
  optional(fc.array(optional(number))),
  optional(fc.boolean()),
  optional(fc.uuid()),
  optional(text),
);

async function insert(values: readonly unknown[]): Promise<void> {
  const marks = values.map((_, index) => `$${index + 1}`).join(', ');
  await from.query(
    `insert into hostile (words, amount, ratio, single, at, day, span, body, raw, names, numbers, flag, ident,
      "odd ""name"" \\ here") values (${marks})`,
    values as unknown[],
  );
}

async function copyAll(): Promise<{ out: CopyOut; into: CopyIn }> {
  const [source, target] = [await tableOf('hostile'), await tableOf('hostile_copy')];
  const out = new CopyOut(from, copyOutCommand(source));
  const into = new CopyIn(to, copyInCommand(target));
  await pipeline(out, into);
  return { out, into };
}

describe('all kinds of rows', () => {
  test('hostile texts, numbers, timestamps, arrays, documents and bytes arrive unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        await from.query('truncate hostile, hostile_copy');
        for (const values of rows) await insert(values);
        const { out, into } = await copyAll();
        expect([out.rows, into.rows]).toEqual([rows.length, rows.length]);
        const content = await readContent(from, await tableOf('hostile'));
        expect(await readContent(to, await tableOf('hostile_copy'))).toEqual(content);
        const { rows: different } = await from.query(
          'select id from (select t::text, id from hostile t except select t::text, id from hostile_copy t) d',
        );
        expect(different).toEqual([]);
      }),
      { numRuns: 40, seed: 20_261_123 },
    );
  });

  test('copies rows longer than a chunk, and no rows', async () => {
    expect((await copyAll()).into.rows).toBe(0);
    await from.query(
      `insert into hostile (words) select repeat(chr(200 + n), 100000 * n) from generate_series(1, 5) n`,
    );
    expect((await copyAll()).into.rows).toBe(5);
    expect(await readContent(to, await tableOf('hostile_copy'))).toEqual(
      await readContent(from, await tableOf('hostile')),
    );
  });

  test('the checksum ignores row order and covers every value', async () => {
    await from.query(`insert into hostile (words, amount) select 'w' || n, n from generate_series(1, 100) n`);
    await from.query(`insert into hostile_copy (id, words, amount) overriding system value
      select id, words, amount from hostile order by id desc`);
    const content = await readContent(from, await tableOf('hostile'));
    expect(await readContent(from, await tableOf('hostile_copy'))).toEqual(content);
    await from.query(`update hostile_copy set amount = amount + 0.0 where id = 7`);
    const changed = await readContent(from, await tableOf('hostile_copy'));
    expect(changed.rows).toBe(100);
    expect(changed.hash).not.toBe(content.hash);
  });
});

describe('a failed copy', () => {
  test('reports the server’s error for a rejected row and keeps the session usable', async () => {
    const into = new CopyIn(to, 'copy hostile_copy (amount) from stdin');
    await expect(pipeline(Readable.from([Buffer.from('1\n'), Buffer.from('not a number\n')]), into)).rejects.toThrow(
      'invalid input syntax for type numeric',
    );
    expect((await to.query('select count(*)::int as rows from hostile_copy')).rows).toEqual([{ rows: 0 }]);
  });

  test('a missing table', async () => {
    await expect(
      pipeline(Readable.from([Buffer.from('1\n')]), new CopyIn(to, 'copy nowhere from stdin')),
    ).rejects.toThrow('relation "nowhere" does not exist');
    await expect(new CopyOut(from, 'copy nowhere to stdout').toArray()).rejects.toThrow('does not exist');
    expect((await to.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('leaves nothing behind when the source fails midway', async () => {
    async function* broken() {
      for (let i = 0; i < 2000; i++) yield Buffer.from(`${i}\n`);
      throw new Error('the disk is gone');
    }
    const into = new CopyIn(to, 'copy hostile_copy (amount) from stdin');
    await expect(pipeline(broken, into)).rejects.toThrow('the disk is gone');
    expect((await to.query('select count(*)::int as rows from hostile_copy')).rows).toEqual([{ rows: 0 }]);
  });

  test('keeps the session usable after the reader disconnects', async () => {
    await from.query(`insert into hostile (words) select repeat('x', 1000) from generate_series(1, 20000)`);
    const out = new CopyOut(from, copyOutCommand(await tableOf('hostile')));
    out.once('data', () => out.destroy());
    await new Promise((resolve) => out.once('close', resolve));
    expect((await from.query('select count(*)::int as rows from hostile')).rows).toEqual([{ rows: 20_000 }]);
  });

  test('with a stalled reader the server waits and memory use stays low', async () => {
    await from.query(`insert into hostile (words) select repeat('x', 1000) from generate_series(1, 60000)`);
    const out = new CopyOut(from, copyOutCommand(await tableOf('hostile')));
    await new Promise((resolve) => out.once('readable', resolve));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(out.readableLength).toBeLessThan(1_500_000);
    let bytes = 0;
    for await (const chunk of out) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(60_000_000);
  });
});
