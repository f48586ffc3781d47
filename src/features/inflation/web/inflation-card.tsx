import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Forecast,
  type ForecastEntry,
  type ForecastScore,
  INDICATORS,
  type LatestInflation,
} from '#features/inflation/contract.ts';
import { percent } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import type { CardPlace } from '#ui/card-frame.tsx';
import { cx } from '#ui/cx.ts';
import { dayOf } from '#ui/day.ts';
import { newestObservation } from '#ui/figure-age.ts';
import { Fresh } from '#ui/fresh.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { IndicatorPanel } from './indicator-panel.tsx';
import { daysTo, monthName, NAMES, rate } from './labels.ts';
import { type Inflation, inflationAtQuery, inflationQuery } from './queries.ts';
import { Heads, Reading } from './rates.tsx';

const RELEASES_SHOWN = 4;
const MINUS = '\u2212';

const size = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
const signed = (value: number | null): string => {
  if (value === null) return '–';
  const text = Math.abs(value).toFixed(2);
  if (Number(text) === 0) return text;
  return `${value < 0 ? MINUS : '+'}${text}`;
};

/** Record of each forecaster beside the benchmarks, and forecasts of the last releases. */
function ForecastRecord({ of, forecast: { scores, past } }: { of: string; forecast: Forecast }) {
  return (
    <div className="mt-1.5 grid gap-2 overflow-x-auto">
      <table className="num w-full">
        <caption className="pb-1 text-left">
          Mean absolute error against first releases of {of}, in percentage points, over the n months each forecaster
          covered. Below each number is its 99% interval, from eight months on; “ahead” of or “behind” the last value
          needs 60.
        </caption>
        <Heads names={['Forecaster', 'Forecast', 'n', 'Error', 'Vs. last value']} />
        <tbody>
          {scores.map((score) => (
            <Score key={score.forecaster} score={score} />
          ))}
        </tbody>
      </table>
      {past.length > 0 && <Past of={of} past={past} />}
    </div>
  );
}

const TONES = { ahead: 'text-up', behind: 'text-down', 'no evidence': 'text-ink-3', 'too few': 'text-ink-3' } as const;

function Score({ score: { name, yardstick, says, n, mae, low, high, skill } }: { score: ForecastScore }) {
  return (
    <tr className="border-t border-line text-right align-top">
      <th scope="row" className={cx('py-1 text-left font-medium', yardstick ? 'text-ink-2' : 'text-ink')}>
        {name}
      </th>
      <td className="px-1 py-1">{says === null ? '–' : percent(says)}</td>
      <td className="px-1 py-1">{n}</td>
      <td className="px-1 py-1">
        <b className="font-semibold">{size(mae)}</b>
        {low !== null && high !== null && (
          <span className="block text-2xs whitespace-nowrap text-ink-3">
            {size(low)} to {size(high)}
          </span>
        )}
      </td>
      <td className="py-1">
        {skill ? (
          <>
            {signed(skill.difference)} <span className={TONES[skill.verdict]}>{skill.verdict}</span>
            {skill.low !== null && skill.high !== null && (
              <span className="block text-2xs whitespace-nowrap text-ink-3">
                {signed(skill.low)} to {signed(skill.high)}
              </span>
            )}
          </>
        ) : (
          '–'
        )}
      </td>
    </tr>
  );
}

function Past({ of, past }: { of: string; past: readonly ForecastEntry[] }) {
  const releases = [...Map.groupBy(past, ({ period }) => period)].slice(0, RELEASES_SHOWN);
  return (
    <ul aria-label={`Past forecasts of ${of}`} className="num grid gap-0.5">
      {releases.map(([period, said]) => {
        const actual = said[0]?.actual ?? null;
        return (
          <li key={period}>
            <b className="font-medium text-ink">
              {monthName(period)}, {actual === null ? 'not graded' : `actual ${rate(actual)}`}
            </b>
            : {said.map(({ name, prediction }) => `${name} ${percent(prediction)}`).join(', ')}
          </li>
        );
      })}
    </ul>
  );
}

/** Forecasts of the next CPI and PCE by forecaster, with their record. */
function Forecasts({ forecasts }: { forecasts: Inflation['forecasts'] }) {
  return (
    <section aria-label="Forecasts" className="grid content-start gap-3">
      <h3 className="label">Forecasts, frozen before each release</h3>
      {forecasts ? (
        <>
          <Next id="cpi" forecast={forecasts.cpi} />
          <Next id="pce" forecast={forecasts.pce} />
        </>
      ) : (
        <p className="text-sm text-ink-2">Forecast data unavailable</p>
      )}
    </section>
  );
}

