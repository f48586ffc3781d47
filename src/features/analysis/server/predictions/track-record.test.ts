import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';

import { getBacktest, getCalls, getLedger } from '#features/analysis/contract/predictions.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { collectMarket, createStatement, issue } from '#tests/support/predictions.ts';

const DAY_MS = 86_400_000;
const BOLD = { up: 0.7, flat: 0.2, down: 0.1 };
const RANGES = { 80: { low: -0.5, high: -0.4 }, 95: { low: -0.5, high: 0.5 } };
const EVEN = { up: 0.3, flat: 0.4, down: 0.3 };

const s = fileProduct({ env: { COIN_LIMIT: '40' } });
beforeAll(async () => {
  await collectMarket(s);
});

const calls = async (query = '') => getCalls.reply.parse((await s.get(`/api/track-record/calls${query}`)).json());

describe('GET /api/track-record/calls', () => {
  test('200: empty before the first call', async () => {
    expect(await calls()).toEqual({ calls: [], next: null });
  });

  test('200: open, graded and void calls, newest first, each with its outcome', async () => {
    await issue(s, [createStatement('alpha', BOLD, { ranges: { BTC: { '24h': RANGES } } })]);
    s.advance(DAY_MS);
    await s.job('market.listing');
    s.advance(120_000);
    await s.job('predictions.resolve');
    await issue(s, [
      createStatement('=beta', EVEN, { model: '=HYPERLINK("x"), 2', ranges: { BTC: { '24h': RANGES, '7d': RANGES } } }),
    ]);
    s.advance(3 * DAY_MS + 60_000);
    await s.job('predictions.resolve');
    await s.job('market.listing');
    s.advance(60_000);
    await issue(s, [createStatement('alpha', EVEN, { model: 'alpha-2' })]);

    const { calls: all, next } = await calls('?limit=100');
    expect(next).toBeNull();
    expect(all).toHaveLength(60);
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((a, b) => b - a));
    const states = Object.groupBy(all, ({ state }) => state);
    expect(states.graded).toHaveLength(5);
    expect(states.void).toHaveLength(5);
    expect(states.open).toHaveLength(50);
    for (const call of states.graded ?? []) {
      expect(call).toMatchObject({
        provider: 'alpha',
        model: 'alpha-1',
        horizon: '24h',
        predicted_direction: 'BULLISH',
      });
      expect(call.accuracy).toBe(call.actual_direction === 'BULLISH' ? 100 : 0);
      expect(Math.abs(call.realised ?? 0) <= (call.band ?? 0)).toBe(call.actual_direction === 'NEUTRAL');
      expect(call.outcome_seq).toBeGreaterThan(call.seq);
    }
    const { price = 0, ...ranged } = states.graded?.find(({ range_80: range }) => range) ?? {};
    expect(ranged).toMatchObject({
      crypto_symbol: 'BTC',
      range_80: { low: expect.closeTo(price * Math.exp(-0.5), 6), high: expect.closeTo(price * Math.exp(-0.4), 6) },
      held_80: false,
      held_95: true,
    });
    const undecided = [...(states.void ?? []), ...(states.open ?? [])].filter(({ range_80: range }) => range);
    expect(undecided.map(({ state, held_80, held_95 }) => [state, held_80, held_95])).toEqual([
      ['void', null, null],
      ['open', null, null],
    ]);
    for (const call of states.void ?? [])
      expect(call).toMatchObject({
        provider: '=beta',
        actual_direction: null,
        realised: null,
        accuracy: null,
        void_reason: 'No price was stored within a day of that time',
      });
    for (const call of states.open ?? [])
      expect(call).toMatchObject({ actual_direction: null, resolved_at: null, outcome_seq: null, void_reason: null });
  });

  test.each([
    ['provider=alpha', 40],
    ['provider=nobody', 0],
    ['asset=SUI', 12],
    ['horizon=7d', 15],
    ['state=graded', 5],
    ['state=void&asset=BTC&provider=%3Dbeta', 1],
    ['state=open&horizon=24h', 5],
  ])('200: %s', async (query, n) => {
    expect((await calls(`?limit=100&${query}`)).calls).toHaveLength(n);
  });

  test('200: every call appears once across pages', async () => {
    const seen: number[] = [];
    for (let before = ''; ; ) {
      const page = await calls(`?limit=7${before}`);
      seen.push(...page.calls.map(({ seq }) => seq));
      if (page.next === null) break;
      before = `&before=${page.next}`;
    }
    expect(seen).toEqual((await calls('?limit=100')).calls.map(({ seq }) => seq));
  });

  const WRONG = ['limit=0', 'limit=101', 'limit=x', 'before=0', 'asset=DOGE', 'horizon=1h', 'state=lost', 'provider='];
  test.each([...WRONG.map((query) => `/api/track-record/calls?${query}`), '/api/ledger/export?format=xml'])(
    '400: %s',
    async (url) => {
      const res = await s.get(url);
      expect(res.statusCode).toBe(400);
      expect(res.json()).toMatchObject({ code: 'bad_request' });
    },
  );

  test('a page is read from an index, regardless of the number of calls', async () => {
    const { db } = s.product.predictions.ctx;
    const plan = await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      await sql`set local enable_sort = off`.execute(tx);
      const { rows } = await sql<Record<string, string>>`explain select * from predictions p
        where p.horizon = '180d' and p.state = 'graded' and p.seq < 1000 and p.forecaster_id is null order by p.seq desc limit 25`.execute(
        tx,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('Index Scan Backward using predictions_by_state');
    expect(plan).not.toContain('Sort');
  });
});

