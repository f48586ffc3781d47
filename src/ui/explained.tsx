import { type ReactNode, type ToggleEvent, useId, useRef, useState } from 'react';

import { CERTIFICATE } from './certificate.tsx';
import { cx } from './cx.ts';
import { placeBeside } from './popover.ts';

type Props = {
  /** Read out before the content: what the explanation is about. */
  words: string;
  className?: string | undefined;
  children: ReactNode;
  /** Rendered on demand. */
  answer: ReactNode;
};

/** A word or number with an explanation that opens next to it. */
export function Explained({ words, className, children, answer }: Props) {
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
        className={cx('min-h-6 cursor-help decoration-ink-3 decoration-dotted underline-offset-4', className)}
      >
        <span className="sr-only">{words} </span>
        {children}
      </button>
      <div id={id} popover="auto" onToggle={onToggle} className={CERTIFICATE}>
        {open && answer}
      </div>
    </>
  );
}
