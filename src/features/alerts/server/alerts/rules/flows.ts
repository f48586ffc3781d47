import { grouped } from '#shared/format.ts';
import type { Reading, WithPast } from '../reading.ts';
import { deviationOf, figure, type Judged, meanOf } from './rule.ts';

const FEWEST_DAYS = 30;
const coinsOf = (value: number) => grouped(Math.round(Math.abs(value)));

function judge(asset: 'btc' | 'eth', flow: WithPast | null): Judged[] {
  if (!flow || flow.past.length < FEWEST_DAYS) return [];
  const usual = deviationOf(flow.past);
  if (!(usual > 0)) return [];
  const score = (flow.value - meanOf(flow.past)) / usual;
  const amount = `${coinsOf(flow.value)} ${asset.toUpperCase()}`;
  const far = `${figure(Math.abs(score), 1)}σ from the ${flow.past.length}-day average`;
  const side = (levels: 'EXCHANGE_INFLOW' | 'EXCHANGE_OUTFLOW', strength: number, words: string): Judged => ({
    gate: `${levels}:${asset}`,
    levels,
    strength,
    metric: `flow.${asset}.net`,
    value: flow.value,
    message: () => `${amount} ${words} in 24h, ${far}`,
    birth: flow,
  });
  return [
    side('EXCHANGE_INFLOW', flow.value > 0 ? score : 0, 'net flowed into exchanges'),
    side('EXCHANGE_OUTFLOW', flow.value < 0 ? -score : 0, 'net flowed out of exchanges'),
  ];
}

export const flows = ({ flows: { btc, eth } }: Reading): Judged[] => [...judge('btc', btc), ...judge('eth', eth)];
