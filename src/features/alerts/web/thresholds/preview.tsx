import { Bell } from 'lucide-react';
import type { Preview as PreviewReply } from '#features/alerts/contract/thresholds.ts';
import { percent } from '#shared/format.ts';
import { DIRECTION_VALUE, type Direction } from '#shared/watched.ts';
import { findLimits } from '#shared/watched-limits.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Change } from '#ui/change.tsx';
import { Empty, ErrorState } from '#ui/states.tsx';
import { backtestCoverage } from './backtest-coverage.ts';
import { type Draft, isDirectionText, toValue } from './draft.ts';
import { type Coin, findMeasure, metricName, namedDirection } from './labels.ts';
import { type Measure, measureText, writeNumber } from './numbers.ts';
import { PreviewChart } from './preview-chart.tsx';
import { usePreview } from './use-preview.ts';

const FULL_DAYS = 89;
const FEW_DAYS = 7;
const WEEKLY = [1, 3] as const;

type Props = { draft: Draft; coins: readonly Coin[]; onValue: (value: string) => void };

/** Backtest of the rule before it is saved. */
export function Preview({ draft, coins, onValue }: Props) {
  const { query, busy, complete } = usePreview(draft);
  const { data } = query;
  if (!data) {
    if (query.isError)
      return (
        <Place>
          <ErrorState
            message="Failed to backtest the alert"
            detail={query.error.message}
            onRetry={() => void query.refetch()}
          />
        </Place>
      );
    return (
      <Place>{complete ? <Loading /> : <Empty title="Complete the rule to see when it would have fired" />}</Place>
    );
  }
  if (data.absent !== null || data.points.length < 2)
    return (
      <Place>
        <Empty
          title={data.absent ?? 'No history to backtest yet'}
          note={data.absent === null ? tooFew(data.days) : 'Evaluation starts with the first value.'}
        />
      </Place>
    );
  return (
    <div aria-busy={busy}>
      {query.isError && !busy && (
        <p role="alert" className="mb-2 flex flex-wrap items-center gap-x-3 text-sm text-down">
          {query.error.message}
          <Button onClick={() => void query.refetch()}>Retry</Button>
        </p>
      )}
      <Loaded draft={draft} coins={coins} data={data} busy={busy} onValue={onValue} />
    </div>
  );
}

const Place = ({ children }: { children: React.ReactNode }) => (
  <div className="flex min-h-56 flex-col justify-center">{children}</div>
);

function Loading() {
  return (
    <>
      <output className="sr-only">Backtesting the alert</output>
      <div className="skel mb-2 h-6 w-72" aria-hidden="true" />
      <div className="skel h-40" aria-hidden="true" />
    </>
  );
}

const daysText = (days: number): string => {
  const whole = Math.round(days);
  return `${whole} ${whole === 1 ? 'day' : 'days'}`;
};
const tooFew = (days: number): string =>
  `${days < 1 ? 'Less than a day' : `Only ${daysText(days)}`} of it stored so far.`;

function draftLevel(draft: Draft): number | null {
  const direction = namedDirection(draft.condition);
  const value = direction ?? toValue(draft);
  if (typeof value === 'string') return DIRECTION_VALUE[value];
  return Number.isFinite(value) ? value : null;
}

const SIDES: Readonly<Record<string, 'above' | 'below'>> = {
  above: 'above',
  changes_by: 'above',
  changes_by_sigma: 'above',
  leaves_range: 'above',
  below: 'below',
};

function Loaded({ draft, coins, data, busy, onValue }: Props & { data: PreviewReply; busy: boolean }) {
  const measure = findMeasure(draft.metric, draft.condition);
  const named = namedDirection(draft.condition);
  // A level of zero is refused: dragged to the bottom it stays at the smallest allowed value.
  const least = minLevel(draft, measure);
  const write = (value: number) =>
    onValue(measure.unit === 'direction' ? directionText(value) : writeNumber(Math.max(least, value)));
  return (
    <>
      <Headline data={data} />
      <PreviewChart
        preview={data}
        name={metricName(draft.metric, coins)}
        measure={measure}
        side={SIDES[draft.condition] ?? 'at'}
        level={draftLevel(draft)}
        onLevel={named ? null : write}
        busy={busy}
      />
      <p className="label mt-1">
        {backtestCoverage(data, draft.and ? [draft.metric, draft.and.metric] : [draft.metric])}
      </p>
      <Facts data={data} />
      {measure.unit !== 'direction' && <Suggestions data={data} measure={measure} onValue={write} />}
    </>
  );
}

