import type { Coin } from '#sandbox/market/coins.ts';
import { contractCoins, fundingAt, openInterestAt } from '#sandbox/market/derivatives.ts';
import { type Liquidation, liquidationsOf } from '#sandbox/market/liquidations.ts';
import type { Market } from '#sandbox/market/market.ts';
import { DAY, floorTo, HOUR, MARKET_START } from '#sandbox/market/time.ts';
import { type Call, ReplyError, type Route } from '#sandbox/provider.ts';

import { contractSize, contractsBy, FUNDING_INTERVAL_MS, priceText } from './contracts.ts';

const INST_TYPES = new Set(['SPOT', 'MARGIN', 'SWAP', 'FUTURES', 'OPTION']);

export const ok = (data: unknown) => ({ body: { code: '0', msg: '', data } });

export const refuse = (code: string, msg: string, status = 200) =>
  new ReplyError({ status, body: { code, msg, data: [] } });

export function instType({ query }: Call): string {
  const type = query.get('instType');
  if (!type) throw refuse('50014', 'Parameter instType can not be empty', 400);
  if (!INST_TYPES.has(type)) throw refuse('51000', 'Parameter instType error', 400);
  return type;
}

/** How far back liquidations and funding rates are available. */
const [LIQUIDATION_REACH, FUNDING_REACH] = [7 * DAY, 92 * DAY];
const MOST_ROWS = 100;

const instIdOf = ({ symbol }: Coin) => `${symbol.toUpperCase()}-USDT-SWAP`;
const familyOf = ({ symbol }: Coin) => `${symbol.toUpperCase()}-USDT`;

export function swapInstruments(market: Market) {
  return contractCoins(market).map((coin) => ({
    alias: '',
    baseCcy: '',
    category: '1',
    ctMult: '1',
    ctType: 'linear',
    ctVal: String(contractSize(coin)),
    ctValCcy: coin.symbol.toUpperCase(),
    expTime: '',
    instFamily: familyOf(coin),
    instId: instIdOf(coin),
    instType: 'SWAP',
    lever: '100',
    listTime: String(MARKET_START),
    lotSz: '0.01',
    maxLmtSz: '100000000',
    maxMktSz: '12000',
    minSz: '0.01',
    optType: '',
    quoteCcy: '',
    ruleType: 'normal',
    settleCcy: 'USDT',
    state: 'live',
    stk: '',
    tickSz: priceText(coin, 0).replace(/0$/, '1'),
    uly: familyOf(coin),
  }));
}

function openInterest(market: Market, coin: Coin, now: number) {
  const usd = openInterestAt(market, 'okx', coin, now);
  const contracts = usd / market.priceAt(coin, now) / contractSize(coin);
  const oi = contracts.toFixed(2);
  return {
    instId: instIdOf(coin),
    instType: 'SWAP',
    oi,
    oiCcy: String(Number((Number(oi) * contractSize(coin)).toFixed(6))),
    oiUsd: usd.toFixed(4),
    ts: String(now),
  };
}

const TRADED = 0.09;

/** Volume in contracts and in coins; other instrument types have it in dollars. */
export function swapTickers(market: Market, now: number) {
  return contractCoins(market).map((coin) => {
    const { price, open, high, low, volumeUsd } = market.dayStats(coin, now);
    const text = (value: number) => priceText(coin, value);
    const coins = (volumeUsd * TRADED) / price;
    return {
      instType: 'SWAP',
      instId: instIdOf(coin),
      last: text(price),
      lastSz: '1',
      askPx: text(price * 1.0001),
      askSz: '120',
      bidPx: text(price * 0.9999),
      bidSz: '120',
      open24h: text(open),
      high24h: text(high),
      low24h: text(low),
      volCcy24h: coins.toFixed(4),
      vol24h: (coins / contractSize(coin)).toFixed(2),
      ts: String(now),
      sodUtc0: text(market.priceAt(coin, floorTo(now, DAY))),
      sodUtc8: text(market.priceAt(coin, floorTo(now, DAY, 16 * HOUR))),
    };
  });
}

/** The current rate of the running period; the previous one is settled. */
function funding(market: Market, coin: Coin, now: number) {
  const settled = floorTo(now, FUNDING_INTERVAL_MS);
  const rate = fundingAt(market, 'okx', coin, now);
  return {
    formulaType: 'withRate',
    fundingRate: rate.toFixed(16),
    fundingTime: String(settled + FUNDING_INTERVAL_MS),
    impactValue: '',
    instId: instIdOf(coin),
    instType: 'SWAP',
    interestRate: '0.0001',
    maxFundingRate: '0.00375',
    method: 'current_period',
    minFundingRate: '-0.00375',
    nextFundingRate: '',
    nextFundingTime: String(settled + 2 * FUNDING_INTERVAL_MS),
    premium: (rate * 1.2).toFixed(16),
    prevFundingTime: String(settled),
    settFundingRate: fundingAt(market, 'okx', coin, settled).toFixed(16),
    settState: 'settled',
    ts: String(now),
  };
}

