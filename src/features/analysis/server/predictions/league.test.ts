import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';

import { getForecaster, getLeague } from '#features/analysis/contract/league.ts';
import { getCalls, getLedger, type Probabilities, verifyLedger } from '#features/analysis/contract/predictions.ts';
import { BADGE_PATH } from '#features/api/contract/widgets-names.ts';
import type { ApiScope } from '#shared/contract.ts';
import { makeKey } from '#tests/support/api-fixture.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { registerUser, type TestUser, withReauthentication } from '#tests/support/people.ts';
import { collectMarket, createStatement, issue } from '#tests/support/predictions.ts';

const DAY_MS = 86_400_000;
const EVEN = { up: 0.3, flat: 0.4, down: 0.3 };
const BOLD = { up: 0.7, flat: 0.2, down: 0.1 };

const s = fileProduct({ env: { COIN_LIMIT: '40', API_BURST_PER_SECOND: '0' } });
const ann = member(s, 'ann', 'pro');
let key: string;
beforeAll(async () => {
  await collectMarket(s);
  key = await keyOf(ann);
});

const keyOf = async (who: TestUser, scopes: ApiScope[] = ['forecasts:write', 'analysis']): Promise<string> =>
  (await makeKey(who, { scopes })).api_key;

type Forecast = { asset: string; horizon: string; probabilities: object; range_80?: object; range_95?: object };
const forecast = (more: Partial<Forecast> = {}): Forecast => ({
  asset: 'BTC',
  horizon: '24h',
  probabilities: EVEN,
  ...more,
});
const submit = (apiKey: string, forecaster: string, ...forecasts: Forecast[]) =>
  s.product.app.inject({
    method: 'POST',
    url: '/api/v1/forecasts',
    headers: { 'x-api-key': apiKey },
    payload: { forecaster, forecasts },
  });

const league = async (horizon = '24h') => getLeague.reply.parse((await s.get(`/api/league?horizon=${horizon}`)).json());
const forecaster = async (name: string) => getForecaster.reply.parse((await s.get(`/api/league/${name}`)).json());
const callsOf = async (query: string) =>
  getCalls.reply.parse((await s.get(`/api/track-record/calls?${query}`)).json()).calls;
async function nextDay(): Promise<void> {
  s.advance(DAY_MS + 60_000);
  await s.job('market.listing');
  s.advance(60_000);
}
async function faults(): Promise<string[]> {
  s.advance(61_000);
  return verifyLedger.reply.parse((await s.get('/api/ledger/verify')).json()).faults;
}
const entries = async () => getLedger.reply.parse((await s.get('/api/ledger?limit=1000')).json()).entries;

describe('POST /api/v1/forecasts', () => {
  test('200: frozen in the public ledger at the current price, separate from the product’s analysts', async () => {
    expect(await league()).toMatchObject({ total: 0, forecasters: [] });
    await issue(s, [createStatement('alpha', BOLD)]);
    const before = await callsOf('limit=100');
    const price = (await s.product.predictions.groundAt(s.clock.now())).get('BTC')?.price.usd ?? 0;
    const ranges = {
      range_80: { low: price * 0.97, high: price * 1.04 },
      range_95: { low: price * 0.93, high: price * 1.08 },
    };
    const answer = await submit(key, 'ann-forecasts', forecast(ranges), forecast({ asset: 'ETH', horizon: '7d' }));
    expect(answer.statusCode).toBe(200);
    const {
      forecaster: name,
      forecasts,
      issued_at,
    } = answer.json<{
      forecaster: string;
      issued_at: string;
      forecasts: { seq: number; hash: string; price: number; resolves_at: string }[];
    }>();
    expect([name, issued_at, forecasts.length]).toEqual(['ann-forecasts', s.clock.now().toISOString(), 2]);
    expect(forecasts[0]).toMatchObject({
      price,
      resolves_at: new Date(s.clock.now().getTime() + DAY_MS).toISOString(),
    });

    const stored = new Map((await entries()).map(({ seq, hash, body }) => [seq, { hash, body }]));
    for (const { seq, hash } of forecasts) expect(stored.get(seq)?.hash).toBe(hash);
    expect(JSON.parse(stored.get(forecasts[0]?.seq ?? 0)?.body ?? '{}')).toMatchObject({
      analyst: 'league:1',
      price: { usd: price },
      probabilities: EVEN,
      rule: 'log-return-0.43-sigma-30d/1',
    });
    expect(await faults()).toEqual([]);

    expect(await callsOf('limit=100')).toEqual(before);
    const own = await callsOf('provider=league:1');
    expect(own.map(({ seq }) => seq)).toEqual(forecasts.map(({ seq }) => seq).toReversed());
    expect(own[1]?.range_80?.low).toBeCloseTo(ranges.range_80.low, 6);
    await s.product.predictions.score();
    expect(s.product.predictions.record().cells.map(({ provider }) => provider)).not.toContain('league:1');
    expect(await forecaster('ann-forecasts')).toMatchObject({
      forecaster: { name: 'ann-forecasts', track: 'league:1', forecasts: 2, open: 2 },
      cells: [],
    });
  });

  test('409: a second forecast that day, all or nothing; accepted the next day (UTC)', async () => {
    const count = (await entries()).length;
    const answer = await submit(key, 'ann-forecasts', forecast({ asset: 'XRP' }), forecast());
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { error: 'You have already forecast BTC at 24h today (UTC). Nothing was stored.', code: 'conflict' },
    ]);
    expect(await entries()).toHaveLength(count);
    await nextDay();
    expect((await submit(key, 'ann-forecasts', forecast({ asset: 'XRP' }), forecast())).statusCode).toBe(200);
  });

  test('freezes one of ten concurrent submissions', async () => {
    const tries = Array.from({ length: 10 }, () => submit(key, 'ann-forecasts', forecast({ asset: 'SUI' })));
    const codes = (await Promise.all(tries)).map(({ statusCode }) => statusCode);
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  test.each([
    ['a name of somebody else', 'ann-forecasts', [forecast()], 409, 'The name "ann-forecasts" is taken'],
    ['a name of the product', 'meridian-ai', [forecast()], 409, 'The name "meridian-ai" is reserved'],
    ['no name', 'A B', [forecast()], 400, 'Names must have 3 to 30 characters'],
    ['no forecast', 'ben', [], 400, 'forecasts'],
    ['an asset twice', 'ben', [forecast(), forecast()], 400, 'Each asset and horizon may appear once'],
    ['a sum above 1', 'ben', [forecast({ probabilities: { ...EVEN, up: 0.9 } })], 400, 'sum to 1'],
    ['one range', 'ben', [forecast({ range_80: { low: 1, high: 2 } })], 400, 'Provide both ranges or neither'],
    [
      'ranges that are not nested',
      'ben',
      [forecast({ range_80: { low: 1, high: 3 }, range_95: { low: 1, high: 2 } })],
      400,
      'the 95% range must contain the 80% range',
    ],
  ] as const)('rejects without storing: %s', async (_, name, forecasts, status, words) => {
    const ben = await registerUser(s, `ben-${_.replaceAll(' ', '-')}`, 'pro');
    const count = (await entries()).length;
    const answer = await submit(await keyOf(ben), name, ...forecasts);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      status,
      expect.stringContaining(words),
    ]);
    expect(await entries()).toHaveLength(count);
    expect((await league()).total).toBe(1);
  });

  test('503: freezes nothing without a price from the last five minutes', async () => {
    s.advance(10 * 60_000);
    const answer = await submit(key, 'ann-forecasts', forecast({ asset: 'SOL' }));
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      expect.objectContaining({ error: 'No SOL price from the last five minutes' }),
    ]);
  });

  test('409: an account keeps its name; 403: a read-only key', async () => {
    expect((await submit(key, 'another-name', forecast({ asset: 'SOL' }))).json()).toEqual({
      error: 'Your account forecasts as "ann-forecasts"',
      code: 'conflict',
    });
    expect((await submit(await keyOf(ann, ['analysis']), 'ann-forecasts', forecast())).statusCode).toBe(403);
  });
});

