import type { Reading } from '../reading.ts';
import { figure, type Judged } from './rule.ts';

export function consensus({ consensus: pool }: Reading): Judged[] {
  if (!pool) return [];
  const from = pool.opinions === 1 ? 'one opinion' : `the mean of ${pool.opinions} opinions`;
  const side = (direction: 'BULLISH' | 'BEARISH'): Judged => ({
    gate: `AI_CONSENSUS_${direction}`,
    levels: `AI_CONSENSUS_${direction}`,
    strength: pool.direction === direction ? pool.value : 0,
    metric: 'ai_prediction_overall',
    value: pool.value,
    message: ({ level }) =>
      `The AI consensus is ${direction.toLowerCase()} with ${figure(pool.value, 0)} % confidence, at least ${level} %: ${from}`,
    birth: pool,
  });
  return [side('BULLISH'), side('BEARISH')];
}
