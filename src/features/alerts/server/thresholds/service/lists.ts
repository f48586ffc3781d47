import { PLAN_LIMITS, PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { ParsedThreshold, Threshold } from '#features/alerts/contract/thresholds.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { type Caller, checkMatch, Versioned } from '#kernel/route.ts';

import type { ThresholdsContext } from '../context.ts';
import { compileRule, freshState, seriesOf } from '../engine/compile.ts';
import { levelled, stateOf, step, UNKNOWN } from '../engine/legs.ts';
import type { Leg, LegState } from '../engine/types.ts';
import type { Feed } from '../owner/feed.ts';
import { lockList, lockRules, revisionOf, rulesOf, type StoredRule, setRevision } from '../store/rules.ts';
import { notifyRuleChange } from '../watching.ts';
import { applyList, type Beginning, isNews } from './apply.ts';
import { checkRule, type Entry, entryOf, placeOf } from './refuse.ts';
import { canRearm, presentValue, viewsOf } from './view.ts';

/**
 * The state for the current value. Computed when saving, so that a crossing between saving and loading the rule is
 * detected.
 */
function beginningOf(feed: Feed): Beginning {
  function onNow(leg: Leg | undefined, given: LegState): LegState {
    if (!leg || given !== UNKNOWN) return given;
    const value = feed.current(leg.series)?.value;
    if (value === undefined) return UNKNOWN;
    const { kind, low, high, outLow, outHigh } = levelled(leg);
    return stateOf(step(kind, UNKNOWN, value, low, high, outLow, outHigh));
  }
  return (meaning) => {
    const row = { ...meaning, id: 0, userId: 0 };
    const { legs } = compileRule(row);
    const { first, second } = freshState(row);
    return { first: onNow(legs[0], first), second: onNow(legs[1], second) };
  };
}

/** Context for changing users' lists. */
export type Keeper = { ctx: ThresholdsContext; feed: Feed };
export type Who = Pick<Caller, 'userId' | 'plan'>;
type List = Versioned<Threshold[]>;

const CHANGED = 'Your alerts were changed in another tab. Reload to see them.';

type Watching = Pick<ParsedThreshold, 'metric' | 'condition' | 'options'>;
const watchedBy = (rules: readonly Watching[]): string[] => [
  ...new Set(
    rules.flatMap(({ metric, condition, options }) => [
      seriesOf(metric, condition),
      ...(options?.and ? [seriesOf(options.and.metric, options.and.condition)] : []),
    ]),
  ),
];

export async function listRules({ ctx, feed }: Keeper, { userId, plan }: Who): Promise<List> {
  // The revision is read first: a list newer than its revision is refused, an older one would overwrite.
  const revision = await revisionOf(ctx.db, userId);
  const rules = await rulesOf(ctx.db, userId);
  await prepare({ ctx, feed }, userId);
  return new Versioned(revision, viewsOf(ctx, feed, rules, plan));
}

/**
 * Runs before the transaction: inside it, a second connection might never be available. Unwatched metrics are refused
 * inside it.
 */
export async function prepare(
  { ctx, feed }: Keeper,
  userId: number,
  asked: readonly ParsedThreshold[] = [],
): Promise<void> {
  const isKnown = (series: string) => presentValue(ctx, series.split('~')[0] as string) !== null;
  await feed.prepare(watchedBy([...(await rulesOf(ctx.db, userId)), ...asked]).filter(isKnown));
}

type EntriesOf = (stored: readonly StoredRule[]) => Entry[];

/** Serialises changes to a list. Rules beyond the plan are paused with it. */
export async function changeList(
  keeper: Keeper,
  who: Who,
  ifMatch: string | undefined,
  entriesOf: EntriesOf,
  asked?: readonly ParsedThreshold[],
): Promise<List> {
  await prepare(keeper, who.userId, asked);
  return keeper.ctx.db.transaction().execute((tx) => changeListIn(keeper, tx, who, ifMatch, entriesOf));
}

/** Runs in the caller's transaction, after `prepare` for the same request. */
export async function changeListIn(
  { ctx, feed }: Keeper,
  tx: Db,
  { userId, plan }: Who,
  ifMatch: string | undefined,
  entriesOf: EntriesOf,
): Promise<List> {
  const now = ctx.now();
  const revision = await lockList(tx, userId, now);
  checkMatch(ifMatch, revision, CHANGED);
  await lockRules(tx, userId);
  const stored = await rulesOf(tx, userId);
  const entries = entriesOf(stored);
  const begin = beginningOf(feed);
  const changed = await applyList(tx, userId, stored, entries, { now, plan, begin });
  const next = changed.list ? revision + 1 : revision;
  if (changed.list) await setRevision(tx, userId, next, now);
  if (changed.list || changed.states) await notifyRuleChange(tx, userId);
  return new Versioned(next, viewsOf(ctx, feed, await rulesOf(tx, userId), plan));
}

/** The entry for a request; one with a new meaning is validated under its position in the list. */
export function taken({ ctx }: Keeper, stored: readonly StoredRule[], asked: ParsedThreshold, place?: number): Entry {
  const entry = entryOf(asked);
  if (
    !isNews(
      entry,
      stored.find(({ id }) => id === entry.id),
    )
  )
    return entry;
  const { board } = ctx.market.ctx;
  try {
    checkRule(asked, { now: ctx.now(), isTracked: board.has });
  } catch (error) {
    if (place === undefined || !(error instanceof AppError)) throw error;
    throw new AppError(error.code, `Number ${place + 1}: ${error.message}`);
  }
  return entry;
}

export const saveRules = (
  keeper: Keeper,
  who: Who,
  asked: readonly ParsedThreshold[],
  ifMatch: string | undefined,
): Promise<List> =>
  changeList(keeper, who, ifMatch, (stored) => asked.map((each, place) => taken(keeper, stored, each, place)), asked);

type One = Versioned<Threshold>;
const at = (list: List, id: number): One => list.of(list.value.find((rule) => rule.id === id) as Threshold);

/** New rules are placed first. */
export async function addRule(keeper: Keeper, who: Who, asked: ParsedThreshold, ifMatch?: string): Promise<One> {
  if (asked.id !== undefined) throw new AppError('bad_request', 'A new alert must not have an id');
  const list = await changeList(
    keeper,
    who,
    ifMatch,
    (stored) => [taken(keeper, stored, asked), ...stored.map(placeOf)],
    [asked],
  );
  return at(list, list.value[0]?.id ?? 0);
}

const demand = (stored: readonly StoredRule[], id: number): void => {
  if (!stored.some((rule) => rule.id === id)) throw new AppError('not_found', 'Alert not found');
};

export async function changeRule(
  keeper: Keeper,
  who: Who,
  id: number,
  asked: ParsedThreshold,
  ifMatch?: string,
): Promise<One> {
  if (asked.id !== undefined && asked.id !== id)
    throw new AppError(
      'bad_request',
      `The alert id in the URL (${id}) does not match the one in the body (${asked.id})`,
    );
  const list = await changeList(
    keeper,
    who,
    ifMatch,
    (stored) => {
      demand(stored, id);
      return stored.map((rule) => (rule.id === id ? taken(keeper, stored, { ...asked, id }) : placeOf(rule)));
    },
    [asked],
  );
  return at(list, id);
}

export async function removeRule(keeper: Keeper, who: Who, id: number, ifMatch?: string): Promise<List> {
  return changeList(keeper, who, ifMatch, (stored) => {
    demand(stored, id);
    return stored.filter((rule) => rule.id !== id).map(placeOf);
  });
}

function refuseRearm({ enabled, paused }: StoredRule, plan: Who['plan']): never {
  const { alertRules } = PLAN_LIMITS[plan];
  const covers = `${PLAN_NAMES[plan]} includes up to ${alertRules} custom alerts, and this one exceeds the limit`;
  const why = enabled ? 'This alert is already armed' : 'Enable this alert first';
  throw new AppError('bad_request', paused === 'plan' ? covers : why);
}

/** Rearms a rule that fired once or was paused by a storm. */
export async function rearmRule(keeper: Keeper, who: Who, id: number): Promise<One> {
  const list = await changeList(keeper, who, undefined, (stored) => {
    demand(stored, id);
    return stored.map((rule): Entry => {
      if (rule.id !== id) return placeOf(rule);
      return canRearm(rule) ? { ...placeOf(rule), isFresh: true } : refuseRearm(rule, who.plan);
    });
  });
  return at(list, id);
}
