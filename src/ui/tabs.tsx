import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';

import { cx } from './cx.ts';

type Props<T extends string> = {
  label: string;
  tabs: readonly { id: T; name: string }[];
  value: T;
  onChange: (id: T) => void;
  /** The panel of the selected tab. */
  children: ReactNode;
};

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, Home: Number.NEGATIVE_INFINITY, End: Infinity };

/** Tabs above one panel. Arrow keys, Home and End select, as keyboard users expect. */
export function Tabs<T extends string>({ label, tabs, value, onChange, children }: Props<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex((tab) => tab.id === value);
  useEffect(() => {
    const strip = list.current;
    const chosen = strip?.children[at];
    if (!strip || !(chosen instanceof HTMLElement)) return;
    // Centered, to show that there are tabs on both sides.
    strip.scrollLeft = chosen.offsetLeft - (strip.clientWidth - chosen.offsetWidth) / 2;
  }, [at]);
  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const wrapped = Math.abs(step) === 1 ? (at + step + tabs.length) % tabs.length : at + step;
    const next = tabs[Math.max(0, Math.min(tabs.length - 1, wrapped))];
    if (!next) return;
    onChange(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  }
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="relative mb-4 flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => {
          const chosen = tab.id === value;
          return (
            <button
              key={tab.id}
              id={`${id}-${tab.id}`}
              type="button"
              role="tab"
              aria-selected={chosen}
              aria-controls={chosen ? `${id}-panel` : undefined}
              tabIndex={chosen ? 0 : -1}
              onClick={() => onChange(tab.id)}
              onKeyDown={onKey}
              className={cx(
                'h-11 shrink-0 border-b-2 px-3 text-base font-medium whitespace-nowrap focus-visible:-outline-offset-2',
                chosen ? 'border-ink text-ink' : 'border-transparent text-ink-3 hover:text-ink',
              )}
            >
              {tab.name}
            </button>
          );
        })}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
}
