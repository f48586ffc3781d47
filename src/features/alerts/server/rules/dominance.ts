import type { Reading } from '../reading.ts';
import { figure, type Judged } from './rule.ts';

export function dominance({ dominance: share }: Reading): Judged[] {
  if (!share) return [];
  const { change } = share;
  const side = (way: 'up' | 'down', strength: number): Judged => ({
    gate: `BTC_DOMINANCE_SHIFT:${way}`,
    levels: 'BTC_DOMINANCE_SHIFT',
    strength,
    metric: 'dominance.btc',
    value: share.value,
    message: () =>
      `Bitcoin dominance ${change < 0 ? 'fell' : 'rose'} ${figure(Math.abs(change), 1)} points in 24 hours, to ${figure(share.value, 1)} %`,
    birth: share,
  });
  return [side('up', change), side('down', -change)];
}
