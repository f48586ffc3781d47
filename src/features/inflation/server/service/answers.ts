import type { Forecast, InflationEarlier, InflationReading, LatestInflation } from '#features/inflation/contract.ts';
import type { DataMode } from '#shared/provenance.ts';
import { SHIPPED } from '#shared/us-series.ts';
import { SHIPPED_NAME, SHIPPED_SOURCE } from '../shipped.ts';
import type { View } from '../view.ts';
import { subjectOf } from './ask.ts';
import type { Naming } from './born.ts';
import { commentaryOf } from './commentary.ts';
import { expectationsOf } from './expected.ts';
import {
  comingReleases,
  historyOf,
  INDICATOR_ORDER,
  INDICATOR_PARTS,
  keyOf,
  releasesOf,
  summaryOf,
} from './indicators.ts';
import { monthName } from './rates.ts';
import { forecastOf } from './record.ts';
import { sentimentOf } from './sentiment.ts';

/** How the answers speak of what they hold. */
export type Telling = { mode: DataMode; consensusOn: boolean; nameOf: Naming };

const RELEASE_DAYS = 7;

export const figuresOf = (view: View, at: Date, nameOf: Naming) => ({
  cpi: summaryOf(view, 'cpi', at, nameOf) as LatestInflation['cpi'],
  pce: summaryOf(view, 'pce', at, nameOf) as LatestInflation['pce'],
  ppi: summaryOf(view, 'ppi', at, nameOf) as LatestInflation['ppi'],
});

function noteOf({ vintages }: View, at: Date, mode: DataMode): string | null {
  const through = monthName(SHIPPED.through);
  if (mode === 'demo')
    return `CPI, core CPI, core PCE and PPI up to ${through} are true figures (${SHIPPED_NAME}); later ones and all other series are simulated.`;
  const isOld = !vintages.some(({ source, published_at }) => source !== SHIPPED_SOURCE && new Date(published_at) <= at);
  return isOld
    ? `No source has answered yet: these are the figures that ship with the product, up to ${through} (${SHIPPED_NAME}).`
    : null;
}

export function latestOf(view: View, at: Date, telling: Telling): LatestInflation {
  const newest = figuresOf(view, at, telling.nameOf);
  const { commentary } = view;
  const ai = commentary && commentary.subject === subjectOf(newest) ? commentary : null;
  return {
    timestamp: at.toISOString(),
    ...newest,
    expectations: expectationsOf(view, at, telling),
    commentary: {
      ...commentaryOf(newest),
      ai: ai && { text: ai.text, provider: ai.provider, model: ai.model, at: ai.at },
    },
    history: Object.fromEntries(
      INDICATOR_ORDER.flatMap((type) =>
        INDICATOR_PARTS.map((part) => [keyOf(type, part), historyOf(view, type, part, at)]),
      ),
    ),
    next: comingReleases(at),
    note: noteOf(view, at, telling.mode),
  };
}

export const forecastsOf = (view: View, at: Date): { cpi: Forecast; pce: Forecast } => ({
  cpi: forecastOf(view, 'cpi', at),
  pce: forecastOf(view, 'pce', at),
});

export const readingOf = (view: View, at: Date, telling: Telling): InflationReading =>
  sentimentOf(view, expectationsOf(view, at, telling), at);

/** The card of an earlier moment, from a view that holds nothing later. */
export function earlierOf(view: View, at: Date, telling: Telling): InflationEarlier {
  return {
    latest: latestOf(view, at, telling),
    releases: releasesOf(view, RELEASE_DAYS, at),
    forecasts: forecastsOf(view, at),
    expectations: expectationsOf(view, at, telling),
    reading: readingOf(view, at, telling),
  };
}
