import { History, RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

import { Button } from '#web/ui/button.tsx';

import { minuteTime } from './as-of.ts';
import { farthest, fromField, STEPS, toField, within } from './time-steps.ts';

export type MomentProps = { asOf: string | null; onChange: (asOf: string | null) => void };

function Steps({ asOf, onChange }: MomentProps) {
  const step = (ms: number) => onChange(within((asOf ? Date.parse(asOf) : Date.now()) + ms, Date.now()));
  return (
    <div
      role="group"
      aria-label="Step in time"
      className="inline-flex overflow-hidden rounded-ctl border border-line-strong"
    >
      {STEPS.map(([text, label, ms]) => (
        <button
          key={text}
          type="button"
          aria-label={label}
          disabled={ms > 0 && asOf === null}
          onClick={() => step(ms)}
          className="num h-8 border-l border-line-strong px-2.5 text-xs font-medium whitespace-nowrap first:border-l-0 hover:bg-raised disabled:text-ink-3 disabled:opacity-60"
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** Date and time within the last 30 days, in a dialog of its own. */
export function MomentPicker({ asOf, onChange, onClose }: MomentProps & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [nowMs] = useState(() => Date.now());
  const [value, setValue] = useState(() => toField(asOf ? Date.parse(asOf) : nowMs));
  useEffect(() => dialog.current?.showModal(), []);
  const ms = fromField(value);
  const allowed = ms >= farthest(nowMs) - 60_000 && ms <= nowMs;
  const choose = (next: string | null) => {
    onClose();
    onChange(next);
  };
  return (
    <dialog
      ref={dialog}
      aria-label="Time shown"
      onClose={onClose}
      closedby="any"
      className="fixed inset-0 m-auto w-[min(24rem,calc(100vw-1.5rem))] max-w-none rounded-card border border-line-strong bg-surface p-0 text-ink shadow-2xl backdrop:bg-black/50"
    >
      <form
        className="grid gap-3.5 p-4 sm:p-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (allowed) choose(within(ms, Date.now()));
        }}
      >
        <div>
          <h2 className="text-lg font-semibold tracking-[-0.01em]">The dashboard at an earlier moment</h2>
          <p className="mt-0.5 text-sm text-ink-2">
            Drawn again from stored observations, at most 30 days back. Nothing live is mixed in.
          </p>
        </div>
        <label className="grid gap-1 text-xs font-medium">
          Moment (UTC)
          <input
            type="datetime-local"
            value={value}
            min={toField(farthest(nowMs))}
            max={toField(nowMs)}
            onChange={(event) => setValue(event.target.value)}
            className="num h-10 rounded-ctl border border-ink-3/60 bg-bg px-2.5 text-base font-normal"
          />
        </label>
        {!allowed && <p className="text-xs font-medium text-warn">Choose a moment within the last 30 days.</p>}
        <Steps asOf={asOf} onChange={choose} />
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={() => choose(null)}>
            {asOf ? 'Back to now' : 'Cancel'}
          </Button>
          <Button type="submit" disabled={!allowed} className="disabled:opacity-60">
            Show this moment
          </Button>
        </div>
      </form>
    </dialog>
  );
}

const SAYS = {
  waiting: (at: string) => `Looking up ${at}`,
  shown: (at: string) => `Showing ${at}, from stored observations`,
  refused: (at: string) => `${at} cannot be shown`,
};

type BannerProps = MomentProps & { asOf: string; state: keyof typeof SAYS };

/** Says on every earlier page that it is one. */
export function MomentBanner({ asOf, onChange, state }: BannerProps) {
  return (
    <section
      aria-label="Earlier moment"
      className="mb-3 flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-accent/40 bg-accent/10 px-4 py-2"
    >
      <History className="size-4 shrink-0 text-accent" aria-hidden="true" />
      <output className="num min-w-0 text-sm font-medium">{SAYS[state](minuteTime(asOf))}</output>
      <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
        <Steps asOf={asOf} onChange={onChange} />
        <Button onClick={() => onChange(null)}>
          <RotateCcw className="size-3.5" aria-hidden="true" />
          Back to now
        </Button>
      </div>
    </section>
  );
}
