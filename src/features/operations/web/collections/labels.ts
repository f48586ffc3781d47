import type { CollectionCount, CollectionName, CollectionSummary } from '#features/operations/contract/collections.ts';
import { compact, grouped } from '#shared/format.ts';

export const ABOUT: Record<CollectionName, string> = {
  market_data: 'Every stored price of every coin, from every source.',
  ai_analysis: 'Every market analysis, with each analyst’s response and any failures.',
  fear_greed: 'The Fear & Greed Index, one reading per day.',
  trending_narratives: 'Every narrative snapshot: volume, market cap and largest coins.',
  upcoming_events: 'Upcoming and past events, including ignored ones but not deleted ones.',
  users: 'Accounts with their current plan.',
  subscriptions: 'Every change to a plan: purchases, grants, trials and cancellations.',
  error_logs: 'Server errors, as shown on the Error Logs page.',
};

/** '1,204', or 'about 1.20M' when estimated by the database. */
export const counted = ({ count: n, estimated }: Pick<CollectionCount, 'count' | 'estimated'>): string =>
  estimated ? `about ${compact(n)}` : grouped(n);

export const records = (of: Pick<CollectionCount, 'count' | 'estimated'>): string =>
  `${counted(of)} ${of.count === 1 ? 'record' : 'records'}`;

/** Result of a search: '3 of 120 records match', or how many of the newest were searched. */
export function foundWords(summary: CollectionSummary): string | null {
  const { found, searched } = summary;
  if (found === null || searched === null) return null;
  const all = !summary.estimated && searched >= summary.count;
  const verb = found === 1 ? 'matches' : 'match';
  return all
    ? `${grouped(found)} of ${records(summary)} ${verb}`
    : `${grouped(found)} of the latest ${grouped(searched)} ${verb}`;
}

/** 'and 117 more records'; null when everything is shown. */
export function moreWords({ count: all, estimated, found }: CollectionSummary, shown: number): string | null {
  const more = (found ?? all) - shown;
  if (more <= 0) return null;
  return `and ${records({ count: more, estimated: estimated && found === null }).replace('record', 'more record')}`;
}

const REASONING = 100;
const VALUE = 140;

const cut = (text: string, most: number): string => {
  const signs = Array.from(text);
  return signs.length > most ? `${signs.slice(0, most).join('')}…` : text;
};
export const cutReasoning = (text: string): string => cut(text, REASONING);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const number = (value: number): string =>
  value.toLocaleString('en-US', Math.abs(value) < 1 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 4 });

/** A record value shortened for scanning; the raw view shows it in full. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string')
    return TIME.test(value) ? `${value.slice(0, 10)} ${value.slice(11, 19)} UTC` : cut(value, VALUE);
  const parts = Array.isArray(value)
    ? value.map(valueWords)
    : Object.entries(value).map(([name, each]) => `${name} ${valueWords(each)}`);
  return cut(parts.join(Array.isArray(value) ? '; ' : ', '), VALUE) || '–';
}
