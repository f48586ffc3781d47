import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

import { fileDatabase } from '#tests/support/for-file.ts';

import { addMonths } from './plan-periods.ts';
import { creditAccount, creditBalance, post } from './service/grants.ts';

const at = new Date('2026-11-20T12:00:00Z');
const open = fileDatabase();

type Lines = [string, bigint][];
const entry = (key: string, lines: Lines) => ({ key, at, about: '', createdBy: null, lines });
const write = (key: string, lines: Lines) => open.db.transaction().execute((tx) => post(tx, entry(key, lines)));

/** Sums of each entry and of all, from the database. */
async function sums(): Promise<{ worst: string; all: string }> {
  const { rows } = await sql<{ worst: string; all: string }>`select
      (select coalesce(max(abs(sum)), 0)::text from (select sum(units) from postings group by key) s) as worst,
      (select coalesce(sum(units), 0)::text from postings) as all`.execute(open.db);
  return rows[0] as { worst: string; all: string };
}

describe('the ledger', () => {
  test('any entries: each sums to zero, a key counts once, and a balance is its credits less its debits', async () => {
    const account = fc.constantFrom('chain:base', 'stripe', 'revenue', 'suspense', creditAccount(1), creditAccount(2));
    const moves = fc.array(
      fc.record({ key: fc.nat(60), from: account, to: account, units: fc.bigInt({ min: 1n, max: 10n ** 12n }) }),
      { maxLength: 40 },
    );
    let round = 0;
    await fc.assert(
      fc.asyncProperty(moves, async (list) => {
        round += 1;
        const seen = new Set<number>();
        const before = [await creditBalance(open.db, 1), await creditBalance(open.db, 2)];
        const due = [0n, 0n];
        for (const { key, from, to, units } of list) {
          const lines: Lines = [
            [from, -units],
            [to, units],
          ];
          expect(await write(`${round}:${key}`, lines)).toBe(!seen.has(key));
          if (!seen.has(key))
            for (const [name, each] of lines)
              for (const person of [1, 2])
                if (name === creditAccount(person)) due[person - 1] = (due[person - 1] ?? 0n) - each;
          seen.add(key);
        }
        for (const person of [1, 2])
          expect((await creditBalance(open.db, person)) - (before[person - 1] ?? 0n)).toBe(due[person - 1]);
        expect(await sums()).toEqual({ worst: '0', all: '0' });
      }),
      { numRuns: 25 },
    );
  });

  test('entries that do not balance or exceed exact range are not written', async () => {
    await expect(
      write('uneven', [
        ['stripe', 2n],
        ['revenue', -1n],
      ]),
    ).rejects.toThrow('does not balance: 1');
    const huge = 2n ** 60n + 1n;
    await expect(
      write('huge', [
        ['stripe', huge],
        ['revenue', -huge],
      ]),
    ).rejects.toThrow('holds too much');
    expect(await open.db.selectFrom('journal').select('key').where('key', 'in', ['uneven', 'huge']).execute()).toEqual(
      [],
    );
  });

  test('lines of one account are merged', async () => {
    await write('thrice', [
      [creditAccount(4), -2n],
      [creditAccount(4), -3n],
      ['stripe', 5n],
    ]);
    expect(await creditBalance(open.db, 4)).toBe(5n);
  });

  test('of many concurrent posts with one key one is written', async () => {
    const lines: Lines = [
      ['stripe', 5n],
      [creditAccount(3), -5n],
    ];
    const wrote = await Promise.all(Array.from({ length: 8 }, () => write('once', lines)));
    expect(wrote.filter(Boolean)).toHaveLength(1);
    expect(await creditBalance(open.db, 3)).toBe(5n);
  });

  test('its entries cannot be changed or removed', async () => {
    await write('stays', [
      ['stripe', 1n],
      ['revenue', -1n],
    ]);
    await sql`insert into plan_grants (source, user_id, plan, months, good_at, units, created_at)
      values ('admin:1', 1, 'pro', 1, now(), 0, now())`.execute(open.db);
    await sql`insert into plan_grant_revocations values ('admin:1', now(), 'test')`.execute(open.db);
    for (const table of ['journal', 'postings', 'plan_grants', 'plan_grant_revocations']) {
      const column = table.startsWith('plan') ? 'source' : 'key';
      const name = sql.table(table);
      await expect(sql`update ${name} set ${sql.ref(column)} = 'x'`.execute(open.db)).rejects.toThrow('append-only');
      await expect(sql`delete from ${name}`.execute(open.db)).rejects.toThrow('append-only');
      await expect(sql`truncate ${name} cascade`.execute(open.db)).rejects.toThrow('append-only');
    }
  });
});

test('months match PostgreSQL, in four thousand samples and at the ends of February', async () => {
  const anchor = fc.integer({ min: Date.UTC(1999, 0, 1), max: Date.UTC(2101, 0, 1) });
  const samples = [
    ...fc.sample(fc.tuple(anchor, fc.nat(60)), 4000),
    [Date.UTC(2028, 0, 31), 1],
    [Date.UTC(2027, 0, 31), 1],
    [Date.UTC(2028, 1, 29), 12],
    [Date.UTC(2100, 0, 31), 1],
  ] as [number, number][];
  const { rows } = await sql<{ ms: string }>`select
      (extract(epoch from (timestamp 'epoch' + (a * interval '1 millisecond') + make_interval(months => m))) * 1000)::bigint::text as ms
    from unnest(${samples.map(([at]) => at)}::float8[], ${samples.map(([, count]) => count)}::int[]) with ordinality t (a, m, i)
    order by i`.execute(open.db);
  expect(samples.map(([at, count]) => addMonths(at, count))).toEqual(rows.map(({ ms }) => Number(ms)));
});
