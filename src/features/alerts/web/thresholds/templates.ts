import type { Condition } from '#features/alerts/contract/thresholds.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import type { WatchedMetric } from '#shared/watched.ts';
import { COOLDOWN_MINUTES, type ConditionDraft, type Draft, toValue } from './draft.ts';
import {
  availableConditions,
  type Coin,
  conditionSentence,
  findMeasure,
  isDirection,
  namedDirection,
  watchesChange,
} from './labels.ts';
import { niceStep, toStep, writeNumber } from './numbers.ts';

/** Current market data, used for the defaults of a new rule. */
export type Market = { coins: readonly Coin[]; now: Partial<Record<WatchedMetric, number | null>> };

const COIN_OF: Readonly<Record<string, string>> = { btc_price: 'bitcoin', eth_price: 'ethereum', sol_price: 'solana' };
const METRIC_OF = Object.fromEntries(Object.entries(COIN_OF).map(([metric, coin]) => [coin, metric]));

/** The watched price of a coin. */
export const coinMetric = (coinId: string): string => METRIC_OF[coinId] ?? COIN_PREFIX + coinId;

/** Defaults when the metric's current value is unknown. */
const USUAL: Readonly<Record<string, number>> = {
  btc_price: 100_000,
  eth_price: 4000,
  sol_price: 200,
  ssr: 6,
  btc_dominance: 60,
  exchange_flow: 5000,
  fear_greed: 75,
  vix: 25,
  dxy: 125,
  volume_24h: 200e9,
};
/** On bounded or signed scales a share of the current value is meaningless. */
const FIXED = new Set(['fear_greed', 'exchange_flow', 'vix', 'dxy']);

export function currentValue(metric: string, { coins, now }: Market): number | null {
  const id = COIN_OF[metric] ?? (metric.startsWith(COIN_PREFIX) ? metric.slice(COIN_PREFIX.length) : null);
  if (id) return coins.find((coin) => coin.id === id)?.price ?? null;
  return now[metric as WatchedMetric] ?? null;
}

/** A reasonable default level: slightly beyond the current value. */
export function valueFor(metric: string, condition: Condition, market: Market): string {
  if (isDirection(metric)) return namedDirection(condition) ?? 'BULLISH';
  if (condition === 'changes_by') return '5';
  if (condition === 'changes_by_sigma') return '2';
  if (condition === 'leaves_range') return '0';
  const now = currentValue(metric, market);
  if (metric === 'fear_greed') return condition === 'below' ? '25' : '75';
  if (now === null || FIXED.has(metric)) return writeNumber(USUAL[metric] ?? 1);
  const level = now * (condition === 'below' ? 0.95 : condition === 'equals' ? 1 : 1.05);
  return writeNumber(toStep(level, niceStep(level / 40)));
}

/** Generated name of a rule: it follows the rule until renamed. */
export const nameFor = (draft: ConditionDraft, { coins }: Market): string =>
  conditionSentence({ ...draft, value: toValue(draft) }, coins);

/** A margin belongs to the scale it was chosen for. */
const withoutMargin = <D extends ConditionDraft>(draft: D): D => ('margin' in draft ? { ...draft, margin: '' } : draft);

/** Switches the metric, with a matching condition and a value on its scale. */
export function withMetric<D extends ConditionDraft>(draft: D, metric: string, market: Market): D {
  const fits = availableConditions(metric);
  const usual = isDirection(metric) ? 'changes_to_bullish' : 'above';
  const condition = fits.includes(draft.condition) && !isDirection(metric) ? draft.condition : usual;
  return { ...withoutMargin(draft), metric, condition, value: valueFor(metric, condition, market) };
}

export function withCondition<D extends ConditionDraft>(draft: D, condition: Condition, market: Market): D {
  const named = namedDirection(condition);
  const kindChanged = watchesChange(draft.condition) || watchesChange(condition);
  const value = named ?? (kindChanged ? valueFor(draft.metric, condition, market) : draft.value);
  const sameScale = findMeasure(draft.metric, draft.condition).unit === findMeasure(draft.metric, condition).unit;
  return { ...(sameScale ? draft : withoutMargin(draft)), condition, value };
}

/** Choosing another direction selects the condition with it in its name. */
export function withDirection<D extends ConditionDraft>(draft: D, value: string): D {
  const condition = namedDirection(draft.condition)
    ? (draft.condition.replace(/_[a-z]+$/, `_${value.toLowerCase()}`) as Condition)
    : draft.condition;
  return { ...draft, condition, value };
}

const PLAIN = {
  id: null,
  description: '',
  enabled: true,
  icon: null,
  mode: 'every',
  cooldown: String(COOLDOWN_MINUTES),
  margin: '',
  hold: '0',
  expiresAt: null,
  and: null,
  schedule: null,
} as const;

type Start = Partial<Omit<Draft, 'key' | 'id'>> & { metric: string; condition: Condition };

let made = 0;

export function makeDraft(start: Start, market: Market): Draft {
  const value = start.value ?? valueFor(start.metric, start.condition, market);
  const draft = { ...PLAIN, name: '', key: `new-${++made}`, ...start, value };
  return { ...draft, name: draft.name || nameFor(draft, market) };
}

export const NEW: Start = { metric: 'btc_price', condition: 'above' };

export const AI_ALERTS: readonly (readonly [name: string, metric: WatchedMetric])[] = [
  ['Short Term AI Alert', 'ai_prediction_short'],
  ['Medium Term AI Alert', 'ai_prediction_medium'],
  ['Long Term AI Alert', 'ai_prediction_long'],
  ['Overall AI Alert', 'ai_prediction_overall'],
];

export const EXAMPLES: readonly { title: string; why: string; start: Start }[] = [
  {
    title: 'Unusual Bitcoin move',
    why: 'Three standard deviations over 30 days, in either direction. Adapts to calm and volatile markets.',
    start: {
      metric: 'btc_price',
      condition: 'changes_by_sigma',
      value: '3',
      name: 'Example: unusual Bitcoin move',
    },
  },
  {
    title: 'Extreme fear',
    why: 'The index falls to 25. Fires once, then again only after the index has recovered.',
    start: { metric: 'fear_greed', condition: 'below', value: '25', name: 'Example: extreme fear' },
  },
  {
    title: 'The AI turns bullish',
    why: 'Two consecutive analyses differ and the newer one is bullish. Check its track record first.',
    start: { metric: 'ai_prediction_overall', condition: 'changes_to_bullish', name: 'Example: the AI turns bullish' },
  },
];
