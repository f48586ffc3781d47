import { blockBootstrap, byDate, dieboldMariano, directionTest, holm } from './evidence.mjs';
import { poolOf, recalibrate } from './learned.mjs';
import { brierOf, calledBy, corp, independent, logScoreOf, mean, rpsOf, skillOf, spearman, wilson } from './scores.mjs';

const ASSETS = ['BTC', 'ETH', 'SOL', 'SUI', 'XRP'];
const HORIZON_DAYS = { '24h': 1, '7d': 7, '28d': 28, '180d': 180 };
const WORDS = { up: 'BULLISH', flat: 'NEUTRAL', down: 'BEARISH' };
const THIRD = { up: 1 / 3, flat: 1 / 3, down: 1 / 3 };
const UP = { up: 1, flat: 0, down: 0 };
const RECENT = 60;
const FEWEST_WINDOWS = 60;
const LEVEL = 0.05;
const isLong = (horizon) => HORIZON_DAYS[horizon] >= 28;

/** Calls with their outcomes, and absences. */
export function replay(entries) {
  const calls = new Map();
  const absences = new Map();
  for (const { seq, recorded_at: at, kind, body } of entries) {
    const told = JSON.parse(body);
    if (kind === 'call') calls.set(seq, { seq, ...told, outcome: null, realised: null, settledAt: null });
    else if (kind === 'missing') absences.set(told.analyst, (absences.get(told.analyst) ?? 0) + 1);
    else {
      // The return is computed from the two prices, and the class from the band, not taken from the entry.
      const call = calls.get(told.call);
      call.settledAt = at;
      call.realised = kind === 'void' ? null : Math.log(told.price.usd / call.price.usd);
      call.outcome = kind === 'void' ? 'void' : classOf(call.realised, call.band);
    }
  }
  return { calls: [...calls.values()], absences };
}

function classOf(realised, band) {
  if (Math.abs(realised) <= band) return 'flat';
  return realised > 0 ? 'up' : 'down';
}

/** League forecasts are not part of the product's record. */
export const isLeague = (analyst) => analyst.startsWith('league:');
export const isGraded = ({ outcome }) => outcome !== null && outcome !== 'void';
const isHit = ({ probabilities, outcome }) => calledBy(probabilities) === outcome;
const rateOf = (calls) => mean(calls.map((call) => (isHit(call) ? 1 : 0)));
const percentOf = (calls) => (calls.length === 0 ? null : (100 * calls.filter(isHit).length) / calls.length);
const correlate = (calls) =>
  spearman(
    calls.map(({ probabilities: { up, down } }) => up - down),
    calls.map(({ realised }) => realised),
  );
const trailing = (calls) => (calls.length < 10 ? null : correlate(calls));
const seriesOf = ({ analyst, asset, horizon }) => JSON.stringify([analyst, asset, horizon]);

/** The record of /api/backtest at a given time, from the entries alone. */
export function recordOf(entries, timestamp) {
  const { calls: all, absences } = replay(entries);
  const calls = all.filter(({ analyst }) => !isLeague(analyst));
  const graded = calls.filter((call) => isGraded(call) && call.analyst !== 'consensus');
  const series = Map.groupBy(graded, seriesOf);
  const correlations = [...series.values()].flatMap((own) => {
    const value = trailing(own);
    return value === null ? [] : [{ asset: own[0].asset, value }];
  });
  const cells = judge(cellsOf(calls, absences, timestamp));
  return {
    overall_accuracy: percentOf(graded),
    total_predictions: graded.length,
    average_correlation: mean(correlations.map(({ value }) => value)),
    by_symbol: Object.fromEntries(
      ASSETS.map((asset) => {
        const own = graded.filter((call) => call.asset === asset);
        const values = correlations.filter((each) => each.asset === asset).map(({ value }) => value);
        return [asset, { totalPredictions: own.length, accuracy: percentOf(own), avgCorrelation: mean(values) }];
      }),
    ),
    recent_results: recentOf(graded, series),
    headline: cells.filter(({ n }) => n > 0).toSorted((a, b) => b.n_eff - a.n_eff || b.n - a.n)[0] ?? null,
    cells,
    pools: judgePools(
      Object.entries(HORIZON_DAYS).flatMap(([horizon, days]) => poolOf(graded, horizon, days, timestamp) ?? []),
    ),
  };
}

