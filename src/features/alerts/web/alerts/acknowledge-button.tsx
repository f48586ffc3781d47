import { useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useRef, useState } from 'react';
import { type Alert, acknowledgeAlert } from '#features/alerts/contract/alerts.ts';
import { call } from '#ui/api/client.ts';
import { cx } from '#ui/cx.ts';
import { toast } from '#ui/toast.ts';
import { countAcknowledged, patchAlerts, withAcknowledged } from './patch.ts';

/** Marks the container of rows whose buttons take the focus in turn. */
export const ROWS = { 'data-alerts': '', tabIndex: -1 } as const;

const PLACE =
  'inline-flex h-10 min-w-10 shrink-0 items-center justify-center gap-1.5 px-2.5 text-sm font-medium lg:h-8.5';

/** Focus moves to the next alert, or to the list. */
function goOn(button: HTMLButtonElement | null): () => void {
  const rows = button?.closest<HTMLElement>('[data-alerts]');
  if (!rows || document.activeElement !== button) return () => {};
  const at = [...rows.querySelectorAll('[data-acknowledge]')].indexOf(button as Element);
  return () => {
    const left = [...rows.querySelectorAll<HTMLElement>('[data-acknowledge]')];
    (left[at] ?? left.at(-1) ?? rows).focus();
  };
}

type Props = {
  alert: Pick<Alert, 'id' | 'message' | 'acknowledged'>;
  /** Shows its label where there is room. */
  worded: boolean;
};

/** The alert changes only once the server has confirmed. */
export function AcknowledgeButton({ alert: { id, message, acknowledged }, worded }: Props) {
  const queries = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);
  if (acknowledged)
    return (
      <span className={cx(PLACE, 'text-ink-3')} title="Acknowledged">
        <Check className="size-4" aria-hidden="true" />
        <span className={worded ? 'max-sm:sr-only' : 'sr-only'}>Acknowledged</span>
      </span>
    );

  const acknowledge = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await call(acknowledgeAlert, { params: { id } });
      const focus = goOn(button.current);
      patchAlerts(queries, withAcknowledged(id));
      countAcknowledged(queries, id);
      setTimeout(focus);
    } catch {
      toast('error', 'Failed to acknowledge the alert.');
    }
    setBusy(false);
  };
  return (
    <button
      ref={button}
      type="button"
      data-acknowledge=""
      aria-label={`Acknowledge: ${message}`}
      title="Acknowledge"
      aria-disabled={busy}
      onClick={() => void acknowledge()}
      className={cx(
        PLACE,
        'rounded-ctl border border-line-strong text-ink-2 hover:bg-raised hover:text-ink',
        busy && 'opacity-80',
      )}
    >
      <Check className="size-4" aria-hidden="true" />
      {worded && <span className="max-sm:hidden">Acknowledge</span>}
    </button>
  );
}
