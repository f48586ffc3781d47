import { type ToggleEvent, useId, useRef, useState } from 'react';

import { ago } from '#shared/format.ts';
import { CERTIFICATE } from '#web/ui/certificate.tsx';
import { useNow } from '#web/ui/now.ts';
import { part } from '#web/ui/part.tsx';
import { placeBeside } from '#web/ui/popover.ts';

import type { Alert } from '../contract.ts';
import type { AlertReceiptProps } from './alert-receipt.tsx';

const STEP_MS = 15_000;

const AlertReceipt = part<AlertReceiptProps>({
  name: 'The receipt of this alert',
  load: async () => (await import('./alert-receipt.tsx')).AlertReceipt,
  loading: <div className="skel m-4 h-40" />,
});

/** When it was raised; asked, the way it took from its source. */
export function ReceiptButton({ alert }: { alert: Alert }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const now = useNow(STEP_MS);
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    placeBeside(button.current, event);
    setOpen(event.newState === 'open');
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className="relative z-1 min-h-6 cursor-help rounded-chip whitespace-nowrap decoration-ink-3 decoration-dotted underline-offset-4 hover:underline"
      >
        <time dateTime={alert.timestamp}>{ago(now - Date.parse(alert.timestamp))}</time>
        <span className="sr-only">. Where it comes from: {alert.message}</span>
      </button>
      <div id={id} popover="auto" onToggle={onToggle} className={CERTIFICATE}>
        {open && <AlertReceipt alert={alert} />}
      </div>
    </>
  );
}
