import { type ToggleEvent, useId, useRef, useState } from 'react';

import { CERTIFICATE } from '#web/ui/certificate.tsx';
import { part } from '#web/ui/part.tsx';
import { placeBeside } from '#web/ui/popover.ts';

const Meaning = part<{ metric: string }>({
  name: 'The glossary',
  load: async () => (await import('./term-text.tsx')).TermText,
  loading: <div className="skel m-4 h-16" />,
});

/** A word of the trade that says what it means. */
export function Term({ metric, children }: { metric: string; children: string }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    placeBeside(button.current, event);
    if (event.newState === 'closed') setOpen(false);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        onClick={() => setOpen(true)}
        className="min-h-6 cursor-help underline decoration-ink-3 decoration-dotted underline-offset-4"
      >
        <span className="sr-only">What it means: </span>
        {children}
      </button>
      <div id={id} popover="auto" onToggle={onToggle} className={CERTIFICATE}>
        {open && <Meaning metric={metric} />}
      </div>
    </>
  );
}