/** Weights are used where they are better after Holm correction over the horizons, with enough windows. */
function judgePools(pools) {
  const isTested = ({ shown, windows }) => !isLong(shown.horizon) && windows >= FEWEST_WINDOWS;
  const adjusted = holm(pools.map((pool) => (isTested(pool) ? pool.shown.p_better : null)));
  return pools.map(({ shown }, i) => ({ ...shown, used: (adjusted[i] ?? 1) < LEVEL }));
}

/** Holm correction over every cell, once for ahead and once for behind; then the verdict. */
export function judge(cells) {
  const of = (tail) => holm(cells.map(({ tails }) => tails?.[tail] ?? null));
  const [ahead, behind] = [of('ahead'), of('behind')];
  return cells.map((cell, i) => {
    const { tails, ...shown } = cell;
    const word = wordOf(cell.horizon, ahead[i], behind[i]);
    return { ...shown, p_ahead: tails && ahead[i], p_behind: tails && behind[i], verdict: word };
  });
}

export function wordOf(horizon, ahead, behind) {
  if (isLong(horizon)) return 'too few independent windows';
  if (ahead !== null && ahead < LEVEL) return 'ahead';
  return behind !== null && behind < LEVEL ? 'behind' : 'no evidence';
}

function recentOf(graded, series) {
  const newest = graded.toSorted((a, b) =>
    a.settledAt === b.settledAt ? b.seq - a.seq : a.settledAt < b.settledAt ? 1 : -1,
  );
  return newest.slice(0, RECENT).map((call) => ({
    seq: call.seq,
    crypto_symbol: call.asset,
    provider: call.analyst,
    model: call.model,
    horizon: call.horizon,
    issued_at: call.issuedAt,
    resolved_at: call.settledAt,
    probabilities: call.probabilities,
    predicted_direction: WORDS[calledBy(call.probabilities)],
    actual_direction: WORDS[call.outcome],
    realised: call.realised,
    accuracy: isHit(call) ? 100 : 0,
    correlation_score: trailing(series.get(seriesOf(call)).filter(({ seq }) => seq <= call.seq)),
  }));
}

/** In the order of the first call of each track, one cell for each horizon with calls. */
export function cellsOf(calls, absences, timestamp, fine) {
  const newestModel = new Map(calls.map(({ analyst, model }) => [analyst, model]));
  const tracks = Map.groupBy(calls, ({ analyst, model }) => JSON.stringify([analyst, model]));
  return [...tracks.values()].flatMap((track) => {
    const [{ analyst, model }] = track;
    const current = newestModel.get(analyst) === model;
    return Object.keys(HORIZON_DAYS).flatMap((horizon) => {
      const own = track.filter((call) => call.horizon === horizon);
      const missing = current ? (absences.get(analyst) ?? 0) * ASSETS.length : 0;
      return own.length === 0
        ? []
        : [{ provider: analyst, model, current, horizon, ...cellOf(own, horizon, timestamp, fine), missing }];
    });
  });
}

