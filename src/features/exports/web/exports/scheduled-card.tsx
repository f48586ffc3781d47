import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import {
  type Cadence,
  cancelScheduled,
  type ScheduledExport,
  scheduleExport,
} from '#features/exports/contract/exports.ts';
import { call } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { FormError, SECONDARY } from '#ui/form.tsx';
import { SelectField } from '#ui/inputs.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { toast } from '#ui/toast.ts';
import { type Failure, useSubmit } from '#ui/use-submit.ts';
import { ownZone, zoneWords } from '#ui/zone-field.tsx';
import { Box } from './choices.tsx';
import { type Draft, sharedBody } from './draft.ts';
import { CADENCES, FORMATS, hourWords, momentWords, RANGES, STATES, typeWords } from './labels.ts';
import { refreshExports, scheduledQuery } from './queries.ts';
import { tellFailure, tellSuccess } from './use-create.ts';

function ScheduledRow({ scheduled }: { scheduled: ScheduledExport }) {
  const { name, schedule, format, dataTypes, dateRange, emailNotification, timeZone, state, nextRunAt } = scheduled;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2.5 border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex min-w-0 flex-1 gap-3 max-sm:w-full max-sm:flex-none">
        <CalendarClock className="mt-0.5 size-4 shrink-0 text-ink-3" aria-hidden="true" />
        <div className="min-w-0 text-sm">
          <p className="flex flex-wrap items-center gap-x-2 font-medium">
            <span className="min-w-0 break-words">{name}</span>
            <Badge tone={state === 'active' ? 'up' : 'warn'}>{state === 'active' ? 'Active' : 'Paused'}</Badge>
          </p>
          <p className="num text-xs break-words text-ink-3">
            {[
              CADENCES[schedule],
              typeWords(dataTypes),
              RANGES[dateRange],
              FORMATS[format],
              emailNotification ? 'with email' : 'no email',
            ].join(' · ')}
          </p>
          <p className="num mt-0.5 text-xs text-ink-2">
            {state === 'paused'
              ? `Paused: scheduled exports require ${PLAN_NAMES.premium} and resume when you upgrade.`
              : nextRunAt && `Next: ${momentWords(nextRunAt, timeZone)}`}
          </p>
          <LastRun {...scheduled} />
        </div>
      </div>
      <CancelButton {...scheduled} />
    </li>
  );
}

function LastRun({ lastRun, timeZone }: ScheduledExport) {
  if (!lastRun) return <p className="text-xs text-ink-3">Not run yet</p>;
  const { at, state, error } = lastRun;
  return (
    <>
      <p className="num text-xs text-ink-3">
        Last: {momentWords(at, timeZone)} · {STATES[state][0]}
      </p>
      {error && (
        <p className="mt-1 flex gap-1.5 text-xs font-medium text-down">
          <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
          {error}
        </p>
      )}
    </>
  );
}

/** A failed cancellation is only logged; the refetched list shows that the schedule still exists. */
function CancelButton({ id, name }: ScheduledExport) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  async function cancel(): Promise<void> {
    if (busy) return;
    setBusy(true);
    try {
      await call(cancelScheduled, { params: { id: String(id) } });
      toast('success', 'Scheduled export canceled');
    } catch (error) {
      // oxlint-disable-next-line no-console -- specified: logged, without a word to the person
      console.warn('Failed to cancel the scheduled export', error);
    }
    await refreshExports(queries);
    setBusy(false);
  }
  return (
    <Button
      className="max-sm:h-10 aria-disabled:opacity-60"
      aria-label={`Cancel: ${name}`}
      aria-disabled={busy}
      onClick={() => void cancel()}
    >
      {busy ? 'Cancelling...' : 'Cancel'}
    </Button>
  );
}

const CARD = { id: 'scheduled', title: 'Scheduled Exports', className: 'min-h-56' };
const FAILED = 'Failed to schedule export. Please try again.';
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const CADENCE_IDS = Object.keys(CADENCES) as Cadence[];

export function ScheduledCard({ draft }: { draft: Draft }) {
  const query = useQuery(scheduledQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load your scheduled exports">
      {(scheduled) => <Loaded scheduled={scheduled} draft={draft} />}
    </QueryView>
  );
}

function Loaded({ scheduled, draft }: { scheduled: readonly ScheduledExport[]; draft: Draft }) {
  return (
    <Card {...CARD}>
      <NewSchedule draft={draft} />
      {scheduled.length === 0 ? (
        <Empty title="No scheduled exports" note="Each file is added to the list, with an optional email link." />
      ) : (
        <ul aria-label="Scheduled Exports" className="border-t border-line">
          {scheduled.map((each) => (
            <ScheduledRow key={each.id} scheduled={each} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Creates a schedule from the current export selection. */
function NewSchedule({ draft }: { draft: Draft }) {
  const queries = useQueryClient();
  const [hour, setHour] = useState(8);
  const [emailNotification, setMail] = useState(true);
  const [asked, setAsked] = useState<Cadence | null>(null);
  const zone = ownZone();
  const { dateRange } = draft;
  const moves = dateRange !== 'custom';
  const { busy, failure, submit } = useSubmit(FAILED, async (signal, schedule: Cadence) => {
    setAsked(schedule);
    try {
      if (dateRange === 'custom') return;
      const body = { ...sharedBody(draft), dateRange, schedule, emailNotification, timeZone: zone, hour };
      await call(scheduleExport, { body }, signal);
      tellSuccess('Export scheduled successfully!');
      await refreshExports(queries);
    } catch (error) {
      if (!signal.aborted) tellFailure(FAILED);
      throw error;
    }
  });
  return (
    <div className="grid gap-3 px-4 pb-4">
      <p className="text-sm text-ink-2">
        {draft.dataTypes.length === 0
          ? 'Choose at least one data type above.'
          : moves
            ? `Schedules the selection above: ${typeWords(sharedBody(draft).dataTypes)}, ${RANGES[dateRange]}, ${FORMATS[draft.format]}.`
            : 'A schedule needs a rolling range. Choose a range other than Custom.'}
      </p>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        <SelectField
          label="Run at"
          note={`Your time (${zoneWords(zone)})`}
          value={String(hour)}
          onText={(next) => setHour(Number(next))}
        >
          {HOURS.map((each) => (
            <option key={each} value={each}>
              {hourWords(each)}
            </option>
          ))}
        </SelectField>
        <Box name="Email me a download link" checked={emailNotification} onChange={setMail} />
      </div>
      <div className="grid gap-2 sm:grid-cols-3">
        {CADENCE_IDS.map((each) => (
          <button
            key={each}
            type="button"
            disabled={!moves || draft.dataTypes.length === 0}
            aria-disabled={busy}
            onClick={() => void submit(each)}
            className={`${SECONDARY} disabled:cursor-default disabled:opacity-60`}
          >
            {busy && asked === each ? 'Scheduling...' : `Schedule ${CADENCES[each]}`}
          </button>
        ))}
      </div>
      <Refused failure={failure} />
    </div>
  );
}

/** The toast has reported the failure; this shows the reason, if known. */
function Refused({ failure }: { failure: Failure | null }) {
  if (!failure || (failure.message === FAILED && !failure.detail)) return null;
  return <FormError failure={failure} />;
}
