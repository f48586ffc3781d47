import type { Reading } from '../reading.ts';
import { figure, type Judged } from './rule.ts';

/** The names say who is crowded: bullish the buyers, who pay much; bearish the sellers, who pay. They do not say what follows. */
export function funding({ funding: rate }: Reading): Judged[] {
  if (!rate) return [];
  const words = `Funding of perpetual futures is at ${figure(rate.value, 3)} % per 8 hours`;
  const birth = rate;
  const [metric, value, strength] = ['funding.market', rate.value, rate.value];
  return [
    {
      gate: 'FUNDING_EXTREME_BULLISH',
      levels: 'FUNDING_EXTREME_BULLISH',
      strength,
      metric,
      value,
      message: ({ level }) => `${words}, above ${level} %: buyers pay sellers, longs are crowded`,
      birth,
    },
    {
      gate: 'FUNDING_EXTREME_BEARISH',
      levels: 'FUNDING_EXTREME_BEARISH',
      strength,
      metric,
      value,
      message: ({ level }) => `${words}, below ${figure(level, 3)} %: sellers pay buyers, shorts are crowded`,
      birth,
    },
  ];
}
