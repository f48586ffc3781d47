import { Clock } from 'lucide-react';
import { useState } from 'react';

import { cx } from '#ui/cx.ts';
import { part } from '#ui/part.tsx';

import type { MomentProps } from './moment-controls.tsx';

const Picker = part<MomentProps & { onClose: () => void }>({
  name: 'The time control',
  load: async () => (await import('./moment-controls.tsx')).MomentPicker,
});

/** "Now", or the moment that is shown; opens the choice of another. */
export function MomentButton({ asOf, label = 'Now', onChange, plan }: MomentProps & { label?: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className={cx(
          'num inline-flex h-8 items-center gap-1.5 rounded-ctl border px-3 text-sm font-medium whitespace-nowrap hover:bg-raised',
          asOf ? 'border-accent text-accent' : 'border-line-strong',
        )}
      >
        <Clock className="size-3.5" aria-hidden="true" />
        <span className="sr-only">Time shown: </span>
        {label}
      </button>
      {open && <Picker asOf={asOf} onChange={onChange} plan={plan} onClose={() => setOpen(false)} />}
    </>
  );
}
