import { useQuery } from '@tanstack/react-query';
import { History, RotateCcw, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { type ChartRange, getCandles } from '#features/market/contract/market.ts';
import type { Plan } from '#shared/contract.ts';
import { dateTime } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { Link } from '#ui/link.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Spark } from '#ui/spark.tsx';
import { dashboardAtQuery } from './earlier-query.ts';
import { TimeBarCalls } from './time-bar-calls.tsx';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The dashboard is loaded once the thumb rests this long. */
const REST_MS = 150;

/** The moment in the URL in the server's format; null for now and for invalid times. */
export function parseAsOf(text: string | null): string | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** '14 Nov 2026, 12:00 UTC' */
export const minuteTime = (iso: string): string => dateTime(Date.parse(iso)).replace(/:\d\d UTC$/, ' UTC');

/** Span of the slider and size of one step. */
type BarRange = Exclude<ChartRange, 'all'>;
const RANGES: Record<BarRange, { ms: number; stepMs: number }> = {
  '24h': { ms: DAY_MS, stepMs: 5 * MINUTE_MS },
  '7d': { ms: 7 * DAY_MS, stepMs: 30 * MINUTE_MS },
  '30d': { ms: 30 * DAY_MS, stepMs: 2 * HOUR_MS },
  '1y': { ms: 365 * DAY_MS, stepMs: DAY_MS },
};
const NAMES = Object.keys(RANGES) as BarRange[];

const STEPS = [
  ['\u22121 day', 'One day earlier', -DAY_MS],
  ['\u22121h', 'One hour earlier', -HOUR_MS],
  ['+1h', 'One hour later', HOUR_MS],
  ['+1 day', 'One day later', DAY_MS],
] as const;

/** The earliest moment within `days`, with a minute of margin; without a limit all stored data. */
const farthest = (nowMs: number, days: number | null): number =>
  days === null ? Number.NEGATIVE_INFINITY : nowMs - days * DAY_MS + MINUTE_MS;

/** Converts the value of a datetime field in UTC, and back. */
const toField = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const fromField = (value: string): number => Date.parse(`${value}:00Z`);

export type TimeBarProps = {
  /** The moment in the URL; null is now. */
  asked: string | null;
  onChange: (asOf: string | null) => void;
  /** The span of the slider in the URL; null follows the moment. */
  askedRange: string | null;
  /** Null closes the bar. */
  onRange: (range: BarRange | null) => void;
  /** Determines the history limit; null is a visitor. */
  plan: Plan | null;
};

/** The bar's text about the displayed moment. */
function useMoment(asOf: string | null, isMoving: boolean): 'now' | 'waiting' | 'shown' | 'refused' {
  const { isError, data } = useQuery({ ...dashboardAtQuery(asOf ?? ''), enabled: asOf !== null });
  if (isMoving) return 'waiting';
  if (asOf === null) return 'now';
  if (isError) return 'refused';
  return data ? 'shown' : 'waiting';
}

const SAYS = {
  now: () => 'Live. Drag to see the dashboard at an earlier moment.',
  waiting: (at: string) => `Loading ${at}`,
  shown: (at: string) => `Showing ${at}, from stored observations`,
  refused: (at: string) => `${at} cannot be shown`,
};

/**
 * Moves the whole dashboard through stored time: a slider over Bitcoin’s price, steps, and a field for an exact time.
 */
export function TimeBar({ asked, onChange, askedRange, onRange, plan }: TimeBarProps) {
  const asOf = parseAsOf(asked);
  const [nowMs] = useState(() => Date.now());
  const days = PLAN_LIMITS[plan ?? 'free'].historyDays;
  const first = farthest(nowMs, days);
  const names = NAMES.filter((name) => nowMs - RANGES[name].ms >= first - MINUTE_MS);
  const asOfMs = asOf === null ? nowMs : Date.parse(asOf);
  const [fitting] = useState(() => names.find((name) => RANGES[name].ms >= nowMs - asOfMs) ?? '30d');
  const range = names.find((name) => name === askedRange) ?? fitting;
  // Used until the URL has followed.
  const [draft, setDraft] = useState<{ ms: number; from: string | null } | null>(null);
  const moving = draft && draft.from === asOf && draft.ms !== asOfMs ? draft.ms : null;
  const ms = moving ?? asOfMs;
  const state = useMoment(asOf, moving !== null);
  useEffect(() => {
    if (moving === null) return undefined;
    const timer = setTimeout(() => onChange(moving >= nowMs ? null : new Date(moving).toISOString()), REST_MS);
    return () => clearTimeout(timer);
  }, [moving, nowMs, onChange]);
  const move = (to: number) => setDraft({ ms: Math.min(Math.max(to, first), nowMs), from: asOf });
  const { ms: rangeMs, stepMs } = RANGES[range];
  // Times on the slider are rounded; its right end is now.
  const [left, right] = [Math.max(nowMs - rangeMs, first), nowMs].map((end) => Math.ceil(end / stepMs) * stepMs);
  const isBeyond = state === 'refused' && asOfMs < first;
  return (
    <section
      aria-label="Time shown"
      className="grid gap-2 rounded-card border border-accent/40 bg-surface px-4 py-2 floating"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <History className="size-4 shrink-0 text-accent" aria-hidden="true" />
        <div className="min-w-0 flex-1 text-sm">
          <output className="num font-medium">{SAYS[state](minuteTime(new Date(ms).toISOString()))}</output>
          {isBeyond && <FurtherBack />}
        </div>
        <Segmented label="Range of the slider" value={range} options={names} onChange={onRange} />
        <Steps ms={ms} nowMs={nowMs} onStep={move} />
        <ExactTime key={asOf} ms={ms} first={first} nowMs={nowMs} days={days} onChoose={move} />
        {asOf === null ? (
          <Button kind="quiet" aria-label="Close the time bar" onClick={() => onRange(null)}>
            <X className="size-4" aria-hidden="true" />
          </Button>
        ) : (
          <Button onClick={() => onChange(null)}>
            <RotateCcw className="size-3.5" aria-hidden="true" />
            Back to now
          </Button>
        )}
      </div>
      <div>
        <Backdrop range={range} from={nowMs - rangeMs} to={nowMs} />
        <input
          type="range"
          aria-label="Moment"
          aria-valuetext={ms >= nowMs ? 'Now' : minuteTime(new Date(ms).toISOString())}
          min={left}
          max={right}
          step={stepMs}
          value={ms >= nowMs ? right : ms}
          onChange={(event) => move(Number(event.target.value))}
          style={{ accentColor: 'var(--accent)' }}
          className="block h-5 w-full cursor-pointer"
        />
        <TimeBarCalls from={nowMs - rangeMs} to={nowMs} ms={ms} />
      </div>
    </section>
  );
}

/** Bitcoin’s price over the range, as orientation for dragging. */
function Backdrop({ range, from, to }: { range: BarRange; from: number; to: number }) {
  const { data } = useQuery({
    queryKey: ['time-bar', range],
    queryFn: ({ signal }) => call(getCandles, { params: { id: 'bitcoin' }, query: { range } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const candles = (data?.candles ?? []).filter(({ at }) => Date.parse(at) >= from);
  const start = candles[0] ? (Date.parse(candles[0].at) - from) / (to - from) : 0;
  return (
    <div className="h-7 px-2" aria-hidden="true">
      <div style={{ marginLeft: `${(100 * start).toFixed(2)}%` }}>
        <Spark points={candles.map(({ close }) => close)} width={300} neutral className="h-7 w-full" />
      </div>
    </div>
  );
}

function Steps({ ms, nowMs, onStep }: { ms: number; nowMs: number; onStep: (ms: number) => void }) {
  return (
    <div
      role="group"
      aria-label="Step in time"
      className="inline-flex overflow-hidden rounded-ctl border border-line-strong max-sm:hidden"
    >
      {STEPS.map(([text, label, step]) => (
        <button
          key={text}
          type="button"
          aria-label={label}
          disabled={step > 0 && ms >= nowMs}
          onClick={() => onStep(ms + step)}
          className="num h-8 border-l border-line-strong px-2.5 text-xs font-medium whitespace-nowrap first:border-l-0 hover:bg-raised disabled:opacity-60"
        >
          {text}
        </button>
      ))}
    </div>
  );
}

type ExactProps = { ms: number; first: number; nowMs: number; days: number | null; onChoose: (ms: number) => void };

/** A field for the minute; an invalid time shows why and changes nothing. */
function ExactTime({ ms, first, nowMs, days, onChoose }: ExactProps) {
  const [value, setValue] = useState<string | null>(null);
  const chosen = value === null ? ms : fromField(value);
  const isRefused = value !== null && !(chosen >= first - MINUTE_MS && chosen <= nowMs);
  return (
    <div className="grid text-xs font-medium">
      <input
        aria-label="Moment (UTC)"
        type="datetime-local"
        value={value ?? toField(ms)}
        min={days === null ? undefined : toField(first)}
        max={toField(nowMs)}
        onChange={(event) => {
          setValue(event.target.value);
          const to = fromField(event.target.value);
          if (to >= first - MINUTE_MS && to <= nowMs) onChoose(to);
        }}
        className="num h-8 rounded-ctl border border-ink-3/60 bg-bg px-2.5 text-sm font-normal"
      />
      {isRefused && (
        <span className="text-warn">
          {days === null ? 'Choose a moment that has passed.' : `Choose a moment within the last ${days} days.`}
          {chosen < first && <FurtherBack />}
        </span>
      )}
    </div>
  );
}

/** Names the plan with a longer history. */
function FurtherBack() {
  return (
    <span className="block text-ink-2">
      Pro shows the full stored history.{' '}
      <Link to="/app/subscription" className="font-medium text-accent underline underline-offset-2">
        View plans
      </Link>
    </span>
  );
}