/** Newest first; `before` and `after` select entries newer and older than a time. */
function page({ query, now }: Call, most: number) {
  const time = (name: string, fallback: number) => (query.get(name) ? Number(query.get(name)) : fallback);
  const limit = Math.min(Number(query.get('limit')) || most, most);
  return { above: time('before', 0), below: time('after', now + 1), limit };
}

function fundingHistory(market: Market, coin: Coin, call: Call) {
  const { above, below, limit } = page(call, 400);
  const oldest = Math.max(above + 1, call.now - FUNDING_REACH, MARKET_START);
  const rows: unknown[] = [];
  let at = floorTo(Math.min(below - 1, call.now), FUNDING_INTERVAL_MS);
  for (; at >= oldest && rows.length < limit; at -= FUNDING_INTERVAL_MS) {
    const rate = fundingAt(market, 'okx', coin, at).toFixed(16);
    rows.push({
      formulaType: 'withRate',
      fundingRate: rate,
      fundingTime: String(at),
      instId: instIdOf(coin),
      instType: 'SWAP',
      method: 'current_period',
      realizedRate: rate,
    });
  }
  return rows;
}

/** One liquidation in OKX format, its size in contracts. */
export function liquidationDetail({ coin, at, side, usd, price }: Liquidation) {
  return {
    bkLoss: '0',
    bkPx: priceText(coin, price),
    ccy: '',
    posSide: side,
    side: side === 'long' ? 'sell' : 'buy',
    sz: String(Math.max(0.01, Number((usd / price / contractSize(coin)).toFixed(2)))),
    ts: String(at),
  };
}

export const liquidationHead = (coin: Coin) => ({
  instFamily: familyOf(coin),
  instId: instIdOf(coin),
  instType: 'SWAP',
  uly: familyOf(coin),
});

function liquidations(market: Market, coin: Coin, call: Call) {
  const { above, below, limit } = page(call, MOST_ROWS);
  const newest = Math.min(below - 1, call.now);
  const oldest = Math.max(above, call.now - LIQUIDATION_REACH);
  const rows: Liquidation[] = [];
  for (let to = newest; to > oldest && rows.length < limit; to = floorTo(to - 1, HOUR)) {
    const from = Math.max(oldest, floorTo(to - 1, HOUR));
    rows.push(...liquidationsOf(market).between('okx', coin, from, to).toReversed());
  }
  if (rows.length === 0) return [];
  const details = rows.slice(0, limit).map((row) => ({ ...liquidationDetail(row), time: String(row.at) }));
  return [{ details, ...liquidationHead(coin), totalLoss: '0' }];
}

export function swapRoutes(market: Market): Route[] {
  const byId = contractsBy(market, (base) => `${base}-USDT-SWAP`);
  const byFamily = contractsBy(market, (base) => `${base}-USDT`);
  const get = (coin: Coin | undefined): Coin => {
    if (!coin) throw refuse('51001', "Instrument ID or Spread ID doesn't exist.");
    return coin;
  };
  const named = ({ query }: Call): Coin => {
    const id = query.get('instId');
    if (!id) throw refuse('50014', 'Parameter instId can not be empty', 400);
    return get(byId.get(id));
  };
  /** One by name or family, or all. */
  const chosen = (call: Call): readonly Coin[] => {
    if (instType(call) !== 'SWAP') return [];
    const [id, family] = [call.query.get('instId'), call.query.get('instFamily') ?? call.query.get('uly')];
    if (id) return [get(byId.get(id))];
    return family ? [get(byFamily.get(family))] : contractCoins(market);
  };
  return [
    {
      path: '/api/v5/public/open-interest',
      handle: (call) => ok(chosen(call).map((coin) => openInterest(market, coin, call.now))),
    },
    { path: '/api/v5/public/funding-rate', handle: (call) => ok([funding(market, named(call), call.now)]) },
    { path: '/api/v5/public/funding-rate-history', handle: (call) => ok(fundingHistory(market, named(call), call)) },
    {
      path: '/api/v5/public/liquidation-orders',
      handle: (call) => {
        const { query } = call;
        if (instType(call) !== 'SWAP') return ok([]);
        if (query.get('state') !== 'filled') throw refuse('51000', 'Parameter state error', 400);
        if (!query.get('uly') && !query.get('instFamily')) {
          throw refuse('50014', 'Parameter uly or instFamily can not be empty', 400);
        }
        return ok(chosen(call).flatMap((coin) => liquidations(market, coin, call)));
      },
    },
  ];
}

const EMPTIED = { oiUsd: '', fundingRate: '', settFundingRate: '' };

/** Empty strings where a figure is currently unknown. */
export function swapNulls(body: unknown): unknown {
  const { data, ...rest } = body as { data: Record<string, unknown>[] };
  const emptied = data.map((row, i) => {
    if (i % 3 !== 0) return row;
    return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, key in EMPTIED ? '' : value]));
  });
  return { ...rest, data: emptied };
}
