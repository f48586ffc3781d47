import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';

import { getLedger, verifyLedger } from '#features/analysis/contract/predictions.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { collectMarket, createStatement, issue } from '#tests/support/predictions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BOLD = { up: 0.7, flat: 0.2, down: 0.1 };
const RANGES = { 80: { low: -0.05, high: 0.06 }, 95: { low: -0.1, high: 0.12 } };
const EVEN = { up: 0.3, flat: 0.4, down: 0.3 };

const s = fileProduct({ env: { COIN_LIMIT: '40' } });
beforeAll(async () => {
  await collectMarket(s);
});

const ledger = async (query = '') => getLedger.reply.parse((await s.get(`/api/ledger${query}`)).json());
const bodyOf = (entry: { body: string } | undefined) => JSON.parse(entry?.body ?? '{}') as Record<string, unknown>;

/** A fresh result instead of the one cached for a minute. */
async function verified() {
  s.advance(61_000);
  return verifyLedger.reply.parse((await s.get('/api/ledger/verify')).json());
}

describe('GET /api/ledger', () => {
  test('200: before the first call it is empty and valid', async () => {
    expect(await ledger()).toEqual({ entries: [], newest: 0, roots: [] });
    expect(await verified()).toMatchObject({ entries: 0, head: null, faults: [] });
  });

  test('200: every call of every asset and horizon with its grading terms', async () => {
    const at = s.clock.now();
    await issue(s, [createStatement('alpha', BOLD)], {
      absences: [{ analyst: 'beta', reason: 'beta did not answer' }],
    });
    const { entries, newest } = await ledger('?limit=1000');
    expect(newest).toBe(21);
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
    const call = bodyOf(entries[0]);
    expect(call).toMatchObject({
      analyst: 'alpha',
      asset: 'BTC',
      horizon: '24h',
      probabilities: BOLD,
      issuedAt: at.toISOString(),
      resolvesAt: new Date(at.getTime() + DAY_MS).toISOString(),
      rule: 'log-return-0.43-sigma-30d/1',
      price: { bar: 'minute' },
    });
    const { sigma, band, climatology } = call as { sigma: number; band: number; climatology: Record<string, number> };
    expect(sigma).toBeGreaterThan(0.005);
    expect(band).toBeCloseTo(0.43 * sigma, 12);
    expect(Object.values(climatology).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    expect(bodyOf(entries[20])).toMatchObject({ analyst: 'beta', reason: 'beta did not answer' });
    expect(entries[20]?.kind).toBe('missing');
  });

  test('200: each hash covers the previous one and the entry itself', async () => {
    const { entries } = await ledger('?limit=1000');
    let before = '0'.repeat(64);
    for (const { seq, recorded_at, kind, body, hash } of entries) {
      const text = [before, seq, recorded_at, kind, body].join('\n');
      expect(hash).toBe(createHash('sha256').update(text).digest('hex'));
      before = hash;
    }
    expect(await verified()).toMatchObject({ entries: 21, head: before, faults: [] });
  });

  test('200: a page starts after an entry and ends at the requested limit', async () => {
    const { entries } = await ledger('?after=5&limit=3');
    expect(entries.map(({ seq }) => seq)).toEqual([6, 7, 8]);
  });

  test.each(['?after=-1', '?limit=0', '?limit=1001', '?after=x'])('400: %s', async (query) => {
    const res = await s.get(`/api/ledger${query}`);
    expect(res.statusCode).toBe(400);
    expect(res.json()).toMatchObject({ code: 'bad_request' });
  });
});

describe('freezing', () => {
  test.each([
    ['older than five minutes', -5 * 60_000 - 1],
    ['of the future', 60_000],
  ])('409: rejects a call %s and stores nothing', async (_, offsetMs) => {
    const { newest } = await ledger();
    const at = new Date(s.clock.now().getTime() + offsetMs);
    await expect(issue(s, [createStatement('alpha', BOLD)], { at })).rejects.toMatchObject({ code: 'conflict' });
    expect((await ledger()).newest).toBe(newest);
  });

  test('409: after the clock goes back, nothing is entered before the newest entry', async () => {
    s.advance(60_000);
    await issue(s, [createStatement('alpha', EVEN)]);
    const { newest } = await ledger();
    s.advance(-HOUR_MS);
    await expect(issue(s, [createStatement('alpha', BOLD)])).rejects.toMatchObject({ code: 'conflict' });
    s.advance(HOUR_MS);
    expect((await ledger()).newest).toBe(newest);
  });

  test('concurrent calls form one chain', async () => {
    s.advance(60_000);
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => issue(s, [createStatement(name, EVEN)])));
    expect(await verified()).toMatchObject({ faults: [] });
  });
});

