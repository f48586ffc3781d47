import { setImmediate } from 'node:timers/promises';

import type {
  InflationExpectations,
  InflationForecasts,
  InflationSentimentReply,
  LatestInflation,
} from '#features/inflation/contract.ts';
import type { ReadModel } from '#kernel/read-model.ts';

import { computeLevels, type Levels } from './service/rates.ts';
import type { Inflation } from './service.ts';
import type { Commentary, StoredExpected, StoredForecast, Vintage } from './types.ts';

/** All stored rows, indexed for reading at a moment. */
export type View = {
  levels: Levels;
  vintages: readonly Vintage[];
  expectations: readonly StoredExpected[];
  forecasts: readonly StoredForecast[];
  commentary: Commentary | null;
};

export const createView = (parts: Omit<View, 'levels'>): View => ({ ...parts, levels: computeLevels(parts.vintages) });

export const EMPTY: View = createView({ vintages: [], expectations: [], forecasts: [], commentary: null });

/** The view as of a moment: without anything published, expected or forecast later. */
export function viewAt({ vintages, expectations, forecasts }: View, moment: Date): Omit<View, 'commentary'> {
  const isThen = (iso: string) => Date.parse(iso) <= moment.getTime();
  const then = vintages.filter(({ published_at }) => isThen(published_at));
  return {
    levels: computeLevels(then),
    vintages: then,
    expectations: expectations.filter(({ as_of }) => isThen(as_of)),
    forecasts: forecasts.filter(({ issued_at }) => isThen(issued_at)),
  };
}

type ExpectedKey = Pick<StoredExpected, 'type' | 'measure' | 'period' | 'kind'>;
const expectedKey = ({ type, measure, period, kind }: ExpectedKey) => `${type} ${measure} ${period} ${kind}`;

/** Alerts look up every release at each evaluation: a linear search took a tenth of the demo's first minutes. */
const grouped = new WeakMap<View['expectations'], Map<string, StoredExpected[]>>();

/** The last expectation before a moment, of one kind. */
export function findExpected({ expectations }: View, what: ExpectedKey, before: Date): StoredExpected | undefined {
  const groups = grouped.get(expectations) ?? Map.groupBy(expectations, expectedKey);
  grouped.set(expectations, groups);
  return groups.get(expectedKey(what))?.findLast(({ as_of }) => Date.parse(as_of) < before.getTime());
}

export type InflationModels = {
  inflationLatest: ReadModel<LatestInflation>;
  inflationForecasts: ReadModel<InflationForecasts>;
  inflationExpectations: ReadModel<InflationExpectations>;
  inflationSentiment: ReadModel<InflationSentimentReply>;
};

/** Rebuilds every response, yielding to requests in between. */
export async function publishInflation(inflation: Inflation, models: InflationModels): Promise<void> {
  await models.inflationLatest.publish(inflation.latest());
  await setImmediate();
  await models.inflationForecasts.publish(inflation.forecasts());
  await setImmediate();
  await models.inflationExpectations.publish(inflation.expectations());
  await models.inflationSentiment.publish(inflation.sentiment());
}
