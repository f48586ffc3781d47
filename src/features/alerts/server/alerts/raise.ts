import { type AlertType, alertsTopic, type RaisedAlert, type Severity } from '#features/alerts/contract/alerts.ts';
import type { Db } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';
import { createCounter } from '#kernel/route-figures.ts';
import type { Method } from '#shared/provenance.ts';
import type { Levels } from './levels.ts';
import { addAlerts, type StoredAlert } from './store.ts';

const raisedCounter = createCounter('meridian_alerts_raised_total', 'Alerts raised, built-in and from custom rules.', [
  'of',
]);

/** An alert to raise: for everyone, or with `own` for the owner of the rule. */
export type AlertDraft = {
  /** Idempotency key: `rule:12:1790000000000`, `gate:SSR_LEVEL:1790000000000`. */
  idempotencyKey: string;
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
  raisedCounter.inc({ of: 'product' }, shared.length);
  raisedCounter.inc({ of: 'rules' }, rows.length - shared.length);
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
export type Gate = { step: number; alertedStep: number; alertedAt: Date | null };

/** The level crossed last, and whether towards greater strength. */
export type Crossing = { step: number; index: number; level: number; isOut: boolean };

/** Number of active levels: one is reached at its raise level and left at its clear level. */
export function activeStep({ raise, clear, below }: Levels, value: number, held: number): number {
  const toStrength = (level: number) => (below ? -level : level);
  const strength = toStrength(value);
  const reached = raise.filter((level) => strength >= toStrength(level)).length;
  let retained = Math.min(held, clear.length);
  while (retained > reached && strength <= toStrength(clear[retained - 1] as number)) retained -= 1;
  return Math.max(reached, retained);
}

/** Effect of a value on a gate: its new state, if changed, and the alert to raise. */
export function passGate(
  before: Gate | undefined,
  levels: Levels,
  value: number,
  at: Date,
): { next: Gate; crossing: Crossing | null } | null {
  const { raise, alertsInitially, inBothDirections, cooldownHours } = levels;
  const previousStep = before?.step ?? 0;
  const step = activeStep(levels, value, previousStep);
  if (!before && !alertsInitially) return { next: { step, alertedStep: step, alertedAt: null }, crossing: null };
  if (step === previousStep) return null;
  const isOut = step > previousStep;
  const { alertedStep, alertedAt } = before ?? { alertedStep: 0, alertedAt: null };
  const hasCooled = !alertedAt || at.getTime() - alertedAt.getTime() >= cooldownHours * HOUR_MS;
  const isFurther = inBothDirections ? Math.abs(step - alertedStep) > 1 : step > alertedStep;
  const isAlerted = (isOut || inBothDirections === true) && (hasCooled || isFurther);
  if (!isAlerted) return { next: { step, alertedStep, alertedAt }, crossing: null };
  const index = isOut ? step - 1 : step;
  return {
    next: { step, alertedStep: step, alertedAt: at },
    crossing: { step, index, level: raise[index] as number, isOut },
  };
}