function minLevel({ metric, condition }: Draft, { decimals }: Measure): number {
  const limits = findLimits(metric, condition);
  if (!limits) return Number.NEGATIVE_INFINITY;
  return limits.above ? limits.from + 10 ** -decimals : limits.from;
}

function directionText(value: number): Direction {
  const text = value < 0 ? 'BEARISH' : value > 0 ? 'BULLISH' : 'NEUTRAL';
  return isDirectionText(text) ? text : 'NEUTRAL';
}

function Headline({ data: { fireCount, perWeek, days } }: { data: PreviewReply }) {
  const few = days < FEW_DAYS;
  return (
    <output className="num mb-1 block min-h-10 text-base">
      {fireCount === 0 ? (
        <>
          Would <b className="font-semibold">not have fired</b> in the last {daysText(days)}.
        </>
      ) : (
        <>
          Would have fired{' '}
          <b className="font-semibold">
            {fireCount} {fireCount === 1 ? 'time' : 'times'}
          </b>{' '}
          in the last {daysText(days)}
          {perWeek !== null && !few && (
            <>
              , about <b className="font-semibold">{perWeek < 0.1 ? '< 0.1' : perWeek.toFixed(1)} per week</b>
            </>
          )}
          .
        </>
      )}
      {days < FULL_DAYS && (
        <span className="label block">{few ? `Too few days for a verdict. ${tooFew(days)}` : tooFew(days)}</span>
      )}
    </output>
  );
}

const VERDICTS = { higher: 'Higher than usual', lower: 'Lower than usual', 'no evidence': 'No evidence' } as const;
type Move = PreviewReply['after']['all'];

function Facts({ data: { longestSilenceDays, suppressed, after } }: { data: PreviewReply }) {
  return (
    <>
      <dl className="rule-pairs num mt-2 gap-x-6 gap-y-2 border-t border-line pt-2.5 text-sm">
        <Fact name="Longest gap">{longestSilenceDays === null ? '–' : daysText(longestSilenceDays)}</Fact>
        <Fact name="Suppressed" title="Crossings suppressed by margin, cooldown, hold time or schedule">
          {suppressed} {suppressed === 1 ? 'crossing' : 'crossings'}
        </Fact>
        <Fact name={`${after.asset}, 24h after firing`}>
          <MoveText move={after.fires} />
        </Fact>
        <Fact name={`${after.asset}, 24h on all days`}>
          <MoveText move={after.all} />
        </Fact>
      </dl>
      <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-3">
        <Badge tone={after.verdict === 'no evidence' ? 'plain' : 'accent'}>{VERDICTS[after.verdict]}</Badge>
        {after.verdict === 'no evidence'
          ? 'that the price moves differently after this alert than on other days.'
          : 'after this alert, over these days. Past performance may not repeat.'}
      </p>
    </>
  );
}

function Fact({ name, title, children }: { name: string; title?: string; children: React.ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3" title={title}>
      <dt className="text-ink-3">{name}</dt>
      <dd className="text-right font-medium">{children}</dd>
    </div>
  );
}

function MoveText({ move: { n, mean, low, high } }: { move: Move }) {
  if (mean === null) return <span className="text-ink-3">too few (n = {n})</span>;
  return (
    <>
      <Change value={mean} />{' '}
      <span className="text-2xs whitespace-nowrap text-ink-3">
        {low !== null && high !== null && `${percent(low, 1)} to ${percent(high, 1)}, `}n = {n}
      </span>
    </>
  );
}

type SuggestionsProps = { data: PreviewReply; measure: Measure; onValue: (value: number) => void };

function Suggestions({ data: { suggestions }, measure, onValue }: SuggestionsProps) {
  return (
    <p className="mt-3 flex flex-wrap gap-2">
      {WEEKLY.map((perWeek) => {
        const found = suggestions.find((each) => each.perWeek === perWeek);
        return (
          <Button
            key={perWeek}
            className="num max-sm:h-11 disabled:cursor-default disabled:opacity-60"
            disabled={!found}
            title={found ? undefined : 'No nearby level fires about this often'}
            onClick={() => found && onValue(found.value)}
          >
            <Bell className="size-3.5" aria-hidden="true" />
            About {perWeek} per week{found && `: ${measureText(found.value, measure)}`}
          </Button>
        );
      })}
    </p>
  );
}
