import type { CoinReading, Reading } from '../reading.ts';
import { deviationOf, figure, type Judged, meanOf } from './rule.ts';

/** Fewer daily moves say nothing about the usual one. */
const FEWEST_DAYS = 20;
const STEEPEST = 3;

const percentOf = (log: number) => (Math.exp(log) - 1) * 100;

/** How much a coin usually moves with Bitcoin, and its usual move apart from it. */
function apart(coin: CoinReading, bitcoin: CoinReading): { share: number; usual: number } | null {
  const pairs = [...coin.returns].flatMap(([day, own]) => {
    const other = bitcoin.returns.get(day);
    return other === undefined ? [] : [[own, other] as const];
  });
  if (pairs.length < FEWEST_DAYS) return null;
  const [own, other] = [meanOf(pairs.map(([x]) => x)), meanOf(pairs.map(([, y]) => y))];
  const variance = pairs.reduce((sum, [, y]) => sum + (y - other) ** 2, 0);
  const together = pairs.reduce((sum, [x, y]) => sum + (x - own) * (y - other), 0);
  const share = variance > 0 ? Math.min(STEEPEST, Math.max(0, together / variance)) : 0;
  return { share, usual: deviationOf(pairs.map(([x, y]) => x - share * y)) };
}

/**
 * In usual daily moves. Another coin than Bitcoin is judged by what it did by itself as well, which has to be one usual move more than
 * the level: what the whole market does is told once, of Bitcoin.
 */
export function strengthOf(coin: CoinReading, bitcoin: CoinReading | undefined): number | null {
  if (coin.returns.size < FEWEST_DAYS) return null;
  const usual = deviationOf([...coin.returns.values()]);
  if (!(usual > 0)) return null;
  const whole = coin.change / usual;
  if (coin.id === 'bitcoin') return whole;
  const own = bitcoin && apart(coin, bitcoin);
  if (!own || !bitcoin || !(own.usual > 0)) return null;
  const alone = (coin.change - own.share * bitcoin.change) / own.usual;
  if (Math.sign(alone) !== Math.sign(whole)) return 0;
  return Math.sign(whole) * Math.max(0, Math.min(Math.abs(whole), Math.abs(alone) - 1));
}

export function prices({ coins }: Reading): Judged[] {
  const bitcoin = coins.find(({ id }) => id === 'bitcoin');
  return coins.flatMap((coin): Judged[] => {
    const strength = strengthOf(coin, bitcoin);
    if (strength === null) return [];
    const percent = percentOf(coin.change);
    const times = Math.abs(coin.change / deviationOf([...coin.returns.values()]));
    const other = bitcoin && coin !== bitcoin ? percentOf(bitcoin.change) : null;
    const beside =
      other === null ? '' : `, while Bitcoin ${other < 0 ? 'fell' : 'rose'} ${figure(Math.abs(other), 1)}%`;
    const message = () =>
      `${coin.name} ${percent < 0 ? 'fell' : 'rose'} ${figure(Math.abs(percent), 1)}% in 24h, ${figure(times, 1)}× its typical daily move${beside}`;
    const judge = (levels: 'PRICE_BULLISH_MOVE' | 'PRICE_BEARISH_MOVE', side: 1 | -1): Judged => ({
      gate: `${levels}:${coin.id}`,
      levels,
      strength: side * strength,
      metric: 'coin.change',
      value: percent,
      message,
      birth: coin,
    });
    return [judge('PRICE_BULLISH_MOVE', 1), judge('PRICE_BEARISH_MOVE', -1)];
  });
}
