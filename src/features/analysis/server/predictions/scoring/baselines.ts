import {
  HORIZON_DAYS,
  type Horizon,
  type Outcome,
  type Probabilities,
} from '#features/analysis/contract/predictions.ts';

import { type DailyClose, dailyVolatility, denseCloses, flatBand, outcomeOf } from './volatility.ts';

/** `n` past windows stand behind the probabilities; with fewer than 30 they are uniform. */
export type Frequencies = { probabilities: Probabilities; n: number };
export type Persistence = Frequencies & { last: Outcome | null };
export type Baselines = { climatology: Frequencies; persistence: Persistence };

export const UNIFORM: Probabilities = { up: 1 / 3, flat: 1 / 3, down: 1 / 3 };
export const ALWAYS_UP: Probabilities = { up: 1, flat: 0, down: 0 };

const TRAILING_DAYS = 365;
const FEWEST_WINDOWS = 30;

/** Laplace's rule of succession for three classes: (k + 1) / (n + 3). */
function frequencies(outcomes: readonly Outcome[]): Frequencies {
  const n = outcomes.length;
  if (n < FEWEST_WINDOWS) return { probabilities: UNIFORM, n };
  const counts = { up: 0, flat: 0, down: 0 };
  for (const outcome of outcomes) counts[outcome]++;
  const share = (count: number) => (count + 1) / (n + 3);
  return { probabilities: { up: share(counts.up), flat: share(counts.flat), down: share(counts.down) }, n };
}

/** The outcome of the window that starts at each day, by the band known at that day; null while it has not ended. */
function windowOutcomes(closes: Float64Array, days: number): (Outcome | null)[] {
  const volatility = dailyVolatility(closes);
  return Array.from(closes, (close, start) => {
    const r = Math.log((closes[start + days] ?? Number.NaN) / close);
    const band = flatBand((volatility[start] as number) * Math.sqrt(days));
    return Number.isNaN(r) || Number.isNaN(band) ? null : outcomeOf(r, band);
  });
}

/**
 * What the past alone says at the last close. Only windows count that had ended by then, and no longer than 365 days
 * ago. Climatology (Murphy 1992) is how often each class came. Persistence looks at the class of the window that ended
 * last, and gives how often each class came next whenever the window before had that same class.
 */
export function baselines(closes: readonly DailyClose[], horizon: Horizon): Baselines {
  const days = HORIZON_DAYS[horizon];
  const dense = denseCloses(closes);
  const outcomes = windowOutcomes(dense, days);
  const latest = dense.length - 1 - days;
  const last = outcomes[latest] ?? null;
  const all: Outcome[] = [];
  const afterLast: Outcome[] = [];
  for (let start = Math.max(0, latest - TRAILING_DAYS + 1); start <= latest; start++) {
    const outcome = outcomes[start];
    if (!outcome) continue;
    all.push(outcome);
    if (last && outcomes[start - days] === last) afterLast.push(outcome);
  }
  return { climatology: frequencies(all), persistence: { ...frequencies(afterLast), last } };
}
