import { useState } from 'react';

import { percent } from '#shared/format.ts';
import { dayOf } from '#web/ui/day.ts';

import type { Forecast, ForecastEntry, ForecastScore } from '../contract.ts';
import { Heads } from './heads.tsx';
import type { Inflation } from './queries.ts';
import { monthOf, NAMES, rate } from './words.ts';

/** What is expected of the next CPI and PCE, by whom, and how each of them did so far. */
export function Forecasts({ forecasts }: { forecasts: Inflation['forecasts'] }) {
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
  const { forecast_data: data, entries, scores, past } = forecast;
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
            data && 'a month',
            forecast.period && monthOf(forecast.period),
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
            {open ? 'less' : 'who and how good'}
            <span className="sr-only"> of {short}</span>
          </button>
        )}
      </p>
      {open && <Forecasters of={short} entries={entries} scores={scores} past={past} />}
    </div>
  );
}

type ForecastersProps = {
  of: string;
  entries: readonly ForecastEntry[];
  scores: readonly ForecastScore[];
  past: readonly ForecastEntry[];
};

const error = (value: number | null) => (value === null ? '–' : value.toFixed(2));
const LAST = 6;

function Forecasters({ of, entries, scores, past }: ForecastersProps) {
  const names = [...new Set([...entries, ...scores].map(({ forecaster }) => forecaster))];
  return (
    <div className="mt-1.5 grid gap-2 overflow-x-auto">
      <table className="num w-full">
        <caption className="pb-1 text-left">
          Mean absolute error on first prints of {of}, in percentage points. A yardstick counts the months in which it
          was known.
        </caption>
        <Heads names={['Forecaster', 'Says', 'n', 'Error', 'Consensus', 'Nowcast', 'Last value']} />
        <tbody>
          {names.map((id) => {
            const entry = entries.find(({ forecaster }) => forecaster === id);
            const score = scores.find(({ forecaster }) => forecaster === id);
            return (
              <tr key={id} className="border-t border-line text-right">
                <th scope="row" className="py-1 text-left font-medium text-ink">
                  {entry?.name ?? score?.name}
                </th>
                <td className="px-1">{entry ? percent(entry.prediction) : '–'}</td>
                <td className="px-1">{score?.n ?? 0}</td>
                <td className="font-semibold">{error(score?.mae ?? null)}</td>
                <td className="px-1">{error(score?.mae_consensus ?? null)}</td>
                <td className="px-1">{error(score?.mae_nowcast ?? null)}</td>
                <td className="px-1">{error(score?.mae_last_value ?? null)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {past.length > 0 && (
        <ul aria-label={`Past forecasts of ${of}`} className="num grid gap-0.5">
          {past.slice(0, LAST).map(({ id, name, period, prediction, actual }) => (
            <li key={id}>
              {monthOf(period)}: {name} said {percent(prediction)}
              {actual !== null && `, it was ${rate(actual)}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
