import { cellsOf, isGraded, isLeague, judge, replay, wordOf } from './record.mjs';
import { brierOf, mean } from './scores.mjs';

const CLASSES = ['up', 'flat', 'down'];
/** Small p-values need more resamples. */
const fine = (test) => (test && Math.min(test.ahead, test.behind) < 0.001 ? 200_000 : undefined);

/** The response of /api/league/NAME, recomputed from the entries alone. */
export function forecasterOf(entries, published) {
  const { forecaster, timestamp, scored_at, scored_through, league_through } = published;
  const leagueAt = (seq) =>
    replay(entries.filter((entry) => entry.seq <= seq)).calls.filter(({ analyst }) => isLeague(analyst));
  const mine = ({ analyst }) => analyst === forecaster.track;
  const now = replay(entries.filter(({ recorded_at: at }) => at <= timestamp)).calls.filter(mine);
  const counts = { forecasts: now.length, open: now.filter(({ outcome }) => outcome === null).length };
  const known = { ...published, forecaster: { ...forecaster, ...counts } };
  if (scored_through === null) return { ...known, cells: [] };
  const everyone = leagueAt(league_through);
  const tested = cellsOf(everyone, new Map(), scored_at, fine).filter(({ tails }) => tails);
  const judged = judge(tested);
  const cells = cellsOf(leagueAt(scored_through).filter(mine), new Map(), scored_at, fine).map(({ tails, ...cell }) => {
    const found = judged.find(({ provider, horizon }) => provider === cell.provider && horizon === cell.horizon);
    return {
      ...cell,
      p_ahead: (tails && found?.p_ahead) ?? null,
      p_behind: (tails && found?.p_behind) ?? null,
      verdict: found?.verdict ?? wordOf(cell.horizon, null, null),
      contribution: contributionOf(everyone, mine, cell.horizon),
    };
  });
  return { ...known, cells };
}

/**
 * Brier score of the pool without the forecaster minus with the forecaster, over forecasts that others also made that
 * day.
 */
function contributionOf(calls, mine, horizon) {
  const graded = calls.filter((call) => isGraded(call) && call.horizon === horizon);
  const days = Map.groupBy(graded, ({ asset, issuedAt }) => `${asset} ${issuedAt.slice(0, 10)}`);
  const gains = [...days.values()].flatMap((day) => {
    const own = day.find(mine);
    if (!own || day.length < 2) return [];
    const poolOf = (members) =>
      Object.fromEntries(CLASSES.map((name) => [name, mean(members.map(({ probabilities }) => probabilities[name]))]));
    const others = day.filter((call) => !mine(call));
    return [brierOf(poolOf(others), own.outcome) - brierOf(poolOf(day), own.outcome)];
  });
  return gains.length === 0 ? null : { n: gains.length, gain: mean(gains) };
}
