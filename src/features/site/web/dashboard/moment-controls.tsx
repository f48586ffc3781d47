import { History, RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import type { Plan } from '#shared/contract.ts';
import { dateTime } from '#shared/format.ts';
import { Button } from '#ui/button.tsx';
import { Link } from '#ui/link.tsx';

/** What the address asks for, as the server wants it; null for now and for what is no time. */
export function parseAsOf(text: string | null): string | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** '14 Nov 2026, 12:00 UTC' */
export const minuteTime = (iso: string): string => dateTime(Date.parse(iso)).replace(/:\d\d UTC$/, ' UTC');

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The earliest moment within `days`, with a minute to get there; without a limit whatever is stored. */
const farthest = (nowMs: number, days: number | null): number =>
  days === null ? Number.NEGATIVE_INFINITY : nowMs - days * 24 * HOUR_MS + MINUTE_MS;

/** Within the last `days`; null is now. */
function within(ms: number, nowMs: number, days: number | null): string | null {
  return ms >= nowMs ? null : new Date(Math.max(ms, farthest(nowMs, days))).toISOString();
}

/** The value of a date and time field that counts in UTC, and back. */
const toField = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const fromField = (value: string): number => Date.parse(`${value}:00Z`);

const STEPS = [
  ['\u22121 day', 'One day earlier', -24 * HOUR_MS],
  ['\u22121h', 'One hour earlier', -HOUR_MS],
  ['+1h', 'One hour later', HOUR_MS],
  ['+1 day', 'One day later', 24 * HOUR_MS],
] as const;

export type MomentProps = {
  asOf: string | null;
  onChange: (asOf: string | null) => void;
  /** Says how far back this person may look; null is a visitor. */
  plan: Plan | null;
};

const daysOf = (plan: Plan | null): number | null => PLAN_LIMITS[plan ?? 'free'].historyDays;

function Steps({ asOf, onChange, plan }: MomentProps) {
  const step = (ms: number) => onChange(within((asOf ? Date.parse(asOf) : Date.now()) + ms, Date.now(), daysOf(plan)));
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

/** Says which plan looks further back. */
function FurtherBack() {
  return (
    <>
      Pro shows the full stored history.{' '}
      <Link to="/app/subscription" className="font-medium text-accent underline underline-offset-2">
        View plans
      </Link>
    </>
  );
}

/** Date and time as far back as the plan reaches, in a dialog of its own. */
export function MomentPicker({ asOf, onChange, plan, onClose }: MomentProps & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [nowMs] = useState(() => Date.now());
  const [value, setValue] = useState(() => toField(asOf ? Date.parse(asOf) : nowMs));
  useEffect(() => dialog.current?.showModal(), []);
  const ms = fromField(value);
  const days = daysOf(plan);
  const first = farthest(nowMs, days);
  const allowed = ms >= first - 60_000 && ms <= nowMs;
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
      className="fixed inset-0 m-auto w-[min(26rem,calc(100vw-1.5rem))] max-w-none rounded-card border border-line-strong bg-surface p-0 text-ink floating backdrop:bg-black/50"
    >
      <form
        className="grid gap-3.5 p-4 sm:p-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (allowed) choose(within(ms, nowMs, days));
        }}
      >
        <div>
          <h2 className="text-lg font-semibold tracking-[-0.01em]">The dashboard at an earlier moment</h2>
          <p className="mt-0.5 text-sm text-ink-2">
            Rebuilt from stored observations, {days === null ? 'as far back as they go' : `at most ${days} days back`}.
            No live data is mixed in.
          </p>
        </div>
        <label className="grid gap-1 text-xs font-medium">
          Moment (UTC)
          <input
            type="datetime-local"
            value={value}
            min={days === null ? undefined : toField(first)}
            max={toField(nowMs)}
            onChange={(event) => setValue(event.target.value)}
            className="num h-10 rounded-ctl border border-ink-3/60 bg-bg px-2.5 text-base font-normal"
          />
        </label>
        {!allowed && (
          <p className="text-xs font-medium text-warn">
            {days === null ? 'Choose a moment that has passed.' : `Choose a moment within the last ${days} days.`}
          </p>
        )}
        {!allowed && ms < first && (
          <p className="text-xs text-ink-2">
            <FurtherBack />
          </p>
        )}
        <Steps asOf={asOf} onChange={choose} plan={plan} />
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
  waiting: (at: string) => `Loading ${at}`,
  shown: (at: string) => `Showing ${at}, from stored observations`,
  refused: (at: string) => `${at} cannot be shown`,
};

type BannerProps = MomentProps & { asOf: string; state: keyof typeof SAYS };

/** Says on every earlier page that it is one. */
export function MomentBanner({ asOf, onChange, plan, state }: BannerProps) {
  const [nowMs] = useState(() => Date.now());
  const beyond = state === 'refused' && Date.parse(asOf) < farthest(nowMs, daysOf(plan));
  return (
    <section
      aria-label="Earlier moment"
      className="mb-3 flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-accent/40 bg-accent/10 px-4 py-2"
    >
      <History className="size-4 shrink-0 text-accent" aria-hidden="true" />
      <div className="min-w-0 text-sm">
        <output className="num font-medium">{SAYS[state](minuteTime(asOf))}</output>
        {beyond && (
          <p className="text-ink-2">
            <FurtherBack />
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
        <Steps asOf={asOf} onChange={onChange} plan={plan} />
        <Button onClick={() => onChange(null)}>
          <RotateCcw className="size-3.5" aria-hidden="true" />
          Back to now
        </Button>
      </div>
    </section>
  );
}
