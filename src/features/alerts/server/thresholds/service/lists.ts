import { PLAN_LIMITS, PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { ParsedThreshold, Threshold } from '#features/alerts/contract/thresholds.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { type Caller, checkIfMatch, Versioned } from '#kernel/route.ts';

import type { ThresholdsContext } from '../context.ts';
import { compileRule, initialState, seriesName } from '../engine/compile.ts';
import { levelled, step, toLegState, UNKNOWN } from '../engine/legs.ts';
import type { Leg, LegState } from '../engine/types.ts';
import type { Feed } from '../owner/feed.ts';
import { lockList, lockRules, readRevision, readRules, type StoredRule, setRevision } from '../store/rules.ts';
import { notifyRuleChange } from '../watching.ts';
import { applyList, type InitialState, needsValidation } from './apply.ts';
import { checkRule, type Entry, parseEntry, toEntry } from './validate.ts';
import { canRearm, currentValue, toThresholds } from './view.ts';

/**
 * The state for the current value. Computed when saving, so that a crossing between saving and loading the rule is
 * detected.
 */
function createInitialState(feed: Feed): InitialState {
  function evaluateNow(leg: Leg | undefined, given: LegState): LegState {
    if (!leg || given !== UNKNOWN) return given;
    const value = feed.current(leg.series)?.value;
    if (value === undefined) return UNKNOWN;
    const { kind, low, high, outLow, outHigh } = levelled(leg);
    return toLegState(step(kind, UNKNOWN, value, low, high, outLow, outHigh));
  }
  return (meaning) => {
    const row = { ...meaning, id: 0, userId: 0 };
    const { legs } = compileRule(row);
    const { first, second } = initialState(row);
    return { first: evaluateNow(legs[0], first), second: evaluateNow(legs[1], second) };
  };
}

/** Context for changing users' lists. */
export type RuleListContext = { ctx: ThresholdsContext; feed: Feed };
export type RuleOwner = Pick<Caller, 'userId' | 'plan'>;
type VersionedRules = Versioned<Threshold[]>;

const CHANGED = 'Your alerts were changed in another tab. Reload to see them.';

type WatchedSeries = Pick<ParsedThreshold, 'metric' | 'condition' | 'options'>;
const listWatchedSeries = (rules: readonly WatchedSeries[]): string[] => [
  ...new Set(
    rules.flatMap(({ metric, condition, options }) => [
      seriesName(metric, condition),
      ...(options?.and ? [seriesName(options.and.metric, options.and.condition)] : []),
    ]),
  ),
];

export async function listRules({ ctx, feed }: RuleListContext, { userId, plan }: RuleOwner): Promise<VersionedRules> {
  // The revision is read first: a list newer than its revision is refused, an older one would overwrite.
  const revision = await readRevision(ctx.db, userId);
  const rules = await readRules(ctx.db, userId);
  await prepare({ ctx, feed }, userId);
  return new Versioned(revision, toThresholds(ctx, feed, rules, plan));
}

/**
 * Runs before the transaction: inside it, a second connection might never be available. Unwatched metrics are refused
 * inside it.
 */
export async function prepare(
  { ctx, feed }: RuleListContext,
  userId: number,
  input: readonly ParsedThreshold[] = [],
): Promise<void> {
  const isKnown = (series: string) => currentValue(ctx, series.split('~')[0] as string) !== null;
  await feed.prepare(listWatchedSeries([...(await readRules(ctx.db, userId)), ...input]).filter(isKnown));
}

type EntryBuilder = (stored: readonly StoredRule[]) => Entry[];

/** Serialises changes to a list. Rules beyond the plan are paused with it. */
export async function changeList(
  context: RuleListContext,
  owner: RuleOwner,
  ifMatch: string | undefined,
  buildEntries: EntryBuilder,
  input?: readonly ParsedThreshold[],
): Promise<VersionedRules> {
  await prepare(context, owner.userId, input);
  return context.ctx.db.transaction().execute((tx) => changeListIn(context, tx, owner, ifMatch, buildEntries));
}

/** Runs in the caller's transaction, after `prepare` for the same request. */
export async function changeListIn(
  { ctx, feed }: RuleListContext,
  tx: Db,
  { userId, plan }: RuleOwner,
  ifMatch: string | undefined,
  buildEntries: EntryBuilder,
): Promise<VersionedRules> {
  const now = ctx.now();
  const revision = await lockList(tx, userId, now);
  checkIfMatch(ifMatch, revision, CHANGED);
  await lockRules(tx, userId);
  const stored = await readRules(tx, userId);
  const entries = buildEntries(stored);
  const initialState = createInitialState(feed);
  const changed = await applyList(tx, userId, stored, entries, { now, plan, begin: initialState });
  const next = changed.list ? revision + 1 : revision;
  if (changed.list) await setRevision(tx, userId, next, now);
  if (changed.list || changed.states) await notifyRuleChange(tx, userId);
  return new Versioned(next, toThresholds(ctx, feed, await readRules(tx, userId), plan));
}

/** The entry for a request; one with a new meaning is validated under its position in the list. */
export function toValidEntry(
  { ctx }: RuleListContext,
  stored: readonly StoredRule[],
  input: ParsedThreshold,
  position?: number,
): Entry {
  const entry = parseEntry(input);
  if (
    !needsValidation(
      entry,
      stored.find(({ id }) => id === entry.id),
    )
  )
    return entry;
  const { board } = ctx.market.ctx;
  try {
    checkRule(input, { now: ctx.now(), isTracked: board.has });
  } catch (error) {
    if (position === undefined || !(error instanceof AppError)) throw error;
    throw new AppError(error.code, `Number ${position + 1}: ${error.message}`);
  }
  return entry;
}

export const saveRules = (
  context: RuleListContext,
  owner: RuleOwner,
  input: readonly ParsedThreshold[],
  ifMatch: string | undefined,
): Promise<VersionedRules> =>
  changeList(
    context,
    owner,
    ifMatch,
    (stored) => input.map((each, position) => toValidEntry(context, stored, each, position)),
    input,
  );

type VersionedRule = Versioned<Threshold>;
const pickRule = (list: VersionedRules, id: number): VersionedRule =>
  list.of(list.value.find((rule) => rule.id === id) as Threshold);

/** New rules are placed first. */
export async function addRule(
  context: RuleListContext,
  owner: RuleOwner,
  input: ParsedThreshold,
  ifMatch?: string,
): Promise<VersionedRule> {
  if (input.id !== undefined) throw new AppError('bad_request', 'A new alert must not have an id');
  const list = await changeList(
    context,
    owner,
    ifMatch,
    (stored) => [toValidEntry(context, stored, input), ...stored.map(toEntry)],
    [input],
  );
  return pickRule(list, list.value[0]?.id ?? 0);
}

const assertExists = (stored: readonly StoredRule[], id: number): void => {
  if (!stored.some((rule) => rule.id === id)) throw new AppError('not_found', 'Alert not found');
};

export async function changeRule(
  context: RuleListContext,
  owner: RuleOwner,
  id: number,
  input: ParsedThreshold,
  ifMatch?: string,
): Promise<VersionedRule> {
  if (input.id !== undefined && input.id !== id)
    throw new AppError(
      'bad_request',
      `The alert id in the URL (${id}) does not match the one in the body (${input.id})`,
    );
  const list = await changeList(
    context,
    owner,
    ifMatch,
    (stored) => {
      assertExists(stored, id);
      return stored.map((rule) => (rule.id === id ? toValidEntry(context, stored, { ...input, id }) : toEntry(rule)));
    },
    [input],
  );
  return pickRule(list, id);
}

export async function removeRule(
  context: RuleListContext,
  owner: RuleOwner,
  id: number,
  ifMatch?: string,
): Promise<VersionedRules> {
  return changeList(context, owner, ifMatch, (stored) => {
    assertExists(stored, id);
    return stored.filter((rule) => rule.id !== id).map(toEntry);
  });
}

function rejectRearm({ enabled, paused }: StoredRule, plan: RuleOwner['plan']): never {
  const { alertRules } = PLAN_LIMITS[plan];
  const covers = `${PLAN_NAMES[plan]} includes up to ${alertRules} custom alerts, and this one exceeds the limit`;
  const reason = enabled ? 'This alert is already armed' : 'Enable this alert first';
  throw new AppError('bad_request', paused === 'plan' ? covers : reason);
}

/** Rearms a rule that fired once or was paused by a storm. */
export async function rearmRule(context: RuleListContext, owner: RuleOwner, id: number): Promise<VersionedRule> {
  const list = await changeList(context, owner, undefined, (stored) => {
    assertExists(stored, id);
    return stored.map((rule): Entry => {
      if (rule.id !== id) return toEntry(rule);
      return canRearm(rule) ? { ...toEntry(rule), isFresh: true } : rejectRearm(rule, owner.plan);
    });
  });
  return pickRule(list, id);
}
