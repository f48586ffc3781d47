import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { horizon, probabilities, symbol, trackCell } from './predictions.ts';

const NAME = /^[a-z][a-z0-9-]{1,28}[a-z0-9]$/;
/** The public name of a forecaster, also used in URLs. */
export const forecasterName = z
  .string()
  .check(
    z.regex(
      NAME,
      'Names must have 3 to 30 characters (a-z, 0-9, hyphens), start with a letter and not end with a hyphen',
    ),
  );

/** USD, at the end of the horizon. */
const range = z
  .object({ low: z.number().check(z.positive()), high: z.number().check(z.positive()) })
  .check(z.refine(({ low, high }) => low < high, '"low" must be below "high"'));

/** A forecast for one asset at one horizon. Both ranges or none; the 95% range contains the 80% range. */
const forecast = z
  .object({ asset: symbol, horizon, probabilities, range_80: z.optional(range), range_95: z.optional(range) })
  .check(
    z.refine(
      ({ range_80: inner, range_95: outer }) =>
        inner && outer ? outer.low <= inner.low && inner.high <= outer.high : !inner && !outer,
      'Provide both ranges or neither; the 95% range must contain the 80% range',
    ),
  );

const MOST_FORECASTS = 20;
/** One forecast per asset and horizon. */
export const forecasts = z.object({
  /** Public name. The first submission claims it for the account. */
  forecaster: forecasterName,
  forecasts: z.array(forecast).check(
    z.minLength(1),
    z.maxLength(MOST_FORECASTS),
    z.refine(
      (all) => new Set(all.map((each) => `${each.asset} ${each.horizon}`)).size === all.length,
      'Each asset and horizon may appear once',
    ),
  ),
});

/** Frozen forecasts of a submission. */
export const frozenForecasts = z.object({
  forecaster: z.string(),
  issued_at: z.iso.datetime(),
  forecasts: z.array(
    z.object({
      /** Its entry in the ledger. */
      seq: z.int(),
      /** SHA-256 of the entry, hex. */
      hash: z.string(),
      asset: symbol,
      horizon,
      /** USD, at issue. */
      price: z.number(),
      resolves_at: z.iso.datetime(),
    }),
  ),
});

/** Effect on the equally weighted pool of the league, over forecasts that others also made that day. */
const contribution = z.object({
  n: z.int(),
  /** Mean Brier score of the pool without the forecaster, minus with the forecaster; above 0 improves the pool. */
  gain: z.number(),
});

/** A forecaster at one horizon. `ahead` and `behind` after Holm's correction over every tested cell of the league. */
export const leagueCell = z.extend(trackCell, { contribution: z.nullable(contribution) });
export type LeagueCell = z.infer<typeof leagueCell>;

const forecaster = z.object({
  name: z.string(),
  /** `provider` of the calls in the ledger, such as `league:12`. */
  track: z.string(),
  joined_at: z.iso.datetime(),
  /** All forecasts, and those not graded yet. */
  forecasts: z.int(),
  open: z.int(),
});

/** `cell` holds the scores at the requested horizon; null before the first graded forecast. */
const leagueRow = z.extend(forecaster, {
  cell: z.nullable(
    z.pick(leagueCell, {
      verdict: true,
      p_ahead: true,
      n: true,
      dates: true,
      n_eff: true,
      brier: true,
      brier_climatology: true,
      brier_persistence: true,
      brier_uniform: true,
      skill: true,
      ranges: true,
      contribution: true,
    }),
  ),
});
export type LeagueRow = z.infer<typeof leagueRow>;

/** Ranked: ahead first, then by skill with at least 60 independent dates, then by dates. */
export const getLeague = endpoint({
  method: 'GET',
  path: '/api/league',
  access: 'public',
  query: z.object({ horizon: z._default(horizon, '24h') }),
  reply: z.object({
    timestamp: z.iso.datetime(),
    horizon,
    /** All forecasters; the list has the first 100. */
    total: z.int(),
    forecasters: z.array(leagueRow),
  }),
});
export type League = z.infer<typeof getLeague.reply>;

export const getForecaster = endpoint({
  method: 'GET',
  path: '/api/league/:name',
  access: 'public',
  params: z.object({ name: z.string().check(z.maxLength(30)) }),
  reply: z.object({
    timestamp: z.iso.datetime(),
    forecaster,
    /** When the cells were computed, from the ledger up to this entry; null before the first graded forecast. */
    scored_at: z.nullable(z.iso.datetime()),
    scored_through: z.nullable(z.int()),
    /**
     * The newest entry that any cell of the league counts: verdicts and contributions derive from the ledger up to it.
     */
    league_through: z.nullable(z.int()),
    cells: z.array(leagueCell),
  }),
});
export type Forecaster = z.infer<typeof getForecaster.reply>;
