import { type RawBuilder, sql } from 'kysely';

import type { Severity } from '#features/alerts/contract/alerts.ts';

import type { Category } from '#features/notifications/contract/notifications.ts';
import type { Notice } from '../channel.ts';

/** What a notice is made of: its outbox row `e`, and its alert `a` where there is one. */
export type NoticeRow = {
  kind: string;
  category: Category | 'events' | 'announcements';
  severity: Severity;
  payload: {
    message?: string;
    metric?: string | null;
    value?: number | null;
    eventDate?: string | null;
    notice?: Omit<Notice, 'kind' | 'category' | 'severity'>;
  };
  raised_at: string;
  alert_id: number | null;
  source: string | null;
  source_at: string | null;
  detail: { gate?: string; seen?: { series: string }[] } | null;
};

export const noticeColumns: RawBuilder<unknown> = sql`e.kind, e.category, e.severity, e.payload, e.created_at as raised_at, e.alert_id, a.source, a.source_at,
  a.detail`;