describe('resolving', () => {
  test('a call is graded once, by the first price at or after its time', async () => {
    const { newest } = await ledger();
    s.advance(DAY_MS);
    await s.job('predictions.resolve');
    expect((await ledger()).newest).toBe(newest);
    await s.job('market.listing');
    s.advance(120_000);
    await s.job('predictions.resolve');
    const { entries } = await ledger(`?after=${newest}&limit=1000`);
    expect(entries.length).toBeGreaterThan(0);
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['outcome']));
    const all = (await ledger('?limit=1000')).entries;
    for (const entry of entries) {
      const { call, outcome, realised, price } = bodyOf(entry) as {
        call: number;
        outcome: string;
        realised: number;
        price: { usd: number; at: string };
      };
      const issued = bodyOf(all[call - 1]) as {
        band: number;
        price: { usd: number };
        resolvesAt: string;
        horizon: string;
      };
      expect(issued.horizon).toBe('24h');
      expect(realised).toBeCloseTo(Math.log(price.usd / issued.price.usd), 12);
      expect(outcome).toBe(Math.abs(realised) <= issued.band ? 'flat' : realised > 0 ? 'up' : 'down');
      expect(Date.parse(price.at)).toBeGreaterThanOrEqual(Date.parse(issued.resolvesAt));
    }
    await s.job('predictions.resolve');
    expect((await ledger()).newest).toBe(newest + entries.length);
    expect(await verified()).toMatchObject({ faults: [] });
  });

  test('two processes resolving concurrently settle each call once', async () => {
    s.advance(60_000);
    await issue(s, [createStatement('alpha', BOLD)]);
    s.advance(DAY_MS + 60_000);
    await s.job('market.listing');
    s.advance(60_000);
    const { predictions } = s.product;
    const counts = await Promise.all([predictions.resolve(), predictions.resolve(), predictions.resolve()]);
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 5]);
    expect(await verified()).toMatchObject({ faults: [] });
  });

  test('without a price within a day it is void, not estimated', async () => {
    s.advance(60_000);
    await issue(s, [createStatement('alpha', BOLD)]);
    const { newest } = await ledger();
    s.advance(DAY_MS + 47 * HOUR_MS);
    await s.job('predictions.resolve');
    expect((await ledger()).newest).toBe(newest);
    s.advance(2 * HOUR_MS);
    await s.job('predictions.resolve');
    const { entries } = await ledger(`?after=${newest}`);
    expect(entries.map(({ kind }) => kind)).toEqual(['void', 'void', 'void', 'void', 'void']);
    expect(bodyOf(entries[0])['reason']).toBe('No price was stored within a day of that time');
  });
});

test('roots: the last entry of each completed day is published once', async () => {
  await s.job('predictions.roots');
  const { roots, newest } = await ledger();
  expect(roots.length).toBeGreaterThanOrEqual(3);
  expect(roots.map(({ day }) => day)).toEqual([...new Set(roots.map(({ day }) => day))].toSorted());
  const today = s.clock.now().toISOString().slice(0, 10);
  expect(roots.every(({ day }) => day < today)).toBe(true);
  await s.job('predictions.roots');
  expect((await ledger()).roots).toEqual(roots);
  expect((await verified()).roots).toBe(roots.length);
  expect(roots.at(-1)?.through_seq).toBeLessThanOrEqual(newest);
});

