import { planOf, standingsOf } from '#features/accounts/server/subscriptions/service.ts';
import type { AiAnalysis } from '#features/analysis/contract/analysis.ts';
import {
  ANALYSES_PAGE,
  type AnalysisTerm,
  type CollectionName,
  type CollectionRecord,
  type ListedAnalysis,
} from '#features/operations/contract/collections.ts';

import type { CollectionsContext } from '../context.ts';
import { pricePages } from '../store/market-data.ts';
import { errorPages, eventPages, metricPages, subscriptionPages, type UserRow, userPages } from '../store/pages.ts';

type Pages<T = CollectionRecord> = AsyncGenerator<T[]>;

/** Pages of records, newest first. What a record holds is named here or in its query, one by one: nothing else can leave. */
export const PAGES: Record<CollectionName, (ctx: CollectionsContext) => Pages> = {
  market_data: ({ db }) => pricePages(db),
  ai_analysis: analysisPages,
  fear_greed: ({ db }) => fearAndGreed(db),
  trending_narratives: ({ db }) => narratives(db),
  upcoming_events: ({ db }) => eventPages(db),
  users,
  subscriptions: ({ db }) => subscriptionPages(db),
  error_logs: ({ db }) => errorPages(db),
};

export async function* analysisPages(
  { analysis }: Pick<CollectionsContext, 'analysis'>,
  before: string | null = null,
): Pages<ListedAnalysis> {
  for (let id = before; ; ) {
    const page = await analysis.before(id, ANALYSES_PAGE);
    const last = page.at(-1);
    if (!last) return;
    yield page.map(listed);
    id = last.id;
  }
}

function listed(analysis: AiAnalysis): ListedAnalysis {
  const { id, timestamp, providers, missing } = analysis;
  const spoken = Object.values(providers);
  const isAnswered = spoken.length > 0;
  const term = (name: 'short_term' | 'medium_term' | 'long_term'): AnalysisTerm | null => {
    const { market_direction, confidence, reasoning } = analysis[name];
    return isAnswered ? { market_direction, confidence, reasoning } : null;
  };
  const short = term('short_term');
  return {
    id,
    timestamp,
    overall_direction: isAnswered ? analysis.overall_direction : null,
    overall_confidence: isAnswered ? analysis.overall_confidence : null,
    short_term: short,
    medium_term: term('medium_term'),
    long_term: term('long_term'),
    ai_generated: spoken.some(({ built_in }) => !built_in),
    opinions: spoken.map(({ name, model, built_in, overall_direction, overall_confidence }) => ({
      name,
      model,
      built_in,
      overall_direction,
      overall_confidence,
    })),
    failures: missing.map(({ name, reason }) => ({ name, reason })),
    market_direction: short?.market_direction ?? null,
    confidence: short?.confidence ?? null,
    reasoning: short?.reasoning ?? null,
  };
}

async function* fearAndGreed(db: CollectionsContext['db']): Pages {
  for await (const rows of metricPages(db, 'fear_greed'))
    yield rows.map(({ value, detail, source, observedAt, fetchedAt, method }) => ({
      value,
      classification: detail?.['classification'] ?? null,
      source,
      observedAt,
      fetchedAt,
      method,
    }));
}

type Coin = { symbol: string; name: string; price: number; change_24h: number | null };

async function* narratives(db: CollectionsContext['db']): Pages {
  for await (const rows of metricPages(db, 'trending_narratives'))
    yield rows.map(({ metric, value, detail, source, observedAt, fetchedAt, method }) => ({
      id: metric.slice('narrative.'.length),
      narrative: detail?.['name'] ?? null,
      total_volume_24h: value,
      market_cap: detail?.['market_cap'] ?? null,
      market_cap_change_24h: detail?.['market_cap_change_24h'] ?? null,
      coins: ((detail?.['coins'] ?? []) as Coin[]).map(({ symbol, name, price, change_24h }) => ({
        coin_symbol: symbol,
        coin_name: name,
        price_usd: price,
        change_24h,
      })),
      source,
      observedAt,
      fetchedAt,
      method,
    }));
}

async function* users({ db, now }: CollectionsContext): Pages {
  for await (const rows of userPages(db)) {
    const standings = await standingsOf(
      db,
      rows.map(({ id }) => id),
      now(),
    );
    yield rows.flatMap(({ role, createdAt, ...user }: UserRow) => {
      const standing = standings.get(user.id);
      if (!standing) return [];
      const isAdmin = role === 'admin';
      const subscriptionStatus = isAdmin ? 'active' : standing.status;
      return [{ ...user, isAdmin, plan: planOf(role, standing), subscriptionStatus, createdAt }];
    });
  }
}
