import type {
  Expectation,
  Expectations,
  HistoryPoint,
  Indicator,
  LatestInflation,
  YearGap,
} from '#features/inflation/contract.ts';
import { hasOrigin } from '#shared/figures.ts';
import { percent } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import { dayOf } from '#ui/day.ts';
import { Figure } from '#ui/figure.tsx';
import { useNow } from '#ui/now.ts';
import { daysTo, monthName, NAMES, points, rate, surpriseTone } from './labels.ts';
import { type Line, Rates } from './rates.tsx';

const WIDTH = 160;
const HEIGHT = 44;
const PAD = 4;

/** Segments of the line between existing months. */
function pieces(points: readonly HistoryPoint[], x: (i: number) => number, y: (value: number) => number): string[][] {
  const lines: string[][] = [[]];
  for (const [i, { yoy }] of points.entries()) {
    if (yoy === null) lines.push([]);
    else lines.at(-1)?.push(`${x(i).toFixed(1)},${y(yoy).toFixed(1)}`);
  }
  return lines.filter((line) => line.length > 0);
}

/** Year-over-year rate of the last months. A missing month is a gap, never bridged. */
function RateChart({ name, points }: { name: string; points: readonly HistoryPoint[] }) {
  const known = points.flatMap(({ yoy }) => (yoy === null ? [] : [yoy]));
  const first = points.find(({ yoy }) => yoy !== null);
  const last = points.findLast(({ yoy }) => yoy !== null);
  if (!first || !last || known.length < 2) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const span = high - low || 1;
  const x = (i: number) => PAD + (i / (points.length - 1)) * (WIDTH - 2 * PAD);
  const y = (value: number) => HEIGHT - PAD - ((value - low) / span) * (HEIGHT - 2 * PAD);
  const gaps = points.filter(({ yoy }) => yoy === null).map(({ period }) => monthName(period));
  const label = `${name}, year over year: ${rate(first.yoy ?? 0)} in ${monthName(first.period)}, ${rate(last.yoy ?? 0)} in ${monthName(last.period)}, between ${rate(low)} and ${rate(high)}${gaps.length > 0 ? `; without ${gaps.join(', ')}` : ''}`;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="block w-full max-w-72 overflow-visible text-accent"
    >
      <title>{label}</title>
      <line x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} stroke="currentColor" opacity=".2" />
      {pieces(points, x, y).map((line) =>
        line.length === 1 ? (
          <circle key={line[0]} cx={line[0]?.split(',')[0]} cy={line[0]?.split(',')[1]} r="1.5" fill="currentColor" />
        ) : (
          <polyline
            key={line[0]}
            points={line.join(' ')}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinejoin="round"
            strokeLinecap="round"
          />
        ),
      )}
      <circle
        cx={x(points.lastIndexOf(last)).toFixed(1)}
        cy={y(last.yoy ?? 0).toFixed(1)}
        r="2.5"
        fill="currentColor"
      />
    </svg>
  );
}

type Props = {
  id: Indicator;
  /** Null when the request failed. */
  latest: LatestInflation | null;
  expectations: Expectations | null;
  /** Released within the last week. */
  isNew: boolean;
};

