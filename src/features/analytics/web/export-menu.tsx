import { ChevronDown, Download } from 'lucide-react';
import { type KeyboardEvent, type ToggleEvent, useId, useRef, useState } from 'react';

import { Button } from '#web/ui/button.tsx';
import { placeBeside } from '#web/ui/popover.ts';

import { REPORT_FORMATS, type ReportFormat, saveReport } from './report.ts';
import type { View } from './view.ts';

const NAMES: Readonly<Record<ReportFormat, string>> = { pdf: 'PDF report', csv: 'CSV', json: 'JSON' };

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at <= 0 ? count : at) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The report of what the page shows, as a file. */
export function ExportMenu({ view }: { view: View }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
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
  const save = async (format: ReportFormat) => {
    menu.current?.hidePopover();
    setBusy(true);
    await saveReport(view, format);
    setBusy(false);
  };
  return (
    <>
      <Button
        ref={button}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        disabled={busy}
        className="disabled:opacity-60 max-sm:h-11!"
      >
        <Download className="size-3.5" aria-hidden="true" />
        {busy ? 'Exporting\u2026' : 'Export Report'}
        <ChevronDown className="size-3.5 text-ink-3" aria-hidden="true" />
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        onToggle={onToggle}
        className="fixed inset-auto m-0 w-64 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line-strong bg-surface p-1.5 text-ink floating"
      >
        <div role="menu" aria-label="Export Report" tabIndex={-1} onKeyDown={onKey}>
          {REPORT_FORMATS.map((format) => (
            <button
              key={format}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => void save(format)}
              className="flex h-11 w-full items-center rounded-ctl px-2.5 text-base hover:bg-raised focus-visible:bg-raised"
            >
              {NAMES[format]}
            </button>
          ))}
        </div>
      </div>
    </>
  );
}
