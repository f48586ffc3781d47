import { grouped } from '#shared/format.ts';
import type { LevelName } from '../levels.ts';
import type { Crossing } from '../raise.ts';
import type { CoinReading, Known, Reading, ReleaseReading, WithHistory } from '../reading.ts';

/** The result of a rule for one gate at one moment. */
export type Evaluation = {
  gate: string;
  levels: LevelName;
  /** Compared with the levels. */
  strength: number;
  metric: string;
  /** In the unit of the metric. */
  value: number | null;
  message: (crossing: Crossing) => string;
  birth: Omit<Known, 'value'>;
  event?: { id: number; date: string };
};

/** Evaluates known values; unknown ones produce no result. */
export type Rule = (reading: Reading) => Evaluation[];

const computeMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of a sample. */
function standardDeviation(values: readonly number[]): number {
  const mean = computeMean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1] ?? 0, sorted[Math.floor(half)] ?? 0];
  return (low + high) / 2;
}

/** '8.4', with a true minus. */
export const figure = (value: number, decimals: number): string =>
  value.toFixed(decimals).replace('-', Number(value.toFixed(decimals)) === 0 ? '' : '\u2212');

/** Fewer daily moves are not enough for an average. */
const FEWEST_DAYS = 20;
const STEEPEST = 3;

const logToPercent = (log: number) => (Math.exp(log) - 1) * 100;

/** A coin's beta to Bitcoin, and its residual volatility. */
function divergence(coin: CoinReading, bitcoin: CoinReading): { share: number; usual: number } | null {
  const pairs = [...coin.returns].flatMap(([day, own]) => {
    const other = bitcoin.returns.get(day);
    return other === undefined ? [] : [[own, other] as const];
  });
  if (pairs.length < FEWEST_DAYS) return null;
  const [own, other] = [computeMean(pairs.map(([x]) => x)), computeMean(pairs.map(([, y]) => y))];
  const variance = pairs.reduce((sum, [, y]) => sum + (y - other) ** 2, 0);
  const together = pairs.reduce((sum, [x, y]) => sum + (x - own) * (y - other), 0);
  const share = variance > 0 ? Math.min(STEEPEST, Math.max(0, together / variance)) : 0;
  return { share, usual: standardDeviation(pairs.map(([x, y]) => x - share * y)) };
}

/**
 * In standard daily moves. Coins other than Bitcoin must also exceed the level by one standard move on their own: a
 * market-wide move is reported only for Bitcoin.
 */
export function relativeStrength(coin: CoinReading, bitcoin: CoinReading | undefined): number | null {
  if (coin.returns.size < FEWEST_DAYS) return null;
  const usual = standardDeviation([...coin.returns.values()]);
  if (!(usual > 0)) return null;
  const whole = coin.change / usual;
  if (coin.id === 'bitcoin') return whole;
  const own = bitcoin && divergence(coin, bitcoin);
  if (!own || !bitcoin || !(own.usual > 0)) return null;
  const alone = (coin.change - own.share * bitcoin.change) / own.usual;
  if (Math.sign(alone) !== Math.sign(whole)) return 0;
  return Math.sign(whole) * Math.max(0, Math.min(Math.abs(whole), Math.abs(alone) - 1));
}

export function prices({ coins }: Reading): Evaluation[] {
  const bitcoin = coins.find(({ id }) => id === 'bitcoin');
  return coins.flatMap((coin): Evaluation[] => {
    const strength = relativeStrength(coin, bitcoin);
    if (strength === null) return [];
    const percent = logToPercent(coin.change);
    const times = Math.abs(coin.change / standardDeviation([...coin.returns.values()]));
    const other = bitcoin && coin !== bitcoin ? logToPercent(bitcoin.change) : null;
    const beside =
      other === null ? '' : `, while Bitcoin ${other < 0 ? 'fell' : 'rose'} ${figure(Math.abs(other), 1)}%`;
    const message = () =>
      `${coin.name} ${percent < 0 ? 'fell' : 'rose'} ${figure(Math.abs(percent), 1)}% in 24h, ${figure(times, 1)}× its typical daily move${beside}`;
    const evaluate = (levels: 'PRICE_BULLISH_MOVE' | 'PRICE_BEARISH_MOVE', side: 1 | -1): Evaluation => ({
      gate: `${levels}:${coin.id}`,
      levels,
      strength: side * strength,
      metric: 'coin.change',
      value: percent,
      message,
      birth: coin,
    });
    return [evaluate('PRICE_BULLISH_MOVE', 1), evaluate('PRICE_BEARISH_MOVE', -1)];
  });
}

const FEWEST_FLOW_DAYS = 30;
const coinsText = (value: number) => grouped(Math.round(Math.abs(value)));

function evaluate(asset: 'btc' | 'eth', flow: WithHistory | null): Evaluation[] {
  if (!flow || flow.past.length < FEWEST_FLOW_DAYS) return [];
  const usual = standardDeviation(flow.past);
  if (!(usual > 0)) return [];
  const score = (flow.value - computeMean(flow.past)) / usual;
  const amount = `${coinsText(flow.value)} ${asset.toUpperCase()}`;
  const far = `${figure(Math.abs(score), 1)}σ from the ${flow.past.length}-day average`;
  const side = (levels: 'EXCHANGE_INFLOW' | 'EXCHANGE_OUTFLOW', strength: number, words: string): Evaluation => ({
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

export const flows = ({ flows: { btc, eth } }: Reading): Evaluation[] => [
  ...evaluate('btc', btc),
  ...evaluate('eth', eth),
];

const NAMES = { cpi: 'Consumer prices (CPI)', pce: 'Consumer spending prices (PCE)', ppi: 'Producer prices (PPI)' };
const BASIS = { consensus: 'the consensus', nowcast: 'the Cleveland Fed nowcast', previous: 'the previous month' };
/** A month often differs by a tenth from the previous one: without a forecast that is no surprise. */
const USUAL_STEP = 0.1;

const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });
const tenths = (value: number) => Math.round(value * 10) / 10;

function releaseMessage({ type, period, value, expected, basis }: ReleaseReading): string {
  const difference = tenths(value - tenths(expected));
  const moved = value === 0 ? 'were unchanged' : `${value < 0 ? 'fell' : 'rose'} ${figure(Math.abs(value), 1)}%`;
  const far = `${figure(Math.abs(difference), 1)} points ${difference < 0 ? 'below' : 'above'}`;
  return `${NAMES[type]} ${moved} in ${month.format(new Date(`${period}-01T00:00:00Z`))}, ${far} ${BASIS[basis]} of ${figure(expected, 1)}%`;
}

/** Without a release in the last two days the gate is quiet, which makes the next release new. */
export function inflation({ prints, at }: Reading): Evaluation[] {
  if (!prints) return [];
  return (['cpi', 'pce', 'ppi'] as const).map((type): Evaluation => {
    const print = prints[type];
    const distance = print ? Math.abs(tenths(print.value - tenths(print.expected))) : 0;
    return {
      gate: `INFLATION_SURPRISE:${type}`,
      levels: 'INFLATION_SURPRISE',
      strength: tenths(print?.basis === 'previous' ? distance - USUAL_STEP : distance),
      metric: 'inflation.mom',
      value: print?.value ?? null,
      message: () => (print ? releaseMessage(print) : ''),
      birth: print ?? { source: 'Meridian', method: 'computed', sourceAt: at, receivedAt: at },
    };
  });
}
