import type { Generated, JSONColumnType } from 'kysely';
import type { AlertType, Severity } from '#features/alerts/contract/alerts.ts';
import type { Method } from '#shared/provenance.ts';

interface AlertsTable {
  id: Generated<number>;
  user_id: number | null;
  rule_id: number | null;
  once: string;
  type: AlertType;
  severity: Severity;
  message: string;
  metric: string;
  value: number | null;
  event_id: number | null;
  event_date: string | null;
  detail: JSONColumnType<Record<string, unknown>> | null;
  source: string;
  method: Method;
  source_at: string;
  received_at: string;
  evaluated_at: string;
  queued_at: string;
}

interface AlertAcknowledgementsTable {
  user_id: number;
  alert_id: number;
  at: string;
}

interface AlertGatesTable {
  gate: string;
  step: number;
  told_step: number;
  told_at: string | null;
  value: number | null;
  updated_at: string;
}

interface NotificationEventsTable {
  id: Generated<number>;
  dedupe_key: string;
  kind: string;
  severity: string;
  user_id: number | null;
  alert_id: number | null;
  payload: JSONColumnType<Record<string, unknown>>;
  created_at: string;
  expires_at: string | null;
}

declare module '#kernel/db.ts' {
  interface Tables {
    alerts: AlertsTable;
    alert_acknowledgements: AlertAcknowledgementsTable;
    alert_gates: AlertGatesTable;
    notification_events: NotificationEventsTable;
  }
}
