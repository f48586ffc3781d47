import {
  type Asset,
  HORIZON_DAYS,
  HORIZONS,
  type Horizon,
  type Outcome,
  type Probabilities,
} from '#features/predictions/contract.ts';
import { type WindowOutcomes, windowsOf } from '#features/predictions/server/service.ts';

import { FEATURES, type Past, type Reading, readingsOf } from './features.ts';
import { fitOrderedLogit, type OrderedLogit, predict } from './ordered-logit.ts';

/** The trailing year that the fit looks at. */
const FIT_DAYS = 365;
/** Fewer past windows say nothing beyond how often each class came. */
const LEAST_WINDOWS = 120;
/** Prior precision of a weight: about a tenth of a logit per standard deviation is plausible, a whole one is not. */
const RIDGE = 100;
/** Independent windows at which the fit counts as much as climatology. */
const HALF_TRUST = 400;
/** Five assets of correlation 0.7 with the same call are worth about this many independent ones a date. */
const ASSETS_WORTH = 1.68;
const CLASS: Record<Outcome, number> = { down: 0, flat: 1, up: 2 };

export type Contribution = {
  feature: number;
  /** Standard deviations of its own past. */
  value: number;
  /** In the unit people know; null where not known. */
  raw: number | null;
  /** On the logit of a higher class. */
  effect: number;
};

export type LocalCall = { probabilities: Probabilities; contributions: Contribution[] };

export type Fit = { model: OrderedLogit | null; trust: number };
export type Fits = Record<Horizon, Fit>;

export type AssetPast = { asset: Asset; past: Past };

type Prepared = { asset: Asset; readings: Map<string, Reading>; days: string[]; windows: WindowOutcomes };

const prepare = ({ asset, past }: AssetPast): Prepared => ({
  asset,
  readings: readingsOf(past),
  days: past.closes.map(({ day }) => day),
  windows: windowsOf(past.closes.map(({ day, value }) => ({ day, close: value }))),
});

/** Fits one ordered logistic per horizon on every window of the trailing year that has ended; all assets share its weights. */
export function fitAll(pasts: readonly AssetPast[]): Fits {
  const prepared = pasts.map(prepare);
  return Object.fromEntries(HORIZONS.map((horizon) => [horizon, fitOne(prepared, horizon)])) as Fits;
}

function fitOne(prepared: readonly Prepared[], horizon: Horizon): Fit {
  const length = HORIZON_DAYS[horizon];
  const rows: Float64Array[] = [];
  const classes: number[] = [];
  for (const { readings, days, windows } of prepared) {
    const outcomes = windows(length);
    const last = days.length - 1 - length;
    for (let i = Math.max(0, last - FIT_DAYS + 1); i <= last; i++) {
      const reading = readings.get(days[i] ?? '');
      const outcome = outcomes.get(days[i] ?? '');
      if (!reading || !outcome) continue;
      rows.push(reading.row);
      classes.push(CLASS[outcome]);
    }
  }
  if (rows.length < LEAST_WINDOWS) return { model: null, trust: 0 };
  const independent = (rows.length / prepared.length / length) * ASSETS_WORTH;
  // Windows that overlap tell the same story again: the prior weighs as much more.
  const ridge = RIDGE * (rows.length / independent);
  return {
    model: fitOrderedLogit(rows, Uint8Array.from(classes), FEATURES.length, ridge),
    trust: independent / (independent + HALF_TRUST),
  };
}

/** What the fit says of a reading, shrunk to climatology, and what moved it. */
export function callOf(fit: Fit, { row, raw }: Reading, climatology: Probabilities): LocalCall {
  if (!fit.model) return { probabilities: climatology, contributions: [] };
  const [down, flat, up] = predict(fit.model, row);
  const mix = (own: number, other: number) => fit.trust * own + (1 - fit.trust) * other;
  const contributions = fit.model.weights.map((weight, feature): Contribution => {
    const value = row[feature] ?? 0;
    return { feature, value, raw: raw[feature] ?? null, effect: weight * value };
  });
  return {
    probabilities: {
      up: mix(up, climatology.up),
      flat: mix(flat, climatology.flat),
      down: mix(down, climatology.down),
    },
    contributions: contributions.toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect)),
  };
}
