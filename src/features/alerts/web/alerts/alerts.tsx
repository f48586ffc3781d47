import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';

import type { Alert, Severity } from '#features/alerts/contract/alerts.ts';
import { useAddressFilter } from '#ui/address-filter.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';

import { ROWS } from './acknowledge-button.tsx';
import { AlertRow } from './alert-row.tsx';
import {
  type AlertFilter,
  type ChangeFilter,
  type Counts,
  choose,
  countAlerts,
  LEVELS,
  parseFilter,
  writeFilter,
} from './filter.ts';
import { failureText, SEVERITY_WORDS } from './labels.ts';
import { alertsQuery } from './queries.ts';
import { SeverityMark } from './severity-mark.tsx';

const CHOICES = ['All', 'High', 'Medium', 'Low'] as const;
const VALUES = { All: 'all', High: 'high', Medium: 'medium', Low: 'low' } as const;
const NAMES = { all: 'All', high: 'High', medium: 'Medium', low: 'Low' } as const;

type AlertFilterProps = { filter: AlertFilter; onChange: ChangeFilter; busy: boolean; onRefresh: () => void };

function AlertFilterBar({ filter, onChange, busy, onRefresh }: AlertFilterProps) {
  return (
    <div role="search" className="card mb-3 flex flex-wrap items-center gap-2 p-3">
      <SearchBox
        label="Search alerts"
        placeholder="Search alerts..."
        value={filter.search}
        onSearch={(search) => onChange({ search })}
      />
      <Segmented
        label="Severity"
        value={NAMES[filter.severity]}
        options={CHOICES}
        onChange={(name) => onChange({ severity: VALUES[name] })}
      />
      <label className="flex min-h-8 cursor-pointer items-center gap-2 px-1 text-sm font-medium">
        <input
          type="checkbox"
          checked={filter.acknowledged}
          onChange={(event) => onChange({ acknowledged: event.target.checked })}
          className="size-4 shrink-0 accent-(--accent)"
        />
        Show acknowledged
      </label>
      <Button className="ml-auto max-sm:h-10" aria-disabled={busy} onClick={() => !busy && onRefresh()}>
        <RotateCw className={cx('size-3.5', busy && 'animate-spin')} aria-hidden="true" />
        Refresh
      </Button>
    </div>
  );
}

/** Unacknowledged alerts by severity. */
function Tiles({ counts }: { counts: Counts | undefined }) {
  return (
    <dl aria-label="Unacknowledged alerts" className="mb-3 grid grid-cols-2 gap-3 md:grid-cols-4">
      <Tile name="Total" note="Unacknowledged" count={counts?.total} />
      {LEVELS.map((level) => (
        <Tile key={level} name={SEVERITY_WORDS[level]} level={level} note="severity" count={counts?.[level]} />
      ))}
    </dl>
  );
}

type TilesProps = { name: string; note: string; level?: Severity; count: number | undefined };

function Tile({ name, note, level, count }: TilesProps) {
  return (
    <div className="card px-4 py-3">
      <dt className="flex items-center gap-1.5 text-sm font-medium text-ink-2">
        {level && <SeverityMark severity={level} />}
        {name}
        <span className="label font-normal">{note}</span>
      </dt>
      <dd className="num text-2xl font-semibold tracking-[-0.025em]">{count ?? '–'}</dd>
    </div>
  );
}

const MOST = 100;
const CARD = { id: 'alerts', title: 'Alerts', className: 'min-h-96' };

/** Recent alerts: counts, filters and the list. */
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
      <Tiles counts={query.data && countAlerts(query.data)} />
      <AlertFilterBar filter={filter} onChange={change} busy={busy} onRefresh={() => void refresh()} />
      <QueryView query={query} card={CARD} failed={failureText(query.error)}>
        {(alerts) => <Chosen alerts={alerts} filter={filter} onChange={change} />}
      </QueryView>
    </>
  );
}

type AlertsProps = { alerts: readonly Alert[]; filter: AlertFilter; onChange: ChangeFilter };

function Chosen({ alerts, filter, onChange }: AlertsProps) {
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

function None({ alerts, filter, onChange }: AlertsProps) {
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