describe('a tampered ledger', () => {
  const free = (statementText: string) => sql.raw(statementText).execute(s.product.predictions.ctx.db);
  afterEach(async () => expect((await s.product.predictions.verify({ whole: true })).faults).toEqual([]));

  test.each([
    'update prediction_ledger set kind = kind',
    'delete from prediction_ledger where seq = 3',
    'truncate prediction_ledger cascade',
  ])('the database itself rejects: %s', async (text) => {
    await expect(free(text)).rejects.toThrow(/append-only/);
  });

  /** As a database owner could: bypasses the guard, and restores it. */
  async function around(change: string, back: string): Promise<string[]> {
    await free('alter table prediction_ledger disable trigger user');
    await free(change);
    const { faults } = await s.product.predictions.verify({ whole: true });
    await free(back);
    await free('alter table prediction_ledger enable trigger user');
    return faults;
  }

  test.each([
    [
      'one byte of a body: the entry is named, and the record that disagrees with it',
      `update prediction_ledger set body = replace(body, '"up":0.7', '"up":0.8') where seq = 2`,
      `update prediction_ledger set body = replace(body, '"up":0.8', '"up":0.7') where seq = 2`,
      ['Entry 2 was modified: its hash does not match', 'The record of call 2 differs from entry 2'],
    ],
    [
      'a time of recording',
      `update prediction_ledger set recorded_at = recorded_at + interval '1 millisecond' where seq = 21`,
      `update prediction_ledger set recorded_at = recorded_at - interval '1 millisecond' where seq = 21`,
      ['Entry 21 was modified: its hash does not match'],
    ],
    [
      'an entry that is gone',
      'create table kept as select * from prediction_ledger where seq = 21; delete from analyst_absences; delete from prediction_ledger where seq = 21',
      'insert into prediction_ledger select * from kept; drop table kept',
      ['Entry 21 is missing'],
    ],
    [
      'a probability in the record that scores are read from',
      'update predictions set up = up + 0.1 where seq = 4',
      'update predictions set up = 0.7 where seq = 4',
      ['The record of call 4 differs from entry 4'],
    ],
    [
      'a hash that was published',
      "alter table ledger_roots disable trigger user; create table kept as select * from ledger_roots; update ledger_roots set hash = repeat('0', 64) where day = (select min(day) from kept)",
      'update ledger_roots r set hash = kept.hash from kept where kept.day = r.day; drop table kept; alter table ledger_roots enable trigger user',
      [expect.stringMatching(/^Entry \d+ does not match the hash published for /)],
    ],
  ])('%s', async (_, change, back, faults) => {
    expect(await around(change, back)).toEqual(faults);
  });

  test('a visit triggers a check of new entries, and everything is checked hourly', async () => {
    await s.job('market.listing');
    await verified();
    await free('alter table prediction_ledger disable trigger user');
    await free(`update prediction_ledger set body = replace(body, '"up":0.7', '"up":0.8') where seq = 2`);
    await issue(s, [createStatement('epsilon', EVEN)]);
    const { newest } = await ledger();
    const many = Array.from({ length: 20 }, () => s.get('/api/ledger/verify'));
    expect((await Promise.all(many)).map((each) => each.json<{ entries: number }>().entries)).not.toContain(newest);
    s.advance(61_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => s.get('/api/ledger/verify')));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers[0]?.json()).toMatchObject({ entries: newest, faults: [] });
    s.advance(HOUR_MS);
    expect((await verified()).faults).toContain('Entry 2 was modified: its hash does not match');
    await free(`update prediction_ledger set body = replace(body, '"up":0.8', '"up":0.7') where seq = 2`);
    await free('alter table prediction_ledger enable trigger user');
    expect(await verified()).toMatchObject({ entries: newest, faults: [] });
  });

  test('a recorded range that coverage is read from', async () => {
    await s.job('market.listing');
    s.advance(60_000);
    await issue(s, [createStatement('zeta', EVEN, { ranges: { BTC: { '7d': RANGES } } })]);
    const { newest } = await ledger();
    const { entries } = await ledger(`?after=${newest - 20}`);
    const { seq = 0, body = '{}' } = entries.find((entry) => bodyOf(entry)['ranges']) ?? {};
    const { ranges, trailingRanges } = JSON.parse(body) as Record<string, typeof RANGES>;
    expect(ranges).toEqual(RANGES);
    for (const [column, low] of [
      ['ranges', RANGES[80].low],
      ['trailing_ranges', trailingRanges?.[80].low ?? 0],
    ] as const) {
      const set = (value: number) =>
        `update predictions set ${column} = jsonb_set(${column}, '{80,low}', '${value}') where seq = ${seq}`;
      const said = `The record of call ${seq} differs from entry ${seq}`;
      expect(await around(set(-0.3), set(low)), column).toEqual([said]);
    }
  });

  test('a recorded outcome', async () => {
    const { rows } = await sql<{ seq: number; outcome: string }>`select seq, outcome from predictions
      where outcome in ('up', 'flat', 'down') order by seq limit 1`.execute(s.product.predictions.ctx.db);
    const [{ seq, outcome } = { seq: 0, outcome: '' }] = rows;
    expect(
      await around(
        `update predictions set outcome = 'void' where seq = ${seq}`,
        `update predictions set outcome = '${outcome}' where seq = ${seq}`,
      ),
    ).toEqual([expect.stringContaining(`The record of call ${seq} differs from its outcome in entry`)]);
  });
});
