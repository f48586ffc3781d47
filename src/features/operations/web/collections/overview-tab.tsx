import { useQuery } from '@tanstack/react-query';
import type { Alert } from '#features/alerts/contract/alerts.ts';
import { ago, dateTime } from '#shared/format.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/link.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { AsOf } from './as-of.tsx';
import { AttentionCard } from './attention-card.tsx';
import { FiguresCard } from './figures-card.tsx';
import { HealthCard } from './health-card.tsx';
import { recentAlertsQuery } from './queries.ts';

const CARD = { id: 'overview-alerts', title: 'Market Alerts', className: 'min-h-88' };
const SHOWN = 3;
const SEVERITIES = ['high', 'medium', 'low'] as const;
const TONES: Record<Alert['severity'], Tone> = { high: 'down', medium: 'warn', low: 'plain' };
const WORDS = { high: 'High', medium: 'Medium', low: 'Low' } as const;

/** Latest alerts, and the severity of the last fifty. */
function RecentAlertsCard() {
  const query = useQuery(recentAlertsQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {(alerts) => (
        <Card {...CARD} note={<AsOf at={query.dataUpdatedAt} failed={query.isError} />}>
          <dl className="grid grid-cols-3 gap-3 px-4 pt-1 pb-3">
            {SEVERITIES.map((each) => (
              <div key={each} className="flex flex-col-reverse justify-end">
                <dt className="label">{WORDS[each]}</dt>
                <dd className="num text-xl font-semibold">
                  {alerts.filter((alert) => alert.severity === each).length}
                </dd>
              </div>
            ))}
          </dl>
          <Newest alerts={alerts.slice(0, SHOWN)} />
          <p className="mt-auto border-t border-line px-4 py-2.5 text-sm">
            <Link to="/app/alerts" className="inline-flex min-h-6 items-center font-medium text-accent hover:underline">
              View all alerts
            </Link>
          </p>
        </Card>
      )}
    </QueryView>
  );
}

function Newest({ alerts }: { alerts: readonly Alert[] }) {
  const now = useNow(60_000);
  if (alerts.length === 0)
    return <p className="border-t border-line px-4 py-3 text-sm text-ink-2">No alerts have been raised yet.</p>;
  return (
    <ul aria-label="Latest alerts">
      {alerts.map(({ id, severity, message, timestamp }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2.5 text-sm">
          <Badge tone={TONES[severity]}>{WORDS[severity]}</Badge>
          <span className="min-w-0 flex-1 break-words">{message}</span>
          <time dateTime={timestamp} title={dateTime(Date.parse(timestamp))} className="num label">
            {ago(now - Date.parse(timestamp))}
          </time>
        </li>
      ))}
    </ul>
  );
}

/** Health and open issues, refetched every minute while visible. */
export function OverviewTab() {
  return (
    <div className="grid gap-3 grid-cols-[repeat(auto-fit,minmax(min(100%,27rem),1fr))]">
      <HealthCard />
      <AttentionCard />
      <FiguresCard />
      <RecentAlertsCard />
    </div>
  );
}