describe('GET /api/ledger/export', () => {
  test('200: every entry is one line of JSON', async () => {
    const res = await s.get('/api/ledger/export');
    expect(res.headers['content-disposition']).toMatch(/^attachment; filename="meridian-ledger-2026-11-\d\d\.jsonl"$/);
    expect(res.headers['content-type']).toContain('application/jsonl');
    const lines = res.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const { entries } = getLedger.reply.parse((await s.get('/api/ledger?limit=1000')).json());
    expect(lines).toEqual(entries);
  });

  test('200: every call with its outcome is a CSV row, and no cell is a formula', async () => {
    const res = await s.get('/api/ledger/export?format=csv');
    expect(res.headers['content-disposition']).toMatch(/filename="meridian-calls-2026-11-\d\d\.csv"$/);
    const [head = '', ...rows] = res.body.trimEnd().split('\r\n');
    expect(rows).toHaveLength(60);
    expect(head.split(',').slice(0, 6)).toEqual(['seq', 'analysis', 'provider', 'model', 'asset', 'horizon']);
    const graded = (await calls('?state=graded&limit=1')).calls[0];
    expect(rows.find((row) => row.startsWith(`${graded?.seq},`))).toContain(`,${graded?.realised},`);
    const names = head.split(',');
    const ranged = rows.map((row) => row.split(',')).find((row) => row[names.indexOf('range_80_low_log')]);
    expect(names.flatMap((name, i) => (/_80_|_95_/.test(name) ? [[name, ranged?.[i]]] : [])).slice(0, 4)).toEqual([
      ['range_80_low_log', '-0.5'],
      ['range_80_high_log', '-0.4'],
      ['range_95_low_log', '-0.5'],
      ['range_95_high_log', '0.5'],
    ]);
    expect(Number(ranged?.[names.indexOf('trailing_year_80_low_log')])).toBeLessThan(0);
    const beta = rows.filter((row) => row.includes('beta'));
    expect(beta).toHaveLength(20);
    for (const row of beta) expect(row).toContain(`,'=beta,"'=HYPERLINK(""x""), 2",`);
  });

  test('200: compressed for clients that accept it', async () => {
    const res = await s.get('/api/ledger/export', { 'accept-encoding': 'gzip' });
    expect(res.headers['content-encoding']).toBe('gzip');
    expect(res.rawPayload.length).toBeLessThan((await s.get('/api/ledger/export')).rawPayload.length / 3);
  });
});

test('a record stored by an earlier version: is rescored at startup', async () => {
  const { db } = s.product.predictions.ctx;
  await sql`update prediction_record set body = body - 'pools' - 'overall_accuracy'`.execute(db);
  const next = await s.another();
  const record = getBacktest.reply.parse(JSON.parse((await next.app.inject('/api/backtest')).body));
  expect(record.total_predictions).toBeGreaterThan(0);
});

test('400: ranges that are not nested, freezing nothing', async () => {
  const newest = async () => getLedger.reply.parse((await s.get('/api/ledger')).json()).newest;
  const before = await newest();
  const odd = { 80: { low: -0.2, high: 0.1 }, 95: { low: -0.1, high: 0.2 } };
  const asked = issue(s, [createStatement('theta', EVEN, { ranges: { ETH: { '28d': odd } } })]);
  await expect(asked).rejects.toMatchObject({ code: 'bad_request' });
  expect(await newest()).toBe(before);
});

describe('records at earlier moments', () => {
  test('one stored before ranges were graded has no ranges', async () => {
    const { predictions } = s.product;
    await sql`update prediction_records set body = jsonb_set(body, '{cells}',
      (select jsonb_agg(cell - 'ranges') from jsonb_array_elements(body -> 'cells') cell)) #- '{headline,ranges}'`.execute(
      predictions.ctx.db,
    );
    const { cells = [], headline } = (await predictions.recordAt(s.clock.now())) ?? {};
    expect(cells.length).toBeGreaterThan(0);
    expect([headline, ...cells].every((cell) => cell?.ranges === null)).toBe(true);
  });

  test('for days over a week ago only the last one remains', async () => {
    const { db } = s.product.predictions.ctx;
    const kept = async () =>
      (await sql<{ at: string }>`select scored_at as at from prediction_records order by 1`.execute(db)).rows.map(
        ({ at }) => at,
      );
    const today = Math.floor(s.clock.now().getTime() / DAY_MS) * DAY_MS;
    const of = (daysAgo: number, hour: number) => new Date(today - daysAgo * DAY_MS + hour * 3_600_000).toISOString();
    const old = [of(30, 0), of(30, 9), of(30, 23), of(29, 0), of(20, 12), of(3, 1), of(3, 2)];
    const now = await kept();
    for (const at of old) await sql`insert into prediction_records values (${at}, '{}')`.execute(db);
    await s.job('predictions.roots');
    const left = [of(30, 23), of(29, 0), of(20, 12), of(3, 1), of(3, 2)];
    expect(await kept()).toEqual([...left, ...now].toSorted());
  });
});
