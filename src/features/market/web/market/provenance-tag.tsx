import { type ToggleEvent, useRef } from 'react';

import { dateTime } from '#shared/format.ts';
import type { Method, Provenance } from '#shared/provenance.ts';
import { Fresh } from '#ui/fresh.tsx';

const at = (iso: string): string => dateTime(Date.parse(iso));

const METHODS: Record<Method, string> = {
  measured: 'Measured: as reported by the source',
  computed: 'Computed: price × supply',
  default: 'Default, not measured',
  demo: 'Demo: the simulated market',
};

type Props = { id: string; title: string; meta: Provenance; nameOf: (source: string) => string };

/** Age and source; pressing it opens the whole birth certificate of the number. */
export function ProvenanceTag({ id, title, meta, nameOf }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const place = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.newState !== 'open' || !button.current) return;
    const box = button.current.getBoundingClientRect();
    const { style, offsetWidth, offsetHeight } = event.currentTarget;
    style.left = `${Math.max(8, Math.min(box.left, innerWidth - offsetWidth - 8))}px`;
    style.top = `${box.bottom + offsetHeight + 8 > innerHeight ? box.top - offsetHeight - 6 : box.bottom + 6}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={`provenance-${id}`}
        className="inline-flex h-7 items-center rounded-chip border border-line px-2 hover:border-line-strong"
      >
        <span className="sr-only">Where it comes from: {title}. </span>
        <Fresh
          observedAt={Date.parse(meta.observedAt)}
          staleAfter={Date.parse(meta.staleAfter)}
          source={nameOf(meta.source)}
        />
      </button>
      <div
        id={`provenance-${id}`}
        popover="auto"
        onToggle={place}
        className="fixed inset-auto m-0 w-80 max-w-[calc(100vw-1rem)] rounded-card border border-line-strong bg-surface p-4 text-ink floating"
      >
        <p className="text-sm font-semibold">{title}</p>
        <dl className="num mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-xs">
          <Line name="Source">{nameOf(meta.source)}</Line>
          <Line name="Method">{METHODS[meta.method]}</Line>
          <Line name="Observed">{at(meta.observedAt)}</Line>
          <Line name="Fetched">{at(meta.fetchedAt)}</Line>
          <Line name="Stale after">{at(meta.staleAfter)}</Line>
        </dl>
      </div>
    </>
  );
}

function Line({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="text-right font-medium">{children}</dd>
    </>
  );
}
