import { useState } from 'react';

import { percent } from '#shared/format.ts';
import { dayOf } from '#web/ui/day.ts';

import type { Forecast } from '../contract.ts';
import { ForecastRecord } from './forecast-record.tsx';
import type { Inflation } from './queries.ts';
import { monthOf, NAMES } from './words.ts';

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
      {open && <ForecastRecord of={short} forecast={forecast} />}
    </div>
  );
}
