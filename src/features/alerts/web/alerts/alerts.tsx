import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Alert } from '#features/alerts/contract/alerts.ts';
import { useAddressFilter } from '#ui/address-filter.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { ROWS } from './acknowledge-button.tsx';
import { AlertFilterBar } from './alert-filter.tsx';
import { AlertRow } from './alert-row.tsx';
import { type AlertFilter, type ChangeFilter, choose, countsOf, parseFilter, writeFilter } from './filter.ts';
import { alertsQuery } from './queries.ts';
import { Tiles } from './tiles.tsx';
import { failureOf } from './words.ts';

const MOST = 100;
const CARD = { id: 'alerts', title: 'Alerts', className: 'min-h-96' };

/** Everything that was raised of late: counts, filters and the list. */
export function Alerts() {
  const query = useQuery(alertsQuery(useToken(), MOST));
  const [filter, change] = useAddressFilter(parseFilter, writeFilter);
  const [busy, setBusy] = useState(false);
  const refresh = async () => {
    setBusy(true);
    await query.refetch();
    setBusy(false);
  };
  return (
    <>
      <Tiles counts={query.data && countsOf(query.data)} />
      <AlertFilterBar filter={filter} onChange={change} busy={busy} onRefresh={() => void refresh()} />
      <QueryView query={query} card={CARD} failed={failureOf(query.error)}>
        {(alerts) => <Chosen alerts={alerts} filter={filter} onChange={change} />}
      </QueryView>
    </>
  );
}

type Props = { alerts: readonly Alert[]; filter: AlertFilter; onChange: ChangeFilter };

function Chosen({ alerts, filter, onChange }: Props) {
  const chosen = choose(alerts, filter);
  const full = alerts.length >= MOST ? ', latest' : '';
  return (
    <Card
      {...CARD}
      note={
        <output className="label num">
          {chosen.length} of {alerts.length} shown{full}
        </output>
      }
    >
      {chosen.length === 0 ? (
        <None alerts={alerts} filter={filter} onChange={onChange} />
      ) : (
        <ul aria-label="Alerts" className="outline-none" {...ROWS}>
          {chosen.map((alert) => (
            <AlertRow key={alert.id} alert={alert} look="wide" />
          ))}
        </ul>
      )}
    </Card>
  );
}

function None({ alerts, filter, onChange }: Props) {
  const plain = filter.severity === 'all' && filter.search.trim() === '';
  const hidden = !filter.acknowledged && choose(alerts, { ...filter, acknowledged: true }).length;
  const whyPlain = hidden ? 'All alerts are acknowledged.' : 'Market conditions are stable';
  return (
    <div className="flex flex-1 flex-col justify-center pb-8 text-center">
      <div className="flex">
        <Empty title="No alerts found" note={plain ? whyPlain : 'Try a different severity or search.'} />
      </div>
      {hidden ? (
        <Button className="mx-auto" onClick={() => onChange({ acknowledged: true })}>
          Show {hidden} acknowledged
        </Button>
      ) : (
        !plain && (
          <Button className="mx-auto" onClick={() => onChange({ severity: 'all', search: '' })}>
            Clear filters
          </Button>
        )
      )}
    </div>
  );
}
