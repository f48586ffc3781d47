import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Alert, MARKET_TYPES } from '#features/alerts/contract/alerts.ts';
import { HORIZONS } from '#features/analysis/contract/predictions.ts';
import { findRelease } from '#shared/release-calendar.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { evaluateAlerts, setQuote, storeDailyObservations, storeObservation } from '#tests/support/observed.ts';
import { collectMarket } from '#tests/support/predictions.ts';

const HOUR_MS = 3_600_000;
const LLAMA = { source: 'llama' };
const OWN = { source: 'meridian' };

const s = fileProduct({ env: { COIN_LIMIT: '20', CONSENSUS_CALENDAR: '0' } });
const ann = member(s, 'ann', 'pro');
const seen = new Set<string>();
beforeAll(async () => {
  await collectMarket(s);
}, 120_000);

/** Raised alerts with their delivery to the user. */
async function raised() {
  const alerts = await evaluateAlerts(s);
  for (const { type } of alerts) seen.add(type);
  const listed = (await ann.get('/api/alerts?limit=100')).json<{ alerts: Alert[] }>().alerts;
  for (const { id, message } of alerts) expect(listed.find((each) => each.id === id)?.message).toBe(message);
  return alerts.map(({ type, severity, message, metric, value }) => ({ type, severity, message, metric, value }));
}

