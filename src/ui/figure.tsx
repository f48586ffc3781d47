import type { ReactNode } from 'react';

import { type FigureMeta, hasOrigin } from '#shared/figures.ts';
import { age } from '#shared/format.ts';
import { Details } from './certificate.tsx';
import { cx } from './cx.ts';
import { Explained } from './explained.tsx';
import type { DetailsProps } from './figure-details.tsx';
import { useNow } from './now.ts';

const STALE_STEP_MS = 15_000;

type Props = {
  meta: FigureMeta | undefined;
  /** The name of the number, as used on the page. */
  name: string;
  /** The formatted number; a figure without an origin shows a dash instead. */
  children: ReactNode;
  className?: string | undefined;
  /** More lines for the popover: the inputs of the number. */
  terms?: DetailsProps['terms'];
  page?: DetailsProps['page'];
  /** A chip shows the age of a stale number; in tight places a dot marks it. */
  stale?: 'chip' | 'dot';
};

/** A number that opens its birth certificate. */
export function Figure({ meta, name, children, className, terms, page, stale = 'dot' }: Props) {
  if (!meta) return <span className={className}>–</span>;
  const born = hasOrigin(meta);
  return (
    <>
      <Explained
        words={`${born ? 'Where it comes from' : 'Why it is missing'}: ${name}.`}
        className={cx(
          'relative z-1 min-w-6 [text-align:inherit] rounded-chip whitespace-nowrap hover:underline',
          !born && 'text-ink-3',
          className,
        )}
        answer={
          <Details meta={meta} name={name} terms={terms} page={page}>
            {children}
          </Details>
        }
      >
        {born ? children : '–'}
      </Explained>
      {born && <StaleMark kind={stale} observedAt={meta.observedAt} staleAfter={meta.staleAfter} />}
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
