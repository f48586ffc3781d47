import { DAY_MS } from '../rules.ts';
import type { Chosen, Statement } from '../store.ts';

/** A statement checked this much earlier than the newest one about the event has been withdrawn. */
const FORGOTTEN_MS = 3 * DAY_MS;

/** Statements about an event that are still current. */
export function standing(statements: readonly Statement[]): Statement[] {
  const newest = Math.max(...statements.map(({ checked_at }) => Date.parse(checked_at)));
  const others = statements.filter(
    ({ checked_at, source }) => source === 'shipped' || newest - Date.parse(checked_at) <= FORGOTTEN_MS,
  );
  return others.toSorted(
    (a, b) =>
      Number(a.estimated) - Number(b.estimated) ||
      a.rank - b.rank ||
      Number(a.all_day) - Number(b.all_day) ||
      Date.parse(b.checked_at) - Date.parse(a.checked_at) ||
      a.source.localeCompare(b.source),
  );
}

function selectFigures(statements: readonly Statement[]): Chosen['figures'] {
  const all = statements.flatMap(({ figures }) => figures ?? []);
  if (all.length === 0) return null;
  const first = (name: 'actual' | 'forecast' | 'previous') => all.map((row) => row[name]).find(Boolean) ?? null;
  return { actual: first('actual'), forecast: first('forecast'), previous: first('previous') };
}

/**
 * Combines the statements of all sources into one event. For the time, an announced day precedes an estimated one, then
 * the organiser precedes official republishers, the shipped calendar and aggregators; among equals a time precedes a
 * day, then the newest statement.
 */
export function choose(statements: readonly Statement[]): Chosen {
  const ordered = standing(statements);
  const [time] = ordered;
  if (!time) throw new Error('An event without statements');
  // Texts come from the highest ranked source, even if its day is estimated.
  const words = ordered.toSorted((a, b) => a.rank - b.rank);
  const named = words.find(({ title }) => title !== null) ?? time;
  const checked = statements.map(({ checked_at }) => checked_at).toSorted();
  return {
    kind: named.kind,
    category: named.category,
    impact: named.impact,
    why: named.why,
    title: named.title,
    description: words.find(({ description }) => description !== null)?.description ?? null,
    at: time.at,
    all_day: time.all_day,
    estimated: time.estimated,
    interval_from: time.interval_from,
    interval_to: time.interval_to,
    source: time.publisher,
    source_url: time.url,
    figures: selectFigures(words),
    checked_at: checked.at(-1) ?? time.checked_at,
  };
}

const sameTime = (a: Pick<Statement, 'at' | 'all_day'>, b: Pick<Statement, 'at' | 'all_day'>): boolean =>
  a.all_day || b.all_day ? a.at.slice(0, 10) === b.at.slice(0, 10) : Date.parse(a.at) === Date.parse(b.at);

/** Statements with another time than the chosen one. An estimate is no disagreement. */
export function disagreeing(chosen: Pick<Statement, 'at' | 'all_day'>, statements: readonly Statement[]): Statement[] {
  const others = standing(statements).filter((row) => !row.estimated && !sameTime(row, chosen));
  return others.filter((row, i) => others.findIndex((other) => sameTime(other, row)) === i);
}
