import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, RotateCw } from 'lucide-react';
import { useState } from 'react';
import {
  type AdminIncident,
  listIncidents,
  retractIncident,
  STAGES,
  type Stage,
  updateIncident,
} from '#features/site/contract/status.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { Inbox, type InboxPage, LoadMore } from '#ui/inbox.tsx';
import { SelectField } from '#ui/inputs.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { IncidentForm, IncidentRow, MessageField } from './incident-form.tsx';
import { STAGE_WORDS } from './labels.ts';

const incidentsQuery = (token: string | null, before: number | null) =>
  queryOptions({
    queryKey: ['incidents', token, before],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => call(listIncidents, { query: before === null ? {} : { before: String(before) } }, signal),
  });

type Props = { incident: AdminIncident; onDone: () => void; onClose: () => void };

function UpdateForm({ incident: { id, kind, title, stage, endsAt }, onDone, onClose }: Props) {
  const stages = kind === 'measured' && endsAt === null ? STAGES.filter((each) => each !== 'resolved') : STAGES;
  const [next, setNext] = useState<Stage>(stage ?? 'investigating');
  const [message, setMessage] = useState('');
  const { busy, failure, submit } = useSubmit('Failed to add the update', async (signal) => {
    await call(updateIncident, { params: { id: String(id) }, body: { stage: next, message } }, signal);
    onDone();
  });
  return (
    <FormDialog
      title={`Update: ${title}`}
      act={next === 'resolved' ? 'Resolve' : 'Add update'}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField label="State" value={next} onText={(value) => setNext(value as Stage)}>
        {stages.map((each) => (
          <option key={each} value={each}>
            {STAGE_WORDS[each]}
          </option>
        ))}
      </SelectField>
      <MessageField value={message} onText={setMessage} />
    </FormDialog>
  );
}

function RetractDialog({ incident: { id, title }, onDone, onClose }: Props) {
  return (
    <ConfirmDialog
      title="Retract the incident?"
      words={['Retract', 'Retracting...']}
      failed="Failed to retract the incident"
      act={async (signal) => {
        await call(retractIncident, { params: { id: String(id) } }, signal);
        onDone();
      }}
      onClose={onClose}
    >
      “{title}” will be removed from the status page and kept here, marked as retracted.
    </ConfirmDialog>
  );
}

type Act = 'update' | 'retract';
type Open = { act: 'new' } | { act: Act; incident: AdminIncident };

/** Management of the status page's incidents, for administrators. */
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
    <Card id="incidents-tab" title="Status Page" className="relative min-h-96">
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
          . Measured incidents open and close automatically; published text is never changed.
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
            empty={<Empty title="No incidents" note="Measured and published incidents appear here." />}
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
