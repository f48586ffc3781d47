import { countPlans } from '#features/accounts/server/subscriptions/service.ts';
import {
  ANALYSES_PAGE,
  COLLECTIONS,
  type CollectionName,
  type CollectionSummary,
  type ListedAnalysis,
  MOST_SEARCHED_ANALYSES,
  NEWEST,
  type Overview,
} from '#features/operations/contract/collections.ts';
import { AppError } from '#kernel/errors.ts';
import { unitsToUsd } from '#shared/money.ts';
import type { CollectionsContext } from './context.ts';
import { analysisPages, PAGES } from './records.ts';
import { countDailyErrors, countFailures, countRows, SOURCES, signUpsByDay, sumSuspense } from './store.ts';

/** The values of a record in readable form, without field names. */
function* valuesOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value.toLowerCase();
  else if (typeof value === 'number' || typeof value === 'boolean') yield String(value);
  else if (value) for (const each of Object.values(value)) yield* valuesOf(each);
}

function holds(record: object, q: string): boolean {
  const wanted = q.toLowerCase();
  for (const value of valuesOf(record)) if (value.includes(wanted)) return true;
  return false;
}

type Found<T> = { records: T[]; found: number; searched: number };

/** Searches the newest `most` records; returns the newest `keep` matches. */
async function search<T extends object>(
  pages: AsyncIterable<T[]>,
  { q, most, keep }: { q: string; most: number; keep: number },
): Promise<Found<T>> {
  const records: T[] = [];
  let [found, searched] = [0, 0];
  for await (const page of pages) {
    const rows = page.slice(0, most - searched);
    searched += rows.length;
    for (const record of rows) {
      if (!holds(record, q)) continue;
      found += 1;
      if (records.length < keep) records.push(record);
    }
    if (searched >= most) break;
  }
  return { records, found, searched };
}

/** The newest of all. */
async function newest<T>(pages: AsyncIterable<T[]>, most: number): Promise<T[]> {
  const records: T[] = [];
  for await (const page of pages) {
    records.push(...page.slice(0, most - records.length));
    if (records.length >= most) break;
  }
  return records;
}

/** Limit of records searched per collection. */
const MAX_SEARCHED = 20_000;
const mostSearched = (collection: CollectionName) =>
  collection === 'ai_analysis' ? MOST_SEARCHED_ANALYSES : MAX_SEARCHED;

async function toSummary(
  ctx: CollectionsContext,
  collection: CollectionName,
  q: string | undefined,
): Promise<CollectionSummary> {
  const counted = { collection, ...(await countRows(ctx.db, SOURCES[collection])) };
  const pages = PAGES[collection](ctx);
  if (!q) return { ...counted, data: await newest(pages, NEWEST), found: null, searched: null };
  const { records, found, searched } = await search(pages, { q, most: mostSearched(collection), keep: NEWEST });
  return { ...counted, data: records, found, searched };
}

type Asking = CollectionsContext & { hasLeft: () => boolean };

/** Aborts for a caller who has disconnected; the error is never seen. */
function assertExists({ hasLeft }: Asking): void {
  if (hasLeft()) throw new AppError('unavailable', 'The caller has left');
}

type Asked = { collection?: CollectionName | undefined; q?: string | undefined };

/** Sequential, so that one request uses one connection, however many collections there are. */
export async function listCollections(ctx: Asking, { collection, q }: Asked): Promise<CollectionSummary[]> {
  const summaries: CollectionSummary[] = [];
  for (const name of collection ? [collection] : COLLECTIONS) {
    assertExists(ctx);
    summaries.push(await toSummary(ctx, name, q));
  }
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

export async function readOverview(ctx: Asking): Promise<Overview> {
  const { db, now } = ctx;
  const at = now();
  const collections: Overview['collections'] = [];
  for (const collection of COLLECTIONS) {
    assertExists(ctx);
    collections.push({ collection, ...(await countRows(db, SOURCES[collection])) });
  }
  assertExists(ctx);
  const [signUps, plans] = [await signUpsByDay(db, at), await countPlans(db, at)];
  const [errors, failures, suspense] = [await countDailyErrors(db, at), await countFailures(db), await sumSuspense(db)];
  return {
    at: at.toISOString(),
    collections,
    signUps,
    plans,
    errors,
    ...failures,
    suspense: { count: suspense.count, usd: unitsToUsd(suspense.units) },
  };
}
