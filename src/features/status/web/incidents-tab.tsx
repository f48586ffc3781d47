import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, RotateCw } from 'lucide-react';
import { useState } from 'react';

import { useToken } from '#web/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CornerButton } from '#web/ui/corner-button.tsx';
import { Inbox, type InboxPage, LoadMore } from '#web/ui/inbox.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import type { AdminIncident } from '../contract.ts';
import { IncidentForm } from './incident-form.tsx';
import { IncidentRow } from './incident-row.tsx';
import { incidentsQuery } from './queries.ts';
import { RetractDialog } from './retract-dialog.tsx';
import { UpdateForm } from './update-form.tsx';

type Act = 'update' | 'retract';
type Open = { act: 'new' } | { act: Act; incident: AdminIncident };

/** What the status page tells of, for administrators. */
export function IncidentsTab() {
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const [round, setRound] = useState(0);
  const close = () => setOpen(null);
  const refresh = () => {
    void queries.resetQueries({ queryKey: ['incidents'] });
    setRound(round + 1);
  };
  const done = () => {
    close();
    refresh();
  };
  return (
    <Card id="incidents-tab" title="Status page" className="relative min-h-96">
      <CornerButton onClick={refresh}>
        <RotateCw className="size-3.5" aria-hidden="true" />
        Refresh
      </CornerButton>
      <div className="grid gap-3 px-4 pt-1 pb-3">
        <p className="text-sm text-ink-2">
          Incidents on{' '}
          <a href="/status" className="text-accent underline">
            /status
          </a>
          . Measured ones open and close by themselves; what is written stays as it was written.
        </p>
        <div>
          <Button className="max-sm:h-10" onClick={() => setOpen({ act: 'new' })}>
            <Plus className="size-3.5" aria-hidden="true" />
            New incident
          </Button>
        </div>
      </div>
      <Inbox
        key={round}
        renderPage={(page) => <Page {...page} onAct={(act, incident) => setOpen({ act, incident })} />}
      />
      {open?.act === 'new' && <IncidentForm onDone={done} onClose={close} />}
      {open?.act === 'update' && <UpdateForm incident={open.incident} onDone={done} onClose={close} />}
      {open?.act === 'retract' && <RetractDialog incident={open.incident} onDone={refresh} onClose={close} />}
    </Card>
  );
}

type PageProps = InboxPage & { onAct: (act: Act, incident: AdminIncident) => void };

function Page({ before, last, onAct, onMore }: PageProps) {
  const query = useQuery(incidentsQuery(useToken(), before));
  const incidents = query.data?.incidents ?? [];
  const oldest = incidents.at(-1);
  return (
    <>
      {incidents.length === 0 && (
        <li className="flex flex-1 flex-col">
          <QueryView
            query={query}
            failed="Failed to load admin data"
            loading={<output className="px-4 py-3 text-sm text-ink-2">Loading incidents…</output>}
            isEmpty={({ incidents }) => incidents.length === 0}
            empty={<Empty title="No incidents" note="What is measured or written appears here." />}
          >
            {() => null}
          </QueryView>
        </li>
      )}
      {incidents.map((incident) => (
        <IncidentRow key={incident.id} incident={incident} onAct={(act) => onAct(act, incident)} />
      ))}
      {last && query.data?.more && oldest && <LoadMore onMore={() => onMore(oldest.id)} />}
    </>
  );
}
