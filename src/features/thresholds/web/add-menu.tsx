import { BrainCircuit, ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type ToggleEvent, useId, useRef, useState } from 'react';

import type { WatchedMetric } from '#shared/watched.ts';
import { Button } from '#web/ui/button.tsx';
import { placeBeside } from '#web/ui/popover.ts';

import { AI_ALERTS } from './templates.ts';

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at <= 0 ? count : at) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

type Props = { disabled: boolean; onAdd: (metric: WatchedMetric, name: string) => void };

/** The four AI predictions, each an alert at one press. */
export function AiMenu({ disabled, onAdd }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    placeBeside(button.current, event, 'end');
    setOpen(event.newState === 'open');
    if (event.newState === 'open' && !items().includes(document.activeElement as HTMLElement)) items()[0]?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === 'Tab') menu.current?.hidePopover();
    if (!step) return;
    event.preventDefault();
    const all = items();
    all[step(all.indexOf(document.activeElement as HTMLElement), all.length)]?.focus();
  };
  return (
    <>
      <Button
        ref={button}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        disabled={disabled}
        className="h-10! disabled:cursor-default disabled:opacity-60 max-sm:h-11!"
      >
        <BrainCircuit className="size-4" aria-hidden="true" />
        AI Alerts
        <ChevronDown className="size-3.5 text-ink-3" aria-hidden="true" />
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        onToggle={onToggle}
        className="fixed inset-auto m-0 w-64 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line-strong bg-surface p-1.5 text-ink floating"
      >
        <div role="menu" aria-label="AI Alerts" tabIndex={-1} onKeyDown={onKey}>
          {AI_ALERTS.map(([name, metric]) => (
            <button
              key={metric}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                menu.current?.hidePopover();
                onAdd(metric, name);
              }}
              className="flex h-11 w-full items-center rounded-ctl px-2.5 text-base hover:bg-raised focus-visible:bg-raised"
            >
              {name}
            </button>
          ))}
        </div>
      </div>
    </>
  );
}
