import { readPlanStatuses, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import type { AiAnalysis } from '#features/analysis/contract/analysis.ts';
import {
  ANALYSES_PAGE,
  type AnalysisTerm,
  COLLECTIONS,
  type CollectionName,
  type CollectionRecord,
  type ListedAnalysis,
} from '#features/operations/contract/collections.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller, Download } from '#kernel/route.ts';

import type { CollectionsContext } from './context.ts';
import {
  errorPages,
  eventPages,
  metricPages,
  pricePages,
  subscriptionPages,
  type UserRow,
  userPages,
} from './store.ts';

type Pages<T = CollectionRecord> = AsyncGenerator<T[]>;

/**
 * Pages of records, newest first. The fields of a record are listed here or in its query one by one, so that nothing
 * else can leak.
 */
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
  const opinions = Object.values(providers);
  const isAnswered = opinions.length > 0;
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
    ai_generated: opinions.some(({ built_in }) => !built_in),
    opinions: opinions.map(({ name, model, built_in, overall_direction, overall_confidence }) => ({
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
    const standings = await readPlanStatuses(
      db,
      rows.map(({ id }) => id),
      now(),
    );
    yield rows.flatMap(({ role, createdAt, ...user }: UserRow) => {
      const standing = standings.get(user.id);
      if (!standing) return [];
      const isAdmin = role === 'admin';
      const subscriptionStatus = isAdmin ? 'active' : standing.status;
      return [{ ...user, isAdmin, plan: resolvePlan(role, standing), subscriptionStatus, createdAt }];
    });
  }
}

/** Exports every record of a collection as a file; the download is recorded in the audit log. */
export async function openExport(ctx: CollectionsContext, caller: Caller, asked: string): Promise<Download> {
  const collection = COLLECTIONS.find((name) => name === asked);
  if (!collection) throw new AppError('not_found', 'Collection not found');
  await audit(ctx.db, {
    at: ctx.now(),
    actorId: caller.userId,
    subjectId: null,
    action: 'collection.export',
    details: { collection },
  });
  return {
    type: 'application/json; charset=utf-8',
    fileName: `${collection}_export.json`,
    text: textOf({ ...ctx, db: await ctx.reads.pages() }, collection),
  };
}

/** Pages by key, each its own query: a slow client holds neither a connection nor old row versions. */
async function* textOf(ctx: CollectionsContext, collection: (typeof COLLECTIONS)[number]): AsyncGenerator<string> {
  let records = 0;
  let end = 'client disconnected';
  try {
    yield '[';
    for await (const page of PAGES[collection](ctx)) {
      if (page.length === 0) continue;
      const lines = page.map((record) => JSON.stringify(record)).join(',\n');
      yield records === 0 ? `\n${lines}` : `,\n${lines}`;
      records += page.length;
    }
    yield '\n]\n';
    end = 'whole';
  } catch (error) {
    end = 'failed';
    ctx.report('collections', 'system', `The export of ${collection} was interrupted`, error);
    throw error;
  } finally {
    ctx.log.info({ collection, records, end }, 'collection export ended');
  }
}
