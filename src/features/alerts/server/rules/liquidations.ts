import { compact } from '#shared/format.ts';

import type { Reading } from '../reading.ts';
import { figure, type Judged, medianOf } from './rule.ts';

const FEWEST_DAYS = 14;

export function liquidations({ liquidations: closes }: Reading): Judged[] {
  if (!closes || closes.past.length < FEWEST_DAYS) return [];
  const usual = medianOf(closes.past);
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
        `$${compact(closes.value)} of futures positions were closed by force in 24 hours, ${figure(times, 1)} times the median of the last ${closes.past.length} days`,
      birth: closes,
    },
  ];
}
