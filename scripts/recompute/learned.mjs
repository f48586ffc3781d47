import { apartTest, byDate, dieboldMariano } from './evidence.mjs';
import { brierOf, CLASSES, DAY_MS, independent, logScoreOf, mean, skillOf } from './scores.mjs';

const WEEK_MS = 7 * DAY_MS;
const weekOf = (time) => Math.floor(time / WEEK_MS);
const dayOf = ({ issuedAt }) => Math.floor(Date.parse(issuedAt) / DAY_MS);
const isKnownIn = (week) => (call) => weekOf(Date.parse(call.settledAt)) < week;

const odds = (p) => {
  const held = Math.min(0.999, Math.max(0.001, p));
  return Math.log(held) - Math.log1p(-held);
};
const chance = (x) => (1 + Math.tanh(x / 2)) / 2;

/** The line with the least penalized loss; halves steps that do not reduce it. */
function lineOf(samples) {
  const loss = ([a, b]) =>
    2 * (a * a + (b - 1) ** 2) +
    samples.reduce((sum, { x, hit, weight }) => {
      const s = hit ? a + b * x : -(a + b * x);
      return sum + weight * (Math.max(0, -s) + Math.log1p(Math.exp(-Math.abs(s))));
    }, 0);
  let at = [0, 1];
  for (let round = 0; round < 100; round++) {
    let gradient = [4 * at[0], 4 * (at[1] - 1)];
    let [aa, ab, bb] = [4, 0, 4];
    for (const { x, hit, weight } of samples) {
      const p = chance(at[0] + at[1] * x);
      const pull = weight * (p - Number(hit));
      const curve = weight * p * (1 - p);
      gradient = [gradient[0] + pull, gradient[1] + pull * x];
      [aa, ab, bb] = [aa + curve, ab + curve * x, bb + curve * x * x];
    }
    const area = aa * bb - ab * ab;
    const step = [(bb * gradient[0] - ab * gradient[1]) / area, (aa * gradient[1] - ab * gradient[0]) / area];
    const size = Math.hypot(...step);
    if (size < 1e-13) break;
    const here = loss(at);
    const moved = (part) => [at[0] - part * step[0], at[1] - part * step[1]];
    let part = 1;
    // This close to the minimum, differences of losses are rounding errors.
    if (size > 1e-6) while (part > 1e-6 && loss(moved(part)) > here) part /= 2;
    at = moved(part);
  }
  return { intercept: at[0], slope: at[1] };
}

function correct(p, map) {
  const raw = CLASSES.map((name) => chance(map[name].intercept + map[name].slope * odds(p[name])));
  const sum = raw.reduce((total, each) => total + each, 0);
  return Object.fromEntries(CLASSES.map((name, i) => [name, raw[i] / sum]));
}

/** Platt scaling, fitted for each week on calls settled before it. */
export function recalibrate(graded, horizonDays, timestamp) {
  if (graded.length === 0) return null;
  const onDay = Map.groupBy(graded, dayOf);
  const mapIn = (week) => {
    const known = graded.filter(isKnownIn(week));
    const line = (name) =>
      lineOf(
        known.map((call) => ({
          x: odds(call.probabilities[name]),
          hit: call.outcome === name,
          weight: 1 / onDay.get(dayOf(call)).length / horizonDays,
        })),
      );
    return Object.fromEntries(CLASSES.map((name) => [name, line(name)]));
  };
  const weeks = Map.groupBy(graded, ({ issuedAt }) => weekOf(Date.parse(issuedAt)));
  const corrected = [...weeks].flatMap(([week, own]) => {
    const map = mapIn(week);
    return own.map((call) => ({ ...call, own: correct(call.probabilities, map) }));
  });
  const brier = mean(corrected.map(({ own, outcome }) => brierOf(own, outcome)));
  const by = (forecast) => mean(graded.map((call) => brierOf(forecast(call), call.outcome)));
  return {
    brier,
    skill: skillOf(
      brier,
      by((call) => call.climatology),
      by((call) => call.persistence),
      by(() => ({ up: 1 / 3, flat: 1 / 3, down: 1 / 3 })),
    ),
    log_score: mean(corrected.map(({ own, outcome }) => logScoreOf(own, outcome))),
    map: mapIn(weekOf(Date.parse(timestamp))),
  };
}

const trackOf = ({ analyst, model }) => JSON.stringify([analyst, model]);

function pool(members, weights) {
  const sum = weights.reduce((total, each) => total + each, 0);
  return Object.fromEntries(
    CLASSES.map((name) => [
      name,
      members.reduce((total, { probabilities }, i) => total + weights[i] * probabilities[name], 0) / sum,
    ]),
  );
}

/** The equally weighted consensus compared with one weighted by past performance. */
export function poolOf(graded, horizon, horizonDays, timestamp) {
  const asked = Map.groupBy(
    graded.filter((call) => call.horizon === horizon),
    ({ analysisId, asset }) => JSON.stringify([analysisId, asset]),
  );
  const groups = [...asked.values()]
    .filter((members) => members.length > 1)
    .map((members) => {
      const [{ issuedAt, settledAt, outcome }] = members;
      const equal = brierOf(
        pool(
          members,
          members.map(() => 1),
        ),
        outcome,
      );
      return { issuedAt, settledAt, outcome, members, equal };
    });
  if (groups.length === 0) return null;
  const spoken = groups.flatMap(({ members, equal }) => members.map((call) => ({ ...call, equal })));
  const onDay = Map.groupBy(spoken, (call) => `${dayOf(call)} ${trackOf(call)}`);
  const gainsIn = (week) => {
    const gains = new Map();
    for (const call of spoken.filter(isKnownIn(week))) {
      const days = onDay.get(`${dayOf(call)} ${trackOf(call)}`).length * horizonDays;
      const gain = (call.equal - brierOf(call.probabilities, call.outcome)) / days;
      gains.set(trackOf(call), (gains.get(trackOf(call)) ?? 0) + gain);
    }
    return gains;
  };
  const compared = [...Map.groupBy(groups, ({ issuedAt }) => weekOf(Date.parse(issuedAt)))].flatMap(([week, own]) => {
    const gains = gainsIn(week);
    return own.map((group) => {
      const weights = group.members.map((call) => Math.exp(gains.get(trackOf(call)) ?? 0));
      return { ...group, weighted: brierOf(pool(group.members, weights), group.outcome) };
    });
  });
  const dates = byDate(compared, ({ weighted, equal }) => weighted - equal);
  const test = horizonDays >= 28 ? apartTest(dates, horizonDays) : dieboldMariano(dates, horizonDays);
  const gains = gainsIn(weekOf(Date.parse(timestamp)));
  const newest = [...new Map(graded.map((call) => [call.analyst, call])).values()];
  const raw = newest.map((call) => Math.exp(gains.get(trackOf(call)) ?? 0));
  const sum = raw.reduce((total, each) => total + each, 0);
  const shown = {
    horizon,
    n: groups.length,
    dates: dates.length,
    brier_equal: mean(groups.map(({ equal }) => equal)),
    brier_weighted: mean(compared.map(({ weighted }) => weighted)),
    p_better: test?.ahead ?? null,
    weights: newest.map(({ analyst, model }, i) => ({ provider: analyst, model, weight: raw[i] / sum })),
  };
  return { shown, windows: independent(dates, horizonDays).length };
}
