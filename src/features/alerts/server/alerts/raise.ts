import { type AlertType, alertsTopic, type RaisedAlert, type Severity } from '#features/alerts/contract/alerts.ts';
import type { Db } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';
import { counterOf } from '#kernel/route-figures.ts';
import type { Method } from '#shared/provenance.ts';
import type { Levels } from './levels.ts';
import { addAlerts, type StoredAlert } from './store.ts';

const raised = counterOf('meridian_alerts_raised_total', 'Alerts raised, built-in and from custom rules.', ['of']);

/** An alert to raise: for everyone, or with `own` for the owner of the rule. */
export type AlertDraft = {
  /** Idempotency key: `rule:12:1790000000000`, `gate:SSR_LEVEL:1790000000000`. */
  once: string;
  own: { userId: number; ruleId: number } | null;
  type: AlertType;
  severity: Severity;
  message: string;
  metric: string;
  value: number | null;
  event?: { id: number; date: string };
  detail?: Record<string, unknown>;
  /** Display name of the value's source. */
  source: string;
  method: Method;
  sourceAt: Date;
  receivedAt: Date;
  evaluatedAt: Date;
};

export const toRaised = (row: StoredAlert): RaisedAlert => ({
  id: row.id,
  type: row.type,
  severity: row.severity,
  message: row.message,
  metric: row.metric,
  value: row.value,
  timestamp: row.evaluated_at,
  eventDate: row.event_date,
  eventId: row.event_id,
  thresholdId: row.rule_id,
  receipt: {
    sourceAt: row.source_at,
    receivedAt: row.received_at,
    evaluatedAt: row.evaluated_at,
    queuedAt: row.queued_at,
  },
  meta: { source: row.source, observedAt: row.source_at, fetchedAt: row.received_at, method: row.method },
});

type Deps = { live: Pick<Live, 'publishIn' | 'publishEach'>; now: () => Date };

/**
 * Writes alerts, their outbox rows and live frames within the caller's transaction; alerts already raised are skipped
 * in all three. Returns the new ones.
 */
export async function raiseAlerts({ live, now }: Deps, tx: Db, drafts: readonly AlertDraft[]): Promise<RaisedAlert[]> {
  if (drafts.length === 0) return [];
  const rows = await addAlerts(tx, drafts, now());
  const at = now().getTime();
  const shared = rows.filter(({ user_id }) => user_id === null).map(toRaised);
  raised.inc({ of: 'product' }, shared.length);
  raised.inc({ of: 'rules' }, rows.length - shared.length);
  if (shared.length > 0) await live.publishIn(tx, alertsTopic, { at, alerts: shared });
  const own = Map.groupBy(
    rows.filter(({ user_id }) => user_id !== null),
    ({ user_id }) => user_id as number,
  );
  await live.publishEach(
    tx,
    alertsTopic,
    [...own].map(([userId, each]) => ({ userId, data: { at, alerts: each.map(toRaised) } })),
  );
  return rows.map(toRaised);
}

const HOUR_MS = 3_600_000;

/** State of a condition: the active level, and the last one alerted. */
export type Gate = { step: number; toldStep: number; toldAt: Date | null };

/** The level crossed last, and whether towards greater strength. */
export type Crossing = { step: number; index: number; level: number; isOut: boolean };

/** Number of active levels: one is reached at its raise level and left at its clear level. */
export function stepOf({ raise, clear, below }: Levels, value: number, held: number): number {
  const strengthOf = (level: number) => (below ? -level : level);
  const strength = strengthOf(value);
  const reached = raise.filter((level) => strength >= strengthOf(level)).length;
  let kept = Math.min(held, clear.length);
  while (kept > reached && strength <= strengthOf(clear[kept - 1] as number)) kept -= 1;
  return Math.max(reached, kept);
}

/** Effect of a value on a gate: its new state, if changed, and the alert to raise. */
export function pass(
  before: Gate | undefined,
  levels: Levels,
  value: number,
  at: Date,
): { next: Gate; crossing: Crossing | null } | null {
  const { raise, tellsFirst, bothWays, cooldownHours } = levels;
  const held = before?.step ?? 0;
  const step = stepOf(levels, value, held);
  if (!before && !tellsFirst) return { next: { step, toldStep: step, toldAt: null }, crossing: null };
  if (step === held) return null;
  const isOut = step > held;
  const { toldStep, toldAt } = before ?? { toldStep: 0, toldAt: null };
  const hasCooled = !toldAt || at.getTime() - toldAt.getTime() >= cooldownHours * HOUR_MS;
  const isFurther = bothWays ? Math.abs(step - toldStep) > 1 : step > toldStep;
  const isTold = (isOut || bothWays === true) && (hasCooled || isFurther);
  if (!isTold) return { next: { step, toldStep, toldAt }, crossing: null };
  const index = isOut ? step - 1 : step;
  return {
    next: { step, toldStep: step, toldAt: at },
    crossing: { step, index, level: raise[index] as number, isOut },
  };
}
