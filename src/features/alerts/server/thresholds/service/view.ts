import { PLAN_LIMITS, PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { RuleState, Threshold } from '#features/alerts/contract/thresholds.ts';
import type { Plan } from '#shared/contract.ts';
import { type Watched, watchedOf } from '#shared/watched.ts';
import { unitOf } from '#shared/watched-limits.ts';
import type { ThresholdsContext } from '../context.ts';
import { compileRule } from '../engine/compile.ts';
import { ON } from '../engine/leg.ts';
import type { CompiledRule } from '../engine/types.ts';
import type { Feed } from '../owner/feed.ts';
import type { StoredRule } from '../store/rules.ts';
import { meaningOf, valueOf } from './meaning.ts';
import { type Present, presentValue } from './present.ts';

type Said = { state: RuleState; note: string | null };

const number = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 8 });
const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The value a rule is evaluated with, or the reason for its absence. */
function presentOrWhy(ctx: ThresholdsContext, feed: Feed, series: string): Present | string {
  const metric = series.split('~')[0] as string;
  const name = watchedOf(metric)?.name ?? metric;
  const now = presentValue(ctx, metric);
  if (!now) return `${name}: no value yet`;
  const judged = feed.current(series);
  if (judged) return { value: judged.value, meta: { ...now.meta, method: judged.method } };
  const isOld = Date.parse(now.meta.staleAfter) <= ctx.now().getTime();
  if (!isOld && isRange(series)) return `${name}: no open 24h range from the built-in analyst`;
  return `${name}: ${isOld ? 'data is stale' : 'no value from 24h ago yet'}`;
}

const isRange = (series: string) => series.endsWith('~range');

/** What has to happen before a rule that holds can fire again. */
function comeback({ legs }: CompiledRule, rule: StoredRule, { kind, unit }: Watched): string {
  const [leg] = legs;
  const begins = rule.last_fired_at === null;
  if (!leg || legs.length > 1)
    return begins ? 'Both conditions already met: fires the next time both become true' : 'Both conditions met';
  const again = begins ? 'fires at the next crossing' : 'rearms';
  if (kind === 'direction') return begins ? 'Already met: fires at the next change' : 'Met: rearms at the next change';
  const of = (value: number) =>
    `${number.format(value)} ${leg.series.includes('~') ? unitOf({ unit } as Watched, rule.condition) : unit}`;
  const side = isRange(leg.series) ? 'outside its range' : 'above';
  if (leg.kind === 'above') return begins ? `Already ${side}: ${again}` : `Met: ${again} at ${of(leg.low)}`;
  if (leg.kind === 'below') return begins ? `Already below: ${again}` : `Met: ${again} at ${of(leg.high)}`;
  return begins
    ? 'Already equal: fires when it returns to this value'
    : `Met: ${again} when it is ${of(leg.margin)} away`;
}

function saidOf(rule: StoredRule, compiled: CompiledRule, watched: Watched, given: Given): Said {
  const { now, plan, values } = given;
  if (!rule.enabled) return { state: 'off', note: null };
  if (rule.paused === 'plan') {
    const { alertRules } = PLAN_LIMITS[plan];
    return { state: 'paused', note: `Paused: ${PLAN_NAMES[plan]} includes up to ${alertRules} custom alerts` };
  }
  if (rule.paused === 'storm') return { state: 'paused', note: 'Paused: fired too often within 3 minutes' };
  if (rule.done) return { state: 'done', note: 'Done: fired once, as configured' };
  if (compiled.expiresAt !== null && compiled.expiresAt <= now)
    return { state: 'expired', note: `Expired at ${time(compiled.expiresAt)}` };
  const why = values.find((value) => typeof value === 'string');
  if (why !== undefined) return { state: 'no_data', note: why };
  const states = compiled.legs.map((_, i) => (i === 0 ? rule.first_on : rule.second_on));
  if (rule.pending_since !== null)
    return {
      state: 'pending',
      note: `Fires on the first value after ${time(Date.parse(rule.pending_since) + compiled.holdMs)} if still met`,
    };
  if (states.every((state) => state === ON)) return { state: 'fired', note: comeback(compiled, rule, watched) };
  return { state: 'armed', note: null };
}

type Given = { now: number; plan: Plan; values: readonly (Present | string)[] };

export const canRearm = ({ enabled, paused, done }: StoredRule): boolean =>
  enabled && paused !== 'plan' && (done || paused === 'storm');

const ICONS: Readonly<Record<string, string>> = {
  btc_price: 'bitcoin',
  eth_price: 'ethereum',
  sol_price: 'solana',
  ssr: 'scale',
  btc_dominance: 'dominance',
  exchange_flow: 'flow',
  fear_greed: 'gauge',
  vix: 'volatility',
  dxy: 'dollar',
  volume_24h: 'volume',
};
const iconOf = (metric: string, { kind }: Watched): string => ICONS[metric] ?? (kind === 'direction' ? 'ai' : 'coin');

/** The rules as their owner sees them now. */
export function viewsOf(ctx: ThresholdsContext, feed: Feed, rules: readonly StoredRule[], plan: Plan): Threshold[] {
  const now = ctx.now().getTime();
  const known = new Map<string, Present | string>();
  function present(series: string): Present | string {
    const found = known.get(series) ?? presentOrWhy(ctx, feed, series);
    known.set(series, found);
    return found;
  }
  return rules.flatMap((rule): Threshold[] => {
    const watched = watchedOf(rule.metric);
    if (!watched) return [];
    const meaning = meaningOf(rule);
    const compiled = compileRule({ ...meaning, id: rule.id, userId: rule.user_id });
    const values = compiled.legs.map(({ series }) => present(series));
    return [
      {
        id: rule.id,
        name: rule.name,
        description: rule.description,
        metric: rule.metric,
        condition: rule.condition,
        value: valueOf(rule.metric, rule.value),
        enabled: rule.enabled,
        icon: rule.icon ?? iconOf(rule.metric, watched),
        iconChosen: rule.icon !== null,
        unit: unitOf(watched, rule.condition),
        options: meaning.options,
        ...saidOf(rule, compiled, watched, { now, plan, values }),
        canRearm: canRearm(rule),
        lastFiredAt: rule.last_fired_at,
        fires: rule.fires,
        cadence: watched.cadence,
        current: typeof values[0] === 'object' ? values[0] : null,
      },
    ];
  });
}