function Next({ id, forecast }: { id: 'cpi' | 'pce'; forecast: Forecast }) {
  const [open, setOpen] = useState(false);
  const { short } = NAMES[id];
  const { forecast_data: data, entries, past } = forecast;
  return (
    <div className="text-xs text-ink-2">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <b className="text-sm font-semibold text-ink">{short}</b>
        {data ? (
          <span className="num text-base font-semibold text-ink">
            {data.prediction === null ? 'N/A' : percent(data.prediction)}
          </span>
        ) : (
          <span>No forecast available</span>
        )}
        <span className="num">
          {[
            [data && 'MoM', forecast.period && monthName(forecast.period)].filter(Boolean).join(' for '),
            forecast.release_date && `due ${dayOf(forecast.release_date)}`,
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
        {(entries.length > 0 || past.length > 0) && (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="relative font-medium text-accent after:absolute after:-inset-x-2 after:-inset-y-1.5 hover:underline"
          >
            {open ? 'Hide forecasters' : 'Forecasters and their records'}
            <span className="sr-only"> of {short}</span>
          </button>
        )}
      </p>
      {open && <ForecastRecord of={short} forecast={forecast} />}
    </div>
  );
}

export type InflationCardProps = CardPlace & {
  /** A past moment is shown. */
  asOf: string | null;
};

/** Consumer, consumption and producer prices, with expectations and interpretation. */
export function InflationCard({ asOf, ...card }: InflationCardProps) {
  const now = useQuery({ ...inflationQuery, enabled: asOf === null });
  const then = useQuery({ ...inflationAtQuery(asOf ?? ''), enabled: asOf !== null });
  const query = asOf === null ? now : then;
  return (
    <QueryView query={query} card={card} failed="Failed to fetch inflation data">
      {(data) => <Loaded card={card} data={data} />}
    </QueryView>
  );
}

function Loaded({ card, data }: { card: CardPlace; data: Inflation }) {
  const { latest, releases, reading, forecasts } = data;
  const expectations = data.expectations ?? latest?.expectations ?? null;
  const newest =
    latest && newestObservation([latest.cpi, latest.pce, latest.ppi].flatMap((of) => Object.values(of?.meta ?? {})));
  return (
    <Card
      {...card}
      note={
        <div className="flex items-center gap-2">
          {newest && <Fresh {...newest} />}
          {latest && <Coming next={latest.next} />}
        </div>
      }
    >
      <div className="grid gap-px border-y border-line bg-line xl:grid-cols-3">
        {INDICATORS.map((id) => (
          <IndicatorPanel
            key={id}
            id={id}
            latest={latest}
            expectations={expectations}
            isNew={releases?.some(({ type }) => type.toLowerCase() === id) ?? false}
          />
        ))}
      </div>
      <div className="grid gap-x-8 gap-y-4 px-4 py-3 lg:grid-cols-2">
        <div className="grid content-start gap-3">
          <Reading reading={reading} />
          <Commentary latest={latest} />
        </div>
        <Forecasts forecasts={forecasts} />
      </div>
      {latest?.note && <p className="mt-auto border-t border-line px-4 py-2 text-xs text-ink-3">{latest.note}</p>}
    </Card>
  );
}

function Coming({ next }: Pick<LatestInflation, 'next'>) {
  const now = useNow();
  const first = next.toSorted((a, b) => a.date.localeCompare(b.date))[0];
  if (!first) return null;
  return (
    <Badge tone="accent">
      {NAMES[first.type].short} {daysTo(first.date, now)}
    </Badge>
  );
}

function Commentary({ latest }: { latest: LatestInflation | null }) {
  const ai = latest?.commentary.ai;
  if (ai)
    return (
      <p className="text-xs text-ink-2">
        {ai.text}{' '}
        <span className="text-ink-3">
          {ai.provider}, {ai.model}
        </span>
      </p>
    );
  const hasCommentary = latest && INDICATORS.some((id) => latest.commentary[id].length > 0);
  return hasCommentary ? null : <p className="text-xs text-ink-2">Inflation data analysis not available.</p>;
}
