import { compact } from '#shared/format.ts';

import type { Reading } from '../reading.ts';
import { figure, type Judged } from './rule.ts';

export function stablecoins({ stablecoins: supply }: Reading): Judged[] {
  if (!supply || !(supply.weekAgo > 0)) return [];
  const percent = (supply.value / supply.weekAgo - 1) * 100;
  const side = (levels: 'STABLECOIN_GROWTH' | 'STABLECOIN_DECLINE', strength: number): Judged => ({
    gate: levels,
    levels,
    strength,
    metric: 'stablecoins.supply',
    value: supply.value,
    message: () =>
      `The supply of stablecoins ${percent < 0 ? 'fell' : 'grew'} ${figure(Math.abs(percent), 1)} % in 7 days, to $${compact(supply.value)} from $${compact(supply.weekAgo)}`,
    birth: supply,
  });
  return [side('STABLECOIN_GROWTH', percent), side('STABLECOIN_DECLINE', -percent)];
}
