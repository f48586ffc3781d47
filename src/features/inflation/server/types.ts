import type { Indicator } from '#features/inflation/contract.ts';
import type { Config } from '#kernel/config.ts';
import type { SourceClient } from '#kernel/http/http-client.ts';
import type { Method } from '#shared/provenance.ts';
import type { UsSeries } from '#shared/us-series.ts';

/** The level of one month from a source; null when the source reports none. */
export type IndexValue = {
  series: string;
  period: string;
  value: number | null;
  /** The day in New York from which it was the published value, if the source states it. */
  publishedOn?: string;
};

export type Vintage = {
  series: string;
  period: string;
  value: number | null;
  published_at: string;
  first_print: boolean;
  source: string;
  fetched_at: string;
  method: Method;
};

export type Measure = 'headline' | 'core' | 'yoy';
export type ExpectationKind = 'consensus' | 'nowcast';

export type Expected = {
  type: Indicator;
  measure: Measure;
  period: string;
  kind: ExpectationKind;
  /** Percent. */
  value: number;
  /** Start of the expectation. */
  as_of: string;
};
export type StoredExpected = Expected & { source: string; fetched_at: string; method: Method };

export type ReadContext = { now: Date; config: Config; signal: AbortSignal };

/** A source of index levels. Throws SourceError. */
export type IndexSource = {
  source: string;
  gives: (series: UsSeries) => boolean;
  /** Minimum interval, for sources with a daily quota. */
  restMs?: (config: Config) => number;
  read: (client: SourceClient, series: readonly UsSeries[], from: string, ask: ReadContext) => Promise<IndexValue[]>;
};

/** A source of expectations. */
export type ExpectationSource = {
  source: string;
  read: (client: SourceClient, ask: ReadContext) => Promise<Expected[]>;
};

export type Forecast = {
  type: 'cpi' | 'pce';
  period: string;
  forecaster: string;
  name: string;
  model: string | null;
  prediction: number;
  core: number | null;
  confidence: number | null;
  reasoning: string | null;
  issued_at: string;
  release_at: string;
  input_hash: string;
  method: Method;
};
export type StoredForecast = Forecast & { id: number };

export type Commentary = { subject: string; text: string; provider: string; model: string; at: string };
