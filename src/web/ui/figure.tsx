import { type ReactNode, type ToggleEvent, useId, useRef, useState } from 'react';

import { type FigureMeta, hasOrigin } from '#shared/figures.ts';
import { age } from '#shared/format.ts';

import { CERTIFICATE, Details } from './certificate.tsx';
import { cx } from './cx.ts';
import type { DetailsProps } from './figure-details.tsx';
import { useNow } from './now.ts';
import { placeBeside } from './popover.ts';

const STALE_STEP_MS = 15_000;

type Props = {
  meta: FigureMeta | undefined;
  /** What the number is, in the words the page uses for it. */
  name: string;
  /** The number as the page writes it; a figure without an origin shows a dash instead. */
  children: ReactNode;
  className?: string | undefined;
  /** More lines for the popover: what the number was made of. */
  terms?: DetailsProps['terms'];
  /** A chip says how old a stale number is; in a tight place a dot does. */
  stale?: 'chip' | 'dot';
};

/** A number that can be asked where it comes from. */
export function Figure({ meta, name, children, className, terms, stale = 'dot' }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  if (!meta) return <span className={className}>–</span>;
  const born = hasOrigin(meta);
  const place = (event: ToggleEvent<HTMLDivElement>) => {
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
        className={cx(
          'relative z-1 min-h-6 min-w-6 cursor-help [text-align:inherit] rounded-chip whitespace-nowrap decoration-ink-3 decoration-dotted underline-offset-4 hover:underline',
          !born && 'text-ink-3',
          className,
        )}
      >
        <span className="sr-only">
          {born ? 'Where it comes from' : 'Why it is missing'}: {name}.{' '}
        </span>
        {born ? children : '–'}
      </button>
      {born && <StaleMark kind={stale} observedAt={meta.observedAt} staleAfter={meta.staleAfter} />}
      <div id={id} popover="auto" onToggle={place} className={CERTIFICATE}>
        {open && (
          <Details meta={meta} name={name} terms={terms}>
            {children}
          </Details>
        )}
      </div>
    </>
  );
}

type StaleProps = { kind: 'chip' | 'dot'; observedAt: string; staleAfter: string };

function StaleMark({ kind, observedAt, staleAfter }: StaleProps) {
  const now = useNow(STALE_STEP_MS);
  if (now <= Date.parse(staleAfter)) return null;
  const words = `Stale, ${age(now - Date.parse(observedAt))}`;
  if (kind === 'chip')
    return (
      <span className="num inline-flex h-5 items-center rounded-chip bg-warn/10 px-1.5 text-2xs font-medium whitespace-nowrap text-warn">
        {words}
      </span>
    );
  return (
    <span title={words} className="ml-1 inline-block size-1.5 rounded-full bg-warn align-middle">
      <span className="sr-only">{words}</span>
    </span>
  );
}