/** One price index: current figures, history, and the next release. */
export function IndicatorPanel({ id, latest, expectations, isNew }: Props) {
  const { short, long } = NAMES[id];
  const print = latest && toRelease(id, latest);
  if (!latest || !print)
    return (
      <section aria-label={short} className="grid min-h-36 place-items-center bg-surface px-4 py-3 text-center">
        <p className="text-sm text-ink-2">{short} data temporarily unavailable</p>
      </section>
    );
  const { yoy, date, period, lines } = print;
  const gap = lines[0]?.gap;
  return (
    <section aria-label={short} className="flex min-w-0 flex-col gap-2 bg-surface px-4 py-3">
      <div className="flex items-baseline justify-between gap-2">
        <h3 className="text-sm font-semibold">
          {short} <span className="font-normal text-ink-3">{long}</span>
        </h3>
        {isNew && <span className="text-2xs font-semibold text-accent">New</span>}
      </div>
      <div className="grid grid-cols-[auto_1fr] items-center gap-4">
        <div className="text-2xl font-semibold tracking-[-0.025em]">
          {gap?.newestYoY == null ? (
            <Figure meta={yoy.meta} name={`${short}, year over year`} page={`inflation.${id}_yoy`} stale="chip">
              {yoy.value !== null && rate(yoy.value)}
            </Figure>
          ) : (
            <Figure meta={gap.meta['newestYoY']} name={`${short}, latest yearly rate`}>
              {rate(gap.newestYoY)}
            </Figure>
          )}
        </div>
        <RateChart name={short} points={latest.history[id] ?? []} />
      </div>
      <p className="label">
        Year over year{yoy.adjusted && ', SA'}
        {(gap?.newestPeriod ?? period) && `, ${monthName(gap?.newestPeriod ?? period ?? '')}`}
        {date && `, released ${dayOf(date)}`}
        {yoy.meta && !hasOrigin(yoy.meta) && `. ${yoy.meta.reason}.`}
      </p>
      {gap && <AcrossGap short={short} period={period} line={lines[0]} gap={gap} />}
      <Rates
        of={short}
        lines={lines.map((line) => ({ ...line, expected: findExpected(id, line.name, expectations) }))}
      />
      {id === 'ppi' && expectations && <YearExpected expected={expectations.ppi.yoy} />}
      <NextRelease id={id} latest={latest} />
      {latest.commentary[id].length > 0 && (
        <ul className="grid list-disc gap-1 pl-4 text-xs text-ink-2 marker:text-ink-3">
          {latest.commentary[id].map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Gap = { short: string; period: string | null; line: Omit<Line, 'expected'> | undefined; gap: YearGap };

/** Shown for the newest month when its yearly rate cannot be computed. */
function AcrossGap({ short, period, line, gap }: Gap) {
  return (
    <div className="num flex flex-wrap gap-x-3 text-xs text-ink-2">
      {period && line && line.mom !== null && (
        <span>
          {monthName(period)}{' '}
          <Figure meta={line.momMeta} name={`${short}, month over month`} className="font-semibold">
            {percent(line.mom, 1)}
          </Figure>{' '}
          month over month
        </span>
      )}
      {gap.twoYearRate !== null && (
        <span>
          <Figure meta={gap.meta['twoYearRate']} name={`${short}, per year over two years`} className="font-semibold">
            {rate(gap.twoYearRate)}
          </Figure>{' '}
          per year over two years
        </span>
      )}
    </div>
  );
}

/** Producer prices also have a consensus for the yearly rate, if a source provides it. */
function YearExpected({ expected: { consensus, surprise, meta } }: { expected: Expectation }) {
  if (consensus === null) return null;
  return (
    <div className="num text-xs text-ink-2">
      Year expected{' '}
      <Figure meta={meta['consensus']} name="PPI, year over year, consensus">
        {rate(consensus)}
      </Figure>
      {surprise !== null && (
        <b className={cx('ml-2 font-semibold', surpriseTone(surprise))}>
          <Figure meta={meta['surprise']} name="PPI, year over year, surprise">
            {points(surprise)}
          </Figure>
        </b>
      )}
    </div>
  );
}

function NextRelease({ id, latest }: { id: Indicator; latest: LatestInflation }) {
  const now = useNow();
  const next = latest.next.find(({ type }) => type === id);
  if (!next) return null;
  return (
    <p className="num text-xs text-ink-2">
      Next <b className="font-semibold text-ink">{dayOf(next.date)}</b>, {next.date.slice(11, 16)} UTC,{' '}
      {daysTo(next.date, now)}
      {next.estimated && <span className="text-ink-3"> (estimated)</span>}
    </p>
  );
}

type Print = {
  yoy: { value: number | null; meta: Line['yoyMeta']; adjusted: boolean };
  date: string | null;
  period: string | null;
  lines: Omit<Line, 'expected'>[];
};

const HEADLINE = 'Headline';

/** An indicator's fields by meaning; their API names differ. */
function toRelease(id: Indicator, latest: LatestInflation): Print | null {
  if (id === 'cpi' && latest.cpi)
    return print(latest.cpi, ['cpiMoM', 'cpiYoY'], ['coreCPIMoM', 'coreCPIYoY'], latest.cpi);
  if (id === 'pce' && latest.pce)
    return print(latest.pce, ['pceMoM', 'pceYoY'], ['corePCEMoM', 'corePCEYoY'], latest.pce);
  if (id === 'ppi' && latest.ppi)
    return print(latest.ppi, ['ppiMoM', 'ppiYoY'], ['corePPIMoM', 'corePPIYoY'], latest.ppi);
  return null;
}

type Facts = Pick<NonNullable<LatestInflation['cpi']>, 'date' | 'period' | 'basis' | 'gaps' | 'meta'>;

function print<K extends string>(
  numbers: Record<K, number | null>,
  headline: readonly [mom: K, yoy: K],
  core: readonly [mom: K, yoy: K],
  { date, period, basis, gaps, meta }: Facts,
): Print {
  const line = (name: string, [mom, yoy]: readonly [K, K]) => ({
    name,
    mom: numbers[mom],
    momMeta: meta[mom],
    yoy: numbers[yoy],
    yoyMeta: meta[yoy],
    adjusted: basis[yoy] === 'SA',
    gap: gaps[yoy],
  });
  const lines = [line(HEADLINE, headline), line('Core', core)] as const;
  const [{ yoy: value, yoyMeta, adjusted }] = lines;
  return { yoy: { value, meta: yoyMeta, adjusted }, date, period, lines: [...lines] };
}

const findExpected = (id: Indicator, name: string, expectations: Expectations | null) =>
  expectations && expectations[id][name === HEADLINE ? 'headline' : 'core'];
