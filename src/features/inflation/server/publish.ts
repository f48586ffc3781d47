import { setImmediate } from 'node:timers/promises';
import type {
  InflationExpectations,
  InflationForecasts,
  InflationSentimentReply,
  LatestInflation,
} from '#features/inflation/contract.ts';
import type { ReadModel } from '#kernel/read-model.ts';
import type { Inflation } from './service.ts';

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
