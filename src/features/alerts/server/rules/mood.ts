import type { Reading } from '../reading.ts';
import { figure, type Judged } from './rule.ts';

export function mood({ fearGreed }: Reading): Judged[] {
  if (!fearGreed) return [];
  const side = (levels: 'FEAR_EXTREME' | 'GREED_EXTREME', word: string): Judged => ({
    gate: `FEAR_GREED_EXTREME:${word}`,
    levels,
    strength: fearGreed.value,
    metric: 'fear_greed',
    value: fearGreed.value,
    message: ({ level }) =>
      `The fear and greed index is at ${figure(fearGreed.value, 0)} of 100, ${word === 'fear' ? 'no more than' : 'at least'} ${level}: extreme ${word}`,
    birth: fearGreed,
  });
  return [side('FEAR_EXTREME', 'fear'), side('GREED_EXTREME', 'greed')];
}
