import type { Alert, Severity } from '#features/alerts/contract/alerts.ts';
import type { ChangeFilter as Change } from '#ui/address-filter.ts';
import { writeTexts } from '#ui/search-params.ts';

/** State stored in the URL. */
export type AlertFilter = { severity: Severity | 'all'; search: string; acknowledged: boolean };
export type ChangeFilter = Change<AlertFilter>;

export const LEVELS: readonly Severity[] = ['high', 'medium', 'low'];

const LONGEST_SEARCH = 100;

export function parseFilter(params: URLSearchParams): AlertFilter {
  const severity = params.get('severity');
  return {
    severity: LEVELS.find((level) => level === severity) ?? 'all',
    search: (params.get('search') ?? '').slice(0, LONGEST_SEARCH),
    acknowledged: params.get('acknowledged') === '1',
  };
}

export function writeFilter(params: URLSearchParams, filter: AlertFilter): URLSearchParams {
  const { severity, search, acknowledged } = filter;
  return writeTexts(params, {
    severity: severity === 'all' ? '' : severity,
    search: search.trim(),
    acknowledged: acknowledged ? '1' : '',
  });
}

/** Applies the filter to a list; the message search ignores case. */
export function choose(alerts: readonly Alert[], { severity, search, acknowledged }: AlertFilter): Alert[] {
  const words = search.trim().toLowerCase();
  return alerts.filter(
    (each) =>
      (acknowledged || !each.acknowledged) &&
      (severity === 'all' || each.severity === severity) &&
      each.message.toLowerCase().includes(words),
  );
}

export type Counts = Record<Severity | 'total', number>;

/** Only unacknowledged alerts. */
export function countAlerts(alerts: readonly Alert[]): Counts {
  const counts: Counts = { total: 0, high: 0, medium: 0, low: 0 };
  for (const { severity, acknowledged } of alerts) {
    if (acknowledged) continue;
    counts.total++;
    counts[severity]++;
  }
  return counts;
}
