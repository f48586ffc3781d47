import { ssrReading } from '#shared/readings.ts';

import type { Reading } from '../reading.ts';
import { figure, type Judged } from './rule.ts';

export function ssr({ ssr: ratio }: Reading): Judged[] {
  if (!ratio) return [];
  return [
    {
      gate: 'SSR_LEVEL',
      levels: 'SSR_LEVEL',
      strength: ratio.value,
      metric: 'ssr',
      value: ratio.value,
      message: ({ level, isOut }) =>
        `The stablecoin supply ratio ${isOut ? 'rose above' : 'fell below'} ${level}, to ${figure(ratio.value, 2)}: ${ssrReading(ratio.value).toLowerCase()} by its usual reading`,
      birth: ratio,
    },
  ];
}
