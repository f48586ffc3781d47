import {
  abnormalVolume,
  basketVolatility,
  capWeighted,
  computeBreadth,
  realisedVolatility,
  relativeSigma,
} from '#features/market/server/narratives/formulas.ts';

import type { MetricsContext } from '../context.ts';
import {
  changeMetric,
  NARRATIVE,
  type NarrativeDetail,
  type NarrativeFacts,
  narrativeDetail,
  narrativeFacts,
  parseCategory,
} from '../narrative-facts.ts';
import type { Snapshot } from '../snapshot.ts';
import { dailyValues } from '../store.ts';
import type { Observation, StoredObservation } from '../types.ts';
import { dailyReturns } from './correlation.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
/** Older readings are not recomputed. */
const WITHIN_MS = 2 * 3_600_000;

type Read = {
  id: string;
  row: StoredObservation;
  detail: NarrativeDetail;
  /** Facts computed from this reading while its coins had no history yet. */
  done: NarrativeFacts | null;
};

/** Computes the components of a narrative's sentiment, relevance and risk, once per reading. */
export async function deriveNarratives(ctx: MetricsContext, snapshot: Snapshot): Promise<Observation[]> {
  const due = snapshot.named(NARRATIVE).flatMap((metric) => findDueReads(snapshot, metric));
  if (due.length === 0) return [];
  const now = ctx.now();
  const ids = [...new Set(due.flatMap(({ detail }) => detail.members.map(([id]) => id)))];
  const [closes, days] = await Promise.all([
    ctx.market.dailyCandles(ids, new Date(now.getTime() - (DAYS + 1) * DAY_MS), now),
    dailyValues(
      ctx.db,
      due.map(({ row }) => row.metric),
      new Date(now.getTime() - (DAYS + 1) * DAY_MS),
      now,
    ),
  ]);
  const volatilities = new Map(
    ids.map((id) => [id, realisedVolatility([...dailyReturns(closes.get(id) ?? []).values()].slice(-DAYS))]),
  );
  const pastOf = Map.groupBy(days, ({ metric, source }) => `${metric} ${source}`);
  const market = { change: ctx.market.ctx.board.totals().change_24h, volume: snapshot.find('market.volume')?.value };
  return due.flatMap(({ id, row, detail, done }) => {
    const change = capWeighted(detail.members.map(([, weight, value]) => ({ value, weight })));
    if (change === null) return [];
    const today = row.observed_at.slice(0, 10);
    const past = (pastOf.get(`${row.metric} ${row.source}`) ?? []).filter(({ day }) => day < today).slice(-DAYS);
    const changes = detail.members.map(([, , value]) => value);
    const volatility = basketVolatility(
      detail.members.map(([coin, weight]) => ({ value: volatilities.get(coin) ?? null, weight })),
    );
    if (done && volatility === null) return [];
    const marketChange = done ? done.market_change_24h : market.change;
    const facts: NarrativeFacts = {
      market_change_24h: marketChange,
      relative_sigma: relativeSigma(change, marketChange, volatility),
      volume_share: done ? done.volume_share : market.volume ? row.value / market.volume : null,
      volume_z: abnormalVolume(
        row.value,
        past.map(({ value }) => value),
      ),
      volume_days: past.length,
      breadth: computeBreadth(changes),
      rising: changes.filter((value) => value !== null && value > 0).length,
      known: changes.filter((value) => value !== null).length,
      volatility,
    };
    return [{ metric: changeMetric(id), value: change, observedAt: new Date(row.observed_at), detail: facts }];
  });
}

/** A narrative not computed since it was read, or whose coins had no history then. */
function findDueReads(snapshot: Snapshot, metric: string): Read[] {
  const id = parseCategory(metric);
  const row = snapshot.find(metric);
  if (id === undefined || !row || snapshot.at.getTime() - Date.parse(row.observed_at) > WITHIN_MS) return [];
  const detail = narrativeDetail.safeParse(row.detail);
  if (!detail.success) return [];
  const computed = snapshot.find(changeMetric(id));
  const isOfThis = computed?.observed_at === row.observed_at && computed.fetched_at >= row.fetched_at;
  const facts = narrativeFacts.safeParse(computed?.detail);
  const done = isOfThis && facts.success ? facts.data : null;
  return done && done.volatility !== null ? [] : [{ id, row, detail: detail.data, done }];
}
