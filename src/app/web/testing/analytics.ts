import { backtest } from '#features/analysis/web/predictions/fixtures.ts';
import {
  candlesOf,
  correlationOf,
  derivativesReply,
  onchainReply,
  risk,
  sentimentOf,
  summary,
} from '#features/analytics/web/fixtures.ts';
import { ASSET_ORDER, TIMEFRAME_ORDER } from '#features/analytics/web/view.ts';
import { events } from '#features/events/web/fixtures.ts';
import type { Plan } from '#shared/contract.ts';

import { type Answer, answer } from '#ui/testing/answers.ts';
import { NOON } from '#ui/testing/figures.ts';
import { openSignedIn } from './signed-in.tsx';

const timestamp = new Date(NOON).toISOString();
const param = (url: string, name: string) => new URLSearchParams(url.split('?')[1]).get(name);

function candles(url: string): Response {
  const symbol = ASSET_ORDER.find((each) => each === param(url, 'symbol')) ?? 'BTC';
  const interval = TIMEFRAME_ORDER.find((each) => each === param(url, 'interval')) ?? '60';
  return Response.json(candlesOf(interval, { symbol, first: symbol === 'BTC' ? 97_000 : 3200 }));
}

/** Responses to every call of the page. */
export const ANALYTICS: Record<string, Answer> = {
  '/api/candles': candles,
  '/api/events': answer(events),
  '/api/backtest': answer(backtest),
  '/api/market-sentiment': answer(sentimentOf(71, 'Greed')),
  '/api/derivatives': answer(derivativesReply),
  '/api/onchain': answer(onchainReply),
  '/api/analytics/summary': answer({ timestamp, summary }),
  '/api/analytics/risk': (url) => Response.json({ timestamp, days: Number(param(url, 'days')), risk }),
  '/api/correlation': (url) =>
    Response.json(correlationOf(param(url, 'assets') === '20' ? '20' : '5', Number(param(url, 'days') ?? 90))),
};

/** The page for a user on that plan; `calls` override the responses. */
export const openAnalytics = (calls: Record<string, Answer> = {}, plan: Plan = 'premium', search = '') =>
  openSignedIn({ at: `/app/advanced-analytics${search}`, plan, calls: { ...ANALYTICS, ...calls } });
