import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { call } from '#web/api/client.ts';
import { useToken } from '#web/session.ts';
import { Card } from '#web/ui/card.tsx';
import { FormError, SECONDARY } from '#web/ui/form.tsx';
import { SelectField } from '#web/ui/inputs.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';
import { type Failure, useSubmit } from '#web/ui/use-submit.ts';
import { ownZone, zoneWords } from '#web/ui/zone-field.tsx';

import { type Cadence, type ScheduledExport, scheduleExport } from '../contract.ts';
import { Box } from './choices.tsx';
import { type Draft, sharedBody } from './draft.ts';
import { refreshExports, scheduledQuery } from './queries.ts';
import { ScheduledRow } from './scheduled-row.tsx';
import { tellFailure, tellSuccess } from './use-create.ts';
import { CADENCES, FORMATS, hourWords, RANGES, typeWords } from './words.ts';

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
        <Empty title="No scheduled exports" note="Each file is kept in the list, and mailed to you as a link." />
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

/** Makes a schedule of what is chosen for an export. */
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
          ? 'Choose at least one kind of data above.'
          : moves
            ? `What is chosen above, made by itself: ${typeWords(sharedBody(draft).dataTypes)}, ${RANGES[dateRange]}, ${FORMATS[draft.format]}.`
            : 'A schedule needs a range that moves with time. Choose another one than Custom.'}
      </p>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        <SelectField
          label="Made at"
          note={`Your time, ${zoneWords(zone)}`}
          value={String(hour)}
          onText={(next) => setHour(Number(next))}
        >
          {HOURS.map((each) => (
            <option key={each} value={each}>
              {hourWords(each)}
            </option>
          ))}
        </SelectField>
        <Box name="Mail me a link when it is made" checked={emailNotification} onChange={setMail} />
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

/** The toast has said that it failed; here is why, where that is known. */
function Refused({ failure }: { failure: Failure | null }) {
  if (!failure || (failure.message === FAILED && !failure.detail)) return null;
  return <FormError failure={failure} />;
}
