import { hasOrigin } from '#shared/figures.ts';
import { cx } from '#web/ui/cx.ts';
import { dayOf } from '#web/ui/day.ts';
import { Figure } from '#web/ui/figure.tsx';
import { useNow } from '#web/ui/now.ts';

import type { Expectation, Expectations, Indicator, LatestInflation } from '../contract.ts';
import { RateChart } from './rate-chart.tsx';
import { type Line, Rates } from './rates.tsx';
import { daysTo, monthOf, NAMES, points, rate, surpriseTone } from './words.ts';

type Props = {
  id: Indicator;
  /** Null when the call failed. */
  latest: LatestInflation | null;
  expectations: Expectations | null;
  /** It came out within the last week. */
  isNew: boolean;
};

/** One price index: where it stands, how it got there, and when the next figure comes. */
export function IndicatorPanel({ id, latest, expectations, isNew }: Props) {
  const { short, long } = NAMES[id];
  const print = latest && printOf(id, latest);
  if (!latest || !print)
    return (
      <section aria-label={short} className="grid min-h-36 place-items-center bg-surface px-4 py-3 text-center">
        <p className="text-sm text-ink-2">{short} data temporarily unavailable</p>
      </section>
    );
  const { yoy, date, period, lines } = print;
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
          <Figure meta={yoy.meta} name={`${short}, year over year`} stale="chip">
            {yoy.value !== null && rate(yoy.value)}
          </Figure>
        </div>
        <RateChart name={short} points={latest.history[id] ?? []} />
      </div>
      <p className="label">
        Year over year{yoy.adjusted && ', SA'}
        {period && `, ${monthOf(period)}`}
        {date && `, released ${dayOf(date)}`}
        {yoy.meta && !hasOrigin(yoy.meta) && `. ${yoy.meta.reason}.`}
      </p>
      <Rates of={short} lines={lines.map((line) => ({ ...line, expected: expectedOf(id, line.name, expectations) }))} />
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

/** Producer prices have a consensus of the yearly rate too, where a source gives it. */
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

/** The fields of an indicator by what they are; their names on the wire differ. */
function printOf(id: Indicator, latest: LatestInflation): Print | null {
  if (id === 'cpi' && latest.cpi)
    return print(latest.cpi, ['cpiMoM', 'cpiYoY'], ['coreCPIMoM', 'coreCPIYoY'], latest.cpi);
  if (id === 'pce' && latest.pce)
    return print(latest.pce, ['pceMoM', 'pceYoY'], ['corePCEMoM', 'corePCEYoY'], latest.pce);
  if (id === 'ppi' && latest.ppi)
    return print(latest.ppi, ['ppiMoM', 'ppiYoY'], ['corePPIMoM', 'corePPIYoY'], latest.ppi);
  return null;
}

type Facts = Pick<NonNullable<LatestInflation['cpi']>, 'date' | 'period' | 'basis' | 'meta'>;

function print<K extends string>(
  numbers: Record<K, number | null>,
  headline: readonly [mom: K, yoy: K],
  core: readonly [mom: K, yoy: K],
  { date, period, basis, meta }: Facts,
): Print {
  const line = (name: string, [mom, yoy]: readonly [K, K]) => ({
    name,
    mom: numbers[mom],
    momMeta: meta[mom],
    yoy: numbers[yoy],
    yoyMeta: meta[yoy],
    adjusted: basis[yoy] === 'SA',
  });
  const lines = [line(HEADLINE, headline), line('Core', core)] as const;
  const [{ yoy: value, yoyMeta, adjusted }] = lines;
  return { yoy: { value, meta: yoyMeta, adjusted }, date, period, lines: [...lines] };
}

const expectedOf = (id: Indicator, name: string, expectations: Expectations | null) =>
  expectations && expectations[id][name === HEADLINE ? 'headline' : 'core'];
