import { compact } from '#shared/format.ts';
import { ssrReading } from '#shared/readings.ts';

import type { EventReading, Reading } from './reading.ts';
import { type Evaluation, figure, flows, inflation, median, prices, type Rule } from './rules/triggers.ts';

/** The names describe positioning: bullish when buyers pay a premium, bearish when sellers do. They predict nothing. */
function funding({ funding: rate }: Reading): Evaluation[] {
  if (!rate) return [];
  const words = `Perpetual futures funding is at ${figure(rate.value, 3)}% per 8h`;
  const birth = rate;
  const [metric, value, strength] = ['funding.market', rate.value, rate.value];
  return [
    {
      gate: 'FUNDING_EXTREME_BULLISH',
      levels: 'FUNDING_EXTREME_BULLISH',
      strength,
      metric,
      value,
      message: ({ level }) => `${words}, above ${level}%: longs pay shorts, longs are crowded`,
      birth,
    },
    {
      gate: 'FUNDING_EXTREME_BEARISH',
      levels: 'FUNDING_EXTREME_BEARISH',
      strength,
      metric,
      value,
      message: ({ level }) => `${words}, below ${figure(level, 3)}%: shorts pay longs, shorts are crowded`,
      birth,
    },
  ];
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
/** For an event outside every window. */
const FAR = 99;

function eventMessage({ title, date, allDay, dateEstimated, daysUntil }: EventReading): string {
  const when = daysUntil <= 0 ? 'is today' : daysUntil === 1 ? 'is tomorrow' : `is in ${daysUntil} days`;
  const time = allDay ? '' : ` at ${date.slice(11, 16)} UTC`;
  const sure = dateEstimated ? ' (estimated date)' : '';
  return `${title} ${when}, on ${day.format(new Date(date))}${time}${sure}`;
}

/** Per event. A rescheduled event leaves its window and alerts again in the next one. */
const calendar = ({ events }: Reading): Evaluation[] =>
  events.map((event) => ({
    gate: `UPCOMING_EVENT:${event.id}`,
    levels: 'UPCOMING_EVENT',
    strength: event.window ?? FAR,
    metric: 'event.window',
    value: null,
    message: () => eventMessage(event),
    birth: { source: event.source, method: event.method, sourceAt: event.sourceAt, receivedAt: event.sourceAt },
    event: { id: event.id, date: event.date },
  }));

const FEWEST_DAYS = 14;

function liquidations({ liquidations: closes }: Reading): Evaluation[] {
  if (!closes || closes.past.length < FEWEST_DAYS) return [];
  const usual = median(closes.past);
  if (!(usual > 0)) return [];
  const times = closes.value / usual;
  return [
    {
      gate: 'LIQUIDATION_SPIKE',
      levels: 'LIQUIDATION_SPIKE',
      strength: times,
      metric: 'liquidations.total',
      value: closes.value,
      message: () =>
        `$${compact(closes.value)} of futures positions liquidated in 24h, ${figure(times, 1)}× the ${closes.past.length}-day median`,
      birth: closes,
    },
  ];
}

function stablecoins({ stablecoins: supply }: Reading): Evaluation[] {
  if (!supply || !(supply.weekAgo > 0)) return [];
  const percent = (supply.value / supply.weekAgo - 1) * 100;
  const side = (levels: 'STABLECOIN_GROWTH' | 'STABLECOIN_DECLINE', strength: number): Evaluation => ({
    gate: levels,
    levels,
    strength,
    metric: 'stablecoins.supply',
    value: supply.value,
    message: () =>
      `Stablecoin supply ${percent < 0 ? 'fell' : 'grew'} ${figure(Math.abs(percent), 1)}% in 7 days, to $${compact(supply.value)} from $${compact(supply.weekAgo)}`,
    birth: supply,
  });
  return [side('STABLECOIN_GROWTH', percent), side('STABLECOIN_DECLINE', -percent)];
}

function ssr({ ssr: ratio }: Reading): Evaluation[] {
  if (!ratio) return [];
  return [
    {
      gate: 'SSR_LEVEL',
      levels: 'SSR_LEVEL',
      strength: ratio.value,
      metric: 'ssr',
      value: ratio.value,
      message: ({ level, isOut }) =>
        `The stablecoin supply ratio ${isOut ? 'rose above' : 'fell below'} ${level}, to ${figure(ratio.value, 2)}: typically ${ssrReading(ratio.value).toLowerCase()}`,
      birth: ratio,
    },
  ];
}

function dominance({ dominance: share }: Reading): Evaluation[] {
  if (!share) return [];
  const { change } = share;
  const side = (way: 'up' | 'down', strength: number): Evaluation => ({
    gate: `BTC_DOMINANCE_SHIFT:${way}`,
    levels: 'BTC_DOMINANCE_SHIFT',
    strength,
    metric: 'dominance.btc',
    value: share.value,
    message: () =>
      `Bitcoin dominance ${change < 0 ? 'fell' : 'rose'} ${figure(Math.abs(change), 1)} points in 24h, to ${figure(share.value, 1)}%`,
    birth: share,
  });
  return [side('up', change), side('down', -change)];
}

function consensus({ consensus: pool }: Reading): Evaluation[] {
  if (!pool) return [];
  const from = pool.opinions === 1 ? '1 analyst' : `average of ${pool.opinions} analysts`;
  const side = (direction: 'BULLISH' | 'BEARISH'): Evaluation => ({
    gate: `AI_CONSENSUS_${direction}`,
    levels: `AI_CONSENSUS_${direction}`,
    strength: pool.direction === direction ? pool.value : 0,
    metric: 'ai_prediction_overall',
    value: pool.value,
    message: ({ level }) =>
      `AI consensus is ${direction.toLowerCase()} with ${figure(pool.value, 0)}% confidence (threshold ${level}%), ${from}`,
    birth: pool,
  });
  return [side('BULLISH'), side('BEARISH')];
}

function mood({ fearGreed }: Reading): Evaluation[] {
  if (!fearGreed) return [];
  const side = (levels: 'FEAR_EXTREME' | 'GREED_EXTREME', word: string): Evaluation => ({
    gate: `FEAR_GREED_EXTREME:${word}`,
    levels,
    strength: fearGreed.value,
    metric: 'fear_greed',
    value: fearGreed.value,
    message: ({ level }) =>
      `The fear and greed index is at ${figure(fearGreed.value, 0)}/100, ${word === 'fear' ? 'at or below' : 'at or above'} ${level}: extreme ${word}`,
    birth: fearGreed,
  });
  return [side('FEAR_EXTREME', 'fear'), side('GREED_EXTREME', 'greed')];
}

const RULES: readonly Rule[] = [
  prices,
  flows,
  stablecoins,
  dominance,
  ssr,
  funding,
  liquidations,
  mood,
  consensus,
  inflation,
  calendar,
];

/** Evaluates every rule. A value that is not finite triggers nothing. */
export const evaluateAll = (reading: Reading): Evaluation[] =>
  RULES.flatMap((rule) => rule(reading)).filter(({ strength }) => Number.isFinite(strength));