/** `fine` chooses the number of resamples from the first test. */
function cellOf(own, horizon, timestamp, fine = () => undefined) {
  const graded = own.filter(isGraded);
  const voids = own.filter(({ outcome }) => outcome === 'void').length;
  const days = HORIZON_DAYS[horizon];
  const lossOver = (reference) => (call) =>
    brierOf(call.probabilities, call.outcome) - brierOf(reference(call), call.outcome);
  const dates = byDate(
    graded,
    lossOver((call) => call.climatology),
  );
  const effective = independent(dates, days).length;
  const resamples = isLong(horizon) ? undefined : fine(dieboldMariano(dates, days));
  const testsAgainst = (reference) => {
    const differences = byDate(graded, lossOver(reference));
    return [dieboldMariano(differences, days), blockBootstrap(differences, days, resamples)];
  };
  const tests = isLong(horizon) ? null : testsAgainst((call) => call.climatology);
  const brierBy = (forecast) => mean(graded.map((call) => brierOf(forecast(call), call.outcome)));
  const brier = brierBy(({ probabilities }) => probabilities);
  const climatology = brierBy((call) => call.climatology);
  const persistence = brierBy((call) => call.persistence);
  const uniform = brierBy(() => THIRD);
  const curve = (event) =>
    corp(
      graded.map(({ probabilities }) => probabilities[event]),
      graded.map(({ outcome }) => outcome === event),
    );
  return {
    n: graded.length,
    dates: dates.length,
    n_eff: effective,
    pending: own.length - graded.length - voids,
    voids,
    void_rate: graded.length + voids > 0 ? voids / (graded.length + voids) : null,
    hit_rate: rateOf(graded),
    hit_interval: wilson(rateOf(graded), effective),
    brier,
    brier_climatology: climatology,
    brier_persistence: persistence,
    brier_always_up: brierBy(() => UP),
    brier_uniform: uniform,
    skill: skillOf(brier, climatology, persistence, uniform),
    rps: mean(graded.map(({ probabilities, outcome }) => rpsOf(probabilities, outcome))),
    log_score: mean(graded.map(({ probabilities, outcome }) => logScoreOf(probabilities, outcome))),
    rank_correlation: correlate(graded),
    tails:
      effective >= FEWEST_WINDOWS
        ? tailsOf(tests, [...testsAgainst((call) => call.persistence), ...testsAgainst(() => THIRD)])
        : null,
    difference: tests?.[1] ? { mean: tests[1].mean, low: tests[1].low, high: tests[1].high } : null,
    direction: directionTest(graded, days),
    ranges: rangesOf(graded),
    recalibrated: recalibrate(graded, days, timestamp),
    calibration: graded.length === 0 ? null : { up: curve('up'), down: curve('down') },
    assets: ASSETS.flatMap((asset) => {
      const rows = graded.filter((call) => call.asset === asset);
      if (rows.length === 0) return [];
      const score = mean(rows.map(({ probabilities, outcome }) => brierOf(probabilities, outcome)));
      const by = (forecast) => mean(rows.map((call) => brierOf(forecast(call), call.outcome)));
      const reference = by((call) => call.climatology);
      return [
        {
          symbol: asset,
          n: rows.length,
          hit_rate: rateOf(rows),
          brier: score,
          brier_climatology: reference,
          skill: skillOf(
            score,
            reference,
            by((call) => call.persistence),
            by(() => THIRD),
          ),
          log_score: mean(rows.map(({ probabilities, outcome }) => logScoreOf(probabilities, outcome))),
        },
      ];
    }),
  };
}

/** How often returns stayed in their ranges, and interval scores next to those of the trailing quantiles. */
function rangesOf(graded) {
  const own = graded.filter(({ ranges }) => ranges);
  if (own.length === 0) return null;
  const compared = own.filter(({ trailingRanges }) => trailingRanges);
  const levels = [80, 95].map((level) => {
    const fine = 200 / (100 - level);
    const score = ({ low, high }, r) => high - low + fine * (r < low ? low - r : r > high ? r - high : 0);
    return {
      [`coverage_${level}`]: mean(
        own.map(
          ({
            ranges: {
              [level]: { low, high },
            },
            realised: r,
          }) => +(r >= low && r <= high),
        ),
      ),
      [`width_${level}`]: mean(own.map(({ ranges: { [level]: range } }) => range.high - range.low)),
      [`score_${level}`]: mean(compared.map(({ ranges, realised }) => score(ranges[level], realised))),
      [`score_${level}_trailing`]: mean(
        compared.map(({ trailingRanges, realised }) => score(trailingRanges[level], realised)),
      ),
    };
  });
  return Object.assign({ n: own.length }, ...levels);
}

/** Both tests must agree, and a track that is ahead must be ahead of every baseline. */
function tailsOf(tests, others) {
  if (!tests?.[0] || !tests[1]) return null;
  return {
    ahead: Math.max(...tests.map(({ ahead }) => ahead), ...others.map((test) => test?.ahead ?? 1)),
    behind: Math.max(...tests.map(({ behind }) => behind)),
  };
}
