import { useQuery } from '@tanstack/react-query';
import { ArrowRight, Check } from 'lucide-react';
import { useId, useState } from 'react';
import type { Alert } from '#features/alerts/contract/alerts.ts';
import { ago } from '#shared/format.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import type { CardPlace } from '#ui/card-frame.tsx';
import { Link } from '#ui/link.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { ROWS } from './acknowledge-button.tsx';
import { AlertRow } from './alert-row.tsx';
import { countAlerts, LEVELS } from './filter.ts';
import { failureText, TYPE_WORDS } from './labels.ts';
import { alertsQuery } from './queries.ts';
import { SeverityMark } from './severity-mark.tsx';

const MOST = 3;
const MINUTE_MS = 60_000;

/** The newest acknowledged alerts. */
function AcknowledgedList({ alerts }: { alerts: readonly Alert[] }) {
  const now = useNow(MINUTE_MS);
  const done = alerts.filter(({ acknowledged }) => acknowledged).slice(0, MOST);
  if (done.length === 0) return null;
  return (
    <div className="mt-auto border-t border-line bg-raised/40 px-4 py-2.5">
      <h3 className="label" id="acknowledged-alerts">
        Acknowledged
      </h3>
      <ul aria-labelledby="acknowledged-alerts">
        {done.map(({ id, message, timestamp }) => (
          <li key={id} className="flex items-center gap-2 pt-1.5 text-xs text-ink-2">
            <Check className="size-3 shrink-0 text-ink-3" aria-hidden="true" />
            <span className="line-clamp-2 min-w-0 flex-1" title={message}>
              {message}
            </span>
            <span className="num text-ink-3">{ago(now - Date.parse(timestamp))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Counts by severity. */
function Tally({ active }: { active: readonly Alert[] }) {
  const counts = countAlerts(active);
  return (
    <output className="label num flex items-center gap-x-2">
      {counts.total} active
      {LEVELS.filter((level) => counts[level] > 0).map((level) => (
        <span key={level} className="inline-flex items-center gap-1">
          <SeverityMark severity={level} />
          {counts[level]}
          <span className="sr-only"> {level}</span>
        </span>
      ))}
    </output>
  );
}

const MOST_TYPES = 6;

/** Active alerts by type: fills the card beside the analysis, which is taller than two alerts. */
function ByType({ active }: { active: readonly Alert[] }) {
  const groups = [...Map.groupBy(active, ({ type }) => type)].toSorted(([, a], [, b]) => b.length - a.length);
  const shown = groups.slice(0, MOST_TYPES);
  return (
    <section aria-labelledby="alerts-by-type" className="hidden border-t border-line px-4 pt-3 pb-4 min-[88rem]:block">
      <h3 className="label pb-1" id="alerts-by-type">
        Active by type
      </h3>
      <dl className="grid gap-2.5 text-sm">
        {shown.map(([type, alerts]) => (
          <div key={type} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1">
            <dt className="text-ink-2">{TYPE_WORDS[type]}</dt>
            <dd className="num font-medium">{alerts.length}</dd>
            <dd className="col-span-2 h-1 rounded-full bg-raised" aria-hidden="true">
              <div
                className="h-full rounded-full bg-accent"
                style={{ width: `${(100 * alerts.length) / active.length}%` }}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const COLLAPSED = 2;

const NONE = <Empty title="No active alerts" note="Market conditions are stable" />;

/** Unacknowledged alerts, two until expanded, and the acknowledged ones below. */
export function AlertsCard(card: CardPlace) {
  const query = useQuery(alertsQuery(useToken(), 20));
  return (
    <QueryView
      query={query}
      card={card}
      failed={failureText(query.error)}
      isEmpty={(alerts) => alerts.length === 0}
      empty={NONE}
    >
      {(alerts) => <Loaded card={card} alerts={alerts} />}
    </QueryView>
  );
}

function Loaded({ card, alerts }: { card: CardPlace; alerts: readonly Alert[] }) {
  const list = useId();
  const [open, setOpen] = useState(false);
  const active = alerts.filter(({ acknowledged }) => !acknowledged);
  const more = active.length - COLLAPSED;
  return (
    <Card {...card} note={<Tally active={active} />}>
      <div className="relative flex flex-1 flex-col overflow-y-auto">
        {active.length === 0 ? (
          NONE
        ) : (
          <ul id={list} aria-label="Active alerts" className="outline-none" {...ROWS}>
            {(open ? active : active.slice(0, COLLAPSED)).map((alert) => (
              <AlertRow key={alert.id} alert={alert} look="short" />
            ))}
          </ul>
        )}
        {!open && more > 0 && <ByType active={active} />}
        <AcknowledgedList alerts={alerts} />
      </div>
      <div className="mt-auto flex min-h-11 items-center justify-between gap-3 border-t border-line px-4 text-sm">
        {more > 0 && (
          <Button
            kind="quiet"
            className="-ml-2.5"
            aria-expanded={open}
            aria-controls={list}
            onClick={() => setOpen(!open)}
          >
            {open ? 'Show fewer' : `Show ${more} more`}
          </Button>
        )}
        <Link
          to="/app/alerts"
          className="ml-auto inline-flex min-h-8 items-center gap-1 font-medium text-accent hover:underline"
        >
          View all alerts
          <ArrowRight className="size-3.5" aria-hidden="true" />
        </Link>
      </div>
    </Card>
  );
}
