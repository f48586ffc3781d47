import { Clock } from 'lucide-react';
import { useRef, useState } from 'react';

import { cx } from '#web/ui/cx.ts';
import { part } from '#web/ui/part.tsx';
import { placeBeside } from '#web/ui/popover.ts';

import { minuteTime } from './as-of.ts';
import type { MomentBanner as Banner, MomentProps } from './moment-controls.tsx';

const Picker = part<MomentProps>({
  name: 'The time control',
  load: async () => (await import('./moment-controls.tsx')).MomentPicker,
  loading: <div className="skel m-4 h-40" />,
});

export const MomentBanner = part<Parameters<typeof Banner>[0]>({
  name: 'The time control',
  load: async () => (await import('./moment-controls.tsx')).MomentBanner,
  loading: <div className="skel mb-3 h-12" />,
});

/** "Now", or the moment that is shown; opens the choice of another. */
export function MomentButton({ asOf, onChange }: MomentProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget="moment"
        onClick={() => setOpen(true)}
        className={cx(
          'num ml-auto inline-flex h-8 items-center gap-1.5 rounded-ctl border px-3 text-sm font-medium whitespace-nowrap hover:bg-raised',
          asOf ? 'border-accent text-accent' : 'border-line-strong',
        )}
      >
        <Clock className="size-3.5" aria-hidden="true" />
        <span className="sr-only">Time shown: </span>
        {asOf ? minuteTime(asOf) : 'Now'}
      </button>
      <div
        id="moment"
        popover="auto"
        onToggle={(event) => {
          placeBeside(button.current, event);
          if (event.newState === 'closed') setOpen(false);
        }}
        className="fixed inset-auto m-0 w-84 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line-strong bg-surface p-0 text-ink shadow-2xl"
      >
        {open && <Picker key={asOf} asOf={asOf} onChange={onChange} />}
      </div>
    </>
  );
}