describe('the league', () => {
  test('grades by price and shows each one’s contribution to the pool', async () => {
    const bob = await registerUser(s, 'bob', 'pro');
    const bobsKey = await keyOf(bob);
    await nextDay();
    const assets = ['BTC', 'ETH', 'SOL', 'SUI', 'XRP'].map((asset) => ({ asset }));
    await submit(key, 'ann-forecasts', ...assets.map(forecast));
    await submit(bobsKey, 'bob-bold', ...assets.map((each) => forecast({ ...each, probabilities: BOLD })));
    await nextDay();
    await s.job('predictions.resolve');
    await s.job('predictions.league');

    const { forecasters, total } = await league();
    expect(total).toBe(2);
    expect(forecasters.map(({ name }) => name).toSorted()).toEqual(['ann-forecasts', 'bob-bold']);
    const [first, second] = forecasters;
    const { cells, forecaster: bobs } = await forecaster('bob-bold');
    const own = await callsOf(`provider=${bobs.track}&state=graded`);
    expect(own).toHaveLength(5);
    expect(cells[0]).toMatchObject({ horizon: '24h', n: 5, dates: 1, verdict: 'no evidence', p_ahead: null });
    expect([first?.cell?.contribution?.n, second?.cell?.contribution?.n]).toEqual([5, 5]);
    // With two members, the pool without one is the other alone.
    const score = (p: Probabilities, came: string | null) =>
      (p.up - Number(came === 'BULLISH')) ** 2 +
      (p.flat - Number(came === 'NEUTRAL')) ** 2 +
      (p.down - Number(came === 'BEARISH')) ** 2;
    const mean = (of: Probabilities) => own.reduce((sum, { actual_direction: came }) => sum + score(of, came), 0) / 5;
    const both = { up: 0.5, flat: 0.3, down: 0.2 };
    expect(cells[0]?.contribution?.gain).toBeCloseTo(mean(EVEN) - mean(both), 9);
    expect(cells[0]?.brier).toBeCloseTo(mean(BOLD), 9);

    const badge = await s.get(`${BADGE_PATH}?record=league&track=bob-bold`);
    expect([badge.statusCode, badge.body]).toEqual([200, expect.stringContaining('bob-bold')]);
    expect(badge.body).toContain('24h forecasts (league): ');
    expect((await s.get(`${BADGE_PATH}?record=league&track=unknown`)).statusCode).toBe(404);
    expect(await faults()).toEqual([]);
  });

  test('404: an unknown name; disabled and deleted accounts are hidden, their forecasts remain in the ledger', async () => {
    expect((await s.get('/api/league/unknown')).json()).toEqual({
      error: 'No forecaster has this name',
      code: 'not_found',
    });
    const count = (await entries()).length;
    const { db } = s.product.predictions.ctx;
    await sql`update users set disabled_at = now(), disabled_reason = 'Spam'
      where id = (select user_id from league_forecasters where name = 'bob-bold')`.execute(db);
    expect((await league()).forecasters.map(({ name }) => name)).toEqual(['ann-forecasts']);
    expect((await s.get('/api/league/bob-bold')).statusCode).toBe(404);
    expect((await withReauthentication(ann, () => ann.remove('/api/auth/delete-account'))).statusCode).toBe(200);
    expect((await league()).total).toBe(0);
    expect(await entries()).toHaveLength(count);
    expect(await faults()).toEqual([]);
  });
});
