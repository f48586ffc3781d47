import { z } from 'zod';

import type { Config } from '#kernel/config.ts';
import type { SourceClient, SourceOptions } from '#kernel/http/http-client.ts';

import type { Bar, BarInterval, CandleProvider, VenueTick } from '../types.ts';

const TOO_MANY = new Set(['50011', '50061']);

export function okxSource({ OKX_BASE_URL }: Config): Omit<SourceOptions, 'name'> {
  return {
    baseUrl: OKX_BASE_URL,
    perMinute: 480,
    burst: 10,
    parseError: (body) => {
      const { code, msg } = (body ?? {}) as { code?: string; msg?: string };
      if (code === undefined || code === '0') return null;
      return TOO_MANY.has(code) ? 'rate_limited' : msg || `code ${code}`;
    },
  };
}

/** OKX sends numbers as strings, and '' for unknown values. */
const decimal = z.string().transform((text) => (text === '' ? null : Number(text)));
const epochMs = z.string().regex(/^\d+$/).transform(Number);

const tickers = z.object({
  data: z.array(z.object({ instId: z.string(), last: decimal, ts: epochMs })),
});

/** GET /api/v5/market/tickers: last trade of every spot pair against USD and USDT. */
export async function okxTickers(client: SourceClient, signal: AbortSignal): Promise<VenueTick[]> {
  const { data } = await client.get('/api/v5/market/tickers', tickers, { query: { instType: 'SPOT' }, signal });
  return data.data.flatMap((row): VenueTick[] => {
    const [symbol, quote] = row.instId.split('-');
    if (!symbol || (quote !== 'USDT' && quote !== 'USD') || !row.last || row.last <= 0) return [];
    return [{ symbol, quote, price: row.last, observedAt: new Date(row.ts) }];
  });
}

const text = z.string();
const candles = z.object({
  data: z.array(z.tuple([epochMs, decimal, decimal, decimal, decimal, text, text, decimal, text]).rest(text)),
});
const BAR = { '5m': '5m', '1h': '1H', '1d': '1Dutc' } as const;
const MINUTES = { '5m': 5, '1h': 60, '1d': 1440 } as const;
/** The endpoint's maximum. A page shorter than its default is the last one. */
const PER_PAGE = 300;
const DEFAULT_PER_PAGE = 100;
/** 92 days of hours. */
const MAX_PAGES = 24;

/**
 * GET /api/v5/market/history-candles, newest first, paged backwards by `after`. undefined when the pair does not exist.
 */
export function okxCandles(client: SourceClient, usdPerUsdt: () => number | null): CandleProvider {
  return {
    source: 'okx',
    daysBack: null,
    method: 'computed',
    async bars(coin, interval, from, to, signal) {
      const rate = usdPerUsdt();
      const pairs = await spotPairs(client, signal);
      if (rate === null || !pairs.has(`${coin.symbol}-USDT`)) return undefined;
      const bars: Bar[] = [];
      let after = to.getTime() + 1;
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = { instId: `${coin.symbol}-USDT`, bar: BAR[interval], after, limit: PER_PAGE };
        const { data } = await client.get('/api/v5/market/history-candles', candles, { query, signal });
        bars.push(...data.data.flatMap((row) => toBar(row, interval, rate)));
        const oldest = data.data.at(-1)?.[0];
        if (oldest === undefined || oldest <= from.getTime() || data.data.length < DEFAULT_PER_PAGE) break;
        after = oldest;
      }
      return bars.filter((bar) => bar.at >= from).toReversed();
    },
  };
}

function toBar(row: z.output<typeof candles>['data'][number], interval: BarInterval, rate: number): Bar[] {
  const [at, open, high, low, close, , , volume] = row;
  if (!open || !high || !low || !close) return [];
  return [
    {
      at: new Date(at),
      open: open * rate,
      high: high * rate,
      low: low * rate,
      close: close * rate,
      volume: volume === null ? null : volume * rate,
      minutes: MINUTES[interval],
    },
  ];
}

const instruments = z.object({ data: z.array(z.object({ instId: z.string(), state: z.string() })) });
const PAIRS_FOR_MS = 3_600_000;
const pairsOf = new WeakMap<SourceClient, { at: number; pairs: Set<string> }>();

async function spotPairs(client: SourceClient, signal: AbortSignal): Promise<Set<string>> {
  const cached = pairsOf.get(client);
  if (cached && performance.now() - cached.at < PAIRS_FOR_MS) return cached.pairs;
  const { data } = await client.get('/api/v5/public/instruments', instruments, { query: { instType: 'SPOT' }, signal });
  const pairs = new Set(data.data.filter((row) => row.state === 'live').map((row) => row.instId));
  pairsOf.set(client, { at: performance.now(), pairs });
  return pairs;
}
