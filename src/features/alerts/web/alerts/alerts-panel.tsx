import { ArrowRight, X } from 'lucide-react';
import { type Alert, MOST_COUNTED } from '#features/alerts/contract/alerts.ts';
import { grouped } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Link } from '#ui/link.tsx';
import type { Query } from '#ui/query-view.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { ROWS } from './acknowledge-button.tsx';
import { AlertRow } from './alert-row.tsx';
import { failureText } from './labels.ts';
import { badgeText, isUnread, useAlertCounts } from './queries.ts';

const MOST = 10;
const PAGE = '/app/alerts';
const WAITING = ['a', 'b', 'c', 'd'];

type Props = {
  query: Query<Alert[]>;
  /** The newest alert seen before the panel was opened. */
  seen: number | null;
  titleId: string;
  onClose: () => void;
};

/** The panel opened by the bell. */
export function AlertsPanel({ query, seen, titleId, onClose }: Props) {
  const alerts = query.data ?? [];
  const { total, unread } = useAlertCounts(alerts, seen);
  const more = total - MOST;
  return (
    <>
      <div className="sticky top-0 z-10 flex min-h-12 items-center gap-2 bg-surface px-4">
        <h2 id={titleId} className="text-base font-semibold">
          Market Alerts
        </h2>
        {unread > 0 && <Badge tone="accent">{badgeText(unread)} unread</Badge>}
        <button
          type="button"
          aria-label="Close"
          onClick={onClose}
          className="-mr-2 ml-auto grid size-10 place-items-center rounded-ctl text-ink-3 hover:bg-raised hover:text-ink"
        >
          <X className="size-4" aria-hidden="true" />
        </button>
      </div>
      <QueryView
        query={query}
        loading={<Loading />}
        failed={failureText(query.error)}
        isEmpty={(all) => all.length === 0}
        empty={<Empty title="No alerts" note="Market conditions are stable" />}
      >
        {(all) => (
          <ul aria-label="Latest alerts" className="outline-none" {...ROWS}>
            {all.slice(0, MOST).map((alert) => (
              <AlertRow key={alert.id} alert={alert} fresh={isUnread(alert, seen)} onLeave={onClose} />
            ))}
          </ul>
        )}
      </QueryView>
      {more > 0 && (
        <Link
          to={PAGE}
          onClick={onClose}
          className="flex min-h-10 items-center justify-center border-t border-line text-sm font-medium text-accent hover:bg-raised"
        >
          View {more} more {more === 1 ? 'alert' : 'alerts'}
        </Link>
      )}
      <p className="num sticky bottom-0 z-10 flex min-h-11 items-center justify-between gap-3 border-t border-line bg-surface px-4 text-sm">
        <span className="text-ink-3">
          {query.data &&
            `${total < MOST_COUNTED ? total : `${grouped(MOST_COUNTED)}+`} total, ${badgeText(unread)} unread`}
        </span>
        <Link
          to={PAGE}
          onClick={onClose}
          className="inline-flex min-h-8 items-center gap-1 font-medium text-accent hover:underline"
        >
          View all alerts
          <ArrowRight className="size-3.5" aria-hidden="true" />
        </Link>
      </p>
    </>
  );
}

function Loading() {
  return (
    <div className="grid gap-3 px-4 pb-4">
      <output className="sr-only">Loading alerts</output>
      {WAITING.map((row) => (
        <div key={row} className="skel h-12" aria-hidden="true" />
      ))}
    </div>
  );
}
