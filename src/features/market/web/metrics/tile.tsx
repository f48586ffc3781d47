import type { ReactNode } from 'react';

import { type FigureMeta, hasOrigin } from '#shared/figures.ts';
import { Figure } from '#ui/figure.tsx';

type Props = {
  name: string;
  meta: FigureMeta | undefined;
  /** The formatted number. */
  text: ReactNode;
  /** Beside the number: its change, or a one-word interpretation. */
  aside?: ReactNode;
  note?: ReactNode;
  children?: ReactNode;
};

/** One metric: name, number, chart and a note. Without a number the reason is shown instead. */
export function Tile({ name, meta, text, aside, note, children }: Props) {
  const born = hasOrigin(meta);
  return (
    <li className="flex min-h-[7.5rem] min-w-0 flex-col bg-surface p-3.5">
      <p className="label truncate">{name}</p>
      <div className="mt-0.5 flex flex-wrap items-center gap-x-2">
        <Figure meta={meta} name={name} stale="chip" className="num text-left text-xl font-semibold tracking-[-0.02em]">
          {text}
        </Figure>
        {born && aside && <div className="num text-xs font-medium text-ink-2">{aside}</div>}
      </div>
      {born ? (
        <>
          <div className="mt-auto pt-2">{children}</div>
          {note && <div className="num mt-0.5 flex min-h-6 flex-col justify-center text-2xs text-ink-3">{note}</div>}
        </>
      ) : (
        <p className="mt-auto line-clamp-3 pt-2 text-2xs text-ink-3">{meta?.reason ?? 'Not collected yet.'}</p>
      )}
    </li>
  );
}

type NoteProps = { label: string; name: string; meta: FigureMeta | undefined; children: ReactNode };

/** A smaller figure in the line below a tile. */
export function NoteFigure({ label, name, meta, children }: NoteProps) {
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      {label}
      <Figure meta={meta} name={name} className="font-medium text-ink-2">
        {children}
      </Figure>
    </span>
  );
}
