import { useQueryClient } from '@tanstack/react-query';
import { CalendarClock, CircleAlert } from 'lucide-react';
import { useState } from 'react';

import { PLAN_NAMES } from '#features/subscriptions/contract.ts';
import { call } from '#web/api/client.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';

import { cancelScheduled, type ScheduledExport } from '../contract.ts';
import { refreshExports } from './queries.ts';
import { CADENCES, FORMATS, momentWords, RANGES, STATES, typeWords } from './words.ts';

export function ScheduledRow({ scheduled }: { scheduled: ScheduledExport }) {
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
              emailNotification ? 'with a mail' : 'without a mail',
            ].join(' · ')}
          </p>
          <p className="num mt-0.5 text-xs text-ink-2">
            {state === 'paused'
              ? `Paused: scheduled exports are part of ${PLAN_NAMES.premium}. It goes on when your plan includes it again.`
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
  if (!lastRun) return <p className="text-xs text-ink-3">Not made yet</p>;
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

/** A cancellation that fails is only logged; the list, read again, shows that the schedule stands. */
function CancelButton({ id, name }: ScheduledExport) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  async function cancel(): Promise<void> {
    if (busy) return;
    setBusy(true);
    try {
      await call(cancelScheduled, { params: { id: String(id) } });
      toast('success', 'Scheduled export cancelled');
    } catch (error) {
      // oxlint-disable-next-line no-console -- specified: logged, without a word to the person
      console.warn('A scheduled export could not be cancelled', error);
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