describe('each type fires on stored data', () => {
  test('AI_CONSENSUS_BULLISH and AI_CONSENSUS_BEARISH', async () => {
    const { db } = s.product.alerts.ctx;
    await s.job('analysis.run');
    const say = async (up: number, down: number) => {
      const told = { up, flat: 1 - up - down, down };
      for (const horizon of HORIZONS)
        await sql`update analysis_answers set opinion =
          jsonb_set(opinion, ${sql.lit(`{market,${horizon},probabilities}`)}, ${JSON.stringify(told)}::jsonb)
          where opinion is not null`.execute(db);
    };
    await say(0.2, 0.2);
    expect(await raised()).toEqual([]);
    await say(0.65, 0.1);
    expect(await raised()).toMatchObject([
      {
        type: 'AI_CONSENSUS_BULLISH',
        severity: 'high',
        message: expect.stringContaining('bullish with 65% confidence'),
      },
    ]);
    await say(0.1, 0.5);
    expect(await raised()).toMatchObject([
      { type: 'AI_CONSENSUS_BEARISH', severity: 'medium', message: expect.stringContaining('1 analyst') },
    ]);
  });

  test('PRICE_BULLISH_MOVE and PRICE_BEARISH_MOVE, for Bitcoin alone when the market moves together', async () => {
    const five = ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple'];
    for (const id of five) await setQuote(s, id, 0);
    expect(await raised()).toEqual([]);
    s.advance(HOUR_MS);
    for (const id of five) await setQuote(s, id, -25);
    const fallen = await raised();
    expect(fallen.filter(({ type }) => type === 'PRICE_BEARISH_MOVE').length).toBeLessThan(3);
    expect(fallen).toContainEqual({
      type: 'PRICE_BEARISH_MOVE',
      severity: 'high',
      message: expect.stringMatching(/^Bitcoin fell 25\.0% in 24h, \d+\.\d× its typical daily move$/),
      metric: 'coin.change',
      value: expect.closeTo(-25, 5),
    });
    s.advance(HOUR_MS);
    await setQuote(s, 'bitcoin', 0);
    await setQuote(s, 'ethereum', 40);
    expect(await raised()).toMatchObject([
      {
        type: 'PRICE_BULLISH_MOVE',
        message: expect.stringMatching(/^Ethereum rose 40\.0% .*, while Bitcoin rose 0\.0%$/),
      },
    ]);
  });

  test('EXCHANGE_INFLOW and EXCHANGE_OUTFLOW', async () => {
    for (const asset of ['btc', 'eth'] as const) {
      await storeDailyObservations(s, `flow.${asset}.net`, 90, (day) => (day % 2 === 0 ? 900 : -1100), LLAMA);
      await storeObservation(s, `flow.${asset}.net`, 0, LLAMA);
    }
    expect(await raised()).toEqual([]);
    s.advance(HOUR_MS);
    await storeObservation(s, 'flow.btc.net', 4000, LLAMA);
    await storeObservation(s, 'flow.eth.net', -3000, LLAMA);
    const message = (amount: string) => expect.stringMatching(new RegExp(`^${amount} in 24h, \\d\\.\\dσ`));
    expect(await raised()).toMatchObject([
      {
        type: 'EXCHANGE_INFLOW',
        severity: 'medium',
        value: 4000,
        message: message('4,000 BTC net flowed into exchanges'),
      },
      {
        type: 'EXCHANGE_OUTFLOW',
        severity: 'low',
        value: -3000,
        message: message('3,000 ETH net flowed out of exchanges'),
      },
    ]);
  });

  test('STABLECOIN_GROWTH and STABLECOIN_DECLINE', async () => {
    const source = { source: 'stablecoins-llama' };
    await storeDailyObservations(s, 'stablecoins.supply', 9, () => 300e9, source);
    await storeObservation(s, 'stablecoins.supply', 300e9, source);
    expect(await raised()).toEqual([]);
    s.advance(HOUR_MS);
    await storeObservation(s, 'stablecoins.supply', 306e9, source);
    expect(await raised()).toMatchObject([
      {
        type: 'STABLECOIN_GROWTH',
        message: 'Stablecoin supply grew 2.0% in 7 days, to $306.00B from $300.00B',
      },
    ]);
    s.advance(HOUR_MS);
    await storeObservation(s, 'stablecoins.supply', 285e9, source);
    expect(await raised()).toMatchObject([{ type: 'STABLECOIN_DECLINE', severity: 'high' }]);
  });

  test('BTC_DOMINANCE_SHIFT, SSR_LEVEL, FUNDING_EXTREME_BULLISH and FUNDING_EXTREME_BEARISH, FEAR_GREED_EXTREME', async () => {
    const share = { source: 'coingecko' };
    await storeObservation(s, 'dominance.btc', 58, { ...share, daysAgo: 1 });
    const mood = { source: 'alternative-me' };
    const say = async (dominance: number, ssr: number, funding: number, fear: number) => {
      s.advance(HOUR_MS);
      await storeObservation(s, 'dominance.btc', dominance, { ...share, detail: { change_24h: dominance - 58 } });
      await storeObservation(s, 'ssr', ssr, OWN);
      await storeObservation(s, 'funding.market', funding, OWN);
      await storeObservation(s, 'fear_greed', fear, mood);
    };
    await say(58, 5.5, 0.01, 50);
    expect(await raised()).toEqual([]);
    await say(59.2, 6.1, 0.062, 12);
    expect(await raised()).toMatchObject([
      { type: 'BTC_DOMINANCE_SHIFT', message: 'Bitcoin dominance rose 1.2 points in 24h, to 59.2%' },
      { type: 'SSR_LEVEL', message: 'The stablecoin supply ratio rose above 6, to 6.10: typically bearish' },
      { type: 'FUNDING_EXTREME_BULLISH', message: expect.stringContaining('0.062% per 8h, above 0.05%') },
      { type: 'FEAR_GREED_EXTREME', message: expect.stringContaining('12/100') },
    ]);
    await say(58, 6.1, -0.02, 84);
    expect(await raised()).toMatchObject([
      {
        type: 'FUNDING_EXTREME_BEARISH',
        message: expect.stringContaining('\u22120.020% per 8h, below \u22120.015%'),
      },
      { type: 'FEAR_GREED_EXTREME', message: expect.stringContaining('extreme greed') },
    ]);
  });

  test('LIQUIDATION_SPIKE', async () => {
    const heard = { ...OWN, detail: { collectedHours: 24 } };
    await storeDailyObservations(s, 'liquidations.total', 30, (day) => 1e8 + day * 1e6, heard);
    await storeObservation(s, 'liquidations.total', 1e8, heard);
    expect(await raised()).toEqual([]);
    s.advance(HOUR_MS);
    await storeObservation(s, 'liquidations.total', 8e8, heard);
    expect(await raised()).toMatchObject([
      {
        type: 'LIQUIDATION_SPIKE',
        severity: 'medium',
        message: expect.stringMatching(/^\$800\.00M of futures positions .* 6\.9×/),
      },
    ]);
  });

  test('INFLATION_SURPRISE, once per release', async () => {
    const release = findRelease('pce', '2026-10')?.at.getTime() ?? 0;
    s.clock.set(new Date(release - 24 * HOUR_MS));
    await s.job('inflation.refresh');
    const ofPrints = async () => (await raised()).filter(({ type }) => type === 'INFLATION_SURPRISE');
    expect(await ofPrints()).toEqual([]);
    await sql`insert into inflation_expectations (type, measure, period, kind, value, as_of, source, fetched_at, method)
      values ('pce', 'headline', '2026-10', 'consensus', 1.5, ${s.clock.now().toISOString()}, 'test', now(), 'measured')`.execute(
      s.product.alerts.ctx.db,
    );
    s.clock.set(new Date(release + 60_000));
    await s.job('inflation.check');
    expect(await ofPrints()).toMatchObject([
      {
        severity: 'high',
        metric: 'inflation.mom',
        message: expect.stringMatching(/in October, \d\.\d points below the consensus of 1\.5%$/),
      },
    ]);
    s.advance(HOUR_MS);
    expect(await ofPrints()).toEqual([]);
  });

  test('UPCOMING_EVENT three days and one day before, with its date, also when first seen', async () => {
    s.clock.set(new Date('2026-12-05T10:00:00Z'));
    await s.job('events.collect');
    const near = async (iso: string) => {
      s.clock.set(new Date(iso));
      await s.job('events.windows');
      const all = await evaluateAlerts(s);
      for (const { type } of all) seen.add(type);
      return all.filter(({ type, message }) => type === 'UPCOMING_EVENT' && /FOMC|Fed/.test(message));
    };
    const first = await near('2026-12-06T09:00:00Z');
    expect(first).toMatchObject([
      { severity: 'low', eventDate: expect.stringContaining('2026-12-09'), eventId: expect.any(Number), value: null },
    ]);
    expect(first[0]?.message).toContain('is in 3 days, on 9 December 2026');
    expect(await near('2026-12-07T09:00:00Z')).toEqual([]);
    expect(await near('2026-12-08T09:00:00Z')).toMatchObject([
      { severity: 'medium', message: expect.stringContaining('is tomorrow') },
    ]);
    expect(await near('2026-12-08T18:00:00Z')).toEqual([]);
  });

  test('and no type is left out', () => {
    expect([...seen].toSorted()).toEqual([...MARKET_TYPES].toSorted());
  });
});
