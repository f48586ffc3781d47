import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useId, useState } from 'react';

import { useToken } from '#web/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import type { CardPlace } from '#web/ui/card-frame.tsx';
import { Link } from '#web/ui/link.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import type { Alert } from '../contract.ts';
import { ROWS } from './acknowledge-button.tsx';
import { AcknowledgedList } from './acknowledged-list.tsx';
import { AlertRow } from './alert-row.tsx';
import { alertsQuery } from './queries.ts';
import { Tally } from './tally.tsx';
import { failureOf } from './words.ts';

const COLLAPSED = 2;

const NONE = <Empty title="No active alerts" note="Market conditions are stable" />;

/** What is not acknowledged yet, two of it until more is asked for, and below it what was. */
export function AlertsCard(card: CardPlace) {
  const query = useQuery(alertsQuery(useToken(), 20));
  return (
    <QueryView
      query={query}
      card={card}
      failed={failureOf(query.error)}
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
