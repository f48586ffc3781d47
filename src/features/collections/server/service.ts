import { countPlans } from '#features/subscriptions/server/service.ts';
import { usdOf } from '#shared/money.ts';

import {
  ANALYSES_PAGE,
  COLLECTIONS,
  type CollectionName,
  type CollectionSummary,
  type ListedAnalysis,
  MOST_SEARCHED_ANALYSES,
  NEWEST,
  type Overview,
} from '../contract.ts';
import type { CollectionsContext } from './context.ts';
import { analysisPages, PAGES } from './service/records.ts';
import { newest, search } from './service/search.ts';
import { countOf, SOURCES } from './store/count.ts';
import { countFailures, errorsOfADay, signUpsByDay, sumSuspense } from './store/overview.ts';

/** A search looks at no more of a collection. */
const MOST_SEARCHED = 20_000;
const mostSearched = (collection: CollectionName) =>
  collection === 'ai_analysis' ? MOST_SEARCHED_ANALYSES : MOST_SEARCHED;

async function summaryOf(
  ctx: CollectionsContext,
  collection: CollectionName,
  q: string | undefined,
): Promise<CollectionSummary> {
  const counted = { collection, ...(await countOf(ctx.db, SOURCES[collection])) };
  const pages = PAGES[collection](ctx);
  if (!q) return { ...counted, data: await newest(pages, NEWEST), found: null, searched: null };
  const { records, found, searched } = await search(pages, { q, most: mostSearched(collection), keep: NEWEST });
  return { ...counted, data: records, found, searched };
}

type Asked = { collection?: CollectionName | undefined; q?: string | undefined };

/** One after the other: one look takes one connection, however many collections there are. */
export async function listCollections(ctx: CollectionsContext, { collection, q }: Asked): Promise<CollectionSummary[]> {
  const summaries: CollectionSummary[] = [];
  for (const name of collection ? [collection] : COLLECTIONS) summaries.push(await summaryOf(ctx, name, q));
  return summaries;
}

export async function listAnalyses(
  ctx: CollectionsContext,
  { q, before = null }: { q?: string | undefined; before?: string | null | undefined },
): Promise<ListedAnalysis[]> {
  const pages = analysisPages(ctx, before);
  if (!q) return newest(pages, ANALYSES_PAGE);
  return (await search(pages, { q, most: MOST_SEARCHED_ANALYSES, keep: ANALYSES_PAGE })).records;
}

export async function readOverview({ db, now }: CollectionsContext): Promise<Overview> {
  const at = now();
  const collections: Overview['collections'] = [];
  for (const collection of COLLECTIONS) collections.push({ collection, ...(await countOf(db, SOURCES[collection])) });
  const [signUps, plans] = [await signUpsByDay(db, at), await countPlans(db, at)];
  const [errors, failures, suspense] = [await errorsOfADay(db, at), await countFailures(db), await sumSuspense(db)];
  return {
    at: at.toISOString(),
    collections,
    signUps,
    plans,
    errors,
    ...failures,
    suspense: { count: suspense.count, usd: usdOf(suspense.units) },
  };
}
