import type { Event, EventImpact } from '#features/events/contract.ts';
import type { ChangeFilter as Change } from '#ui/address-filter.ts';
import { writeTexts } from '#ui/search-params.ts';
import { isPast } from './event-dates.ts';
import { CATEGORY_WORDS } from './impact.tsx';

/** In list order; 'fed' covers both Federal Reserve categories. */
export const CATEGORY_CHOICES = [
  ['all', 'All Categories'],
  ['fed', 'Federal Reserve'],
  ['crypto', 'Cryptocurrency'],
  ['regulation', 'Regulation'],
  ['earnings', 'Earnings'],
  ['inflation', 'Inflation'],
  ['employment', 'Employment'],
  ['other', 'Other'],
] as const;
export const IMPACT_CHOICES = [
  ['all', 'All Impact Levels'],
  ['high', 'High'],
  ['medium', 'Medium'],
  ['low', 'Low'],
] as const;
export const TIME_CHOICES = [
  ['all', 'All Time'],
  ['thisWeek', 'This Week'],
  ['nextMonth', 'Next Month'],
] as const;
export const SORT_CHOICES = [
  ['date', 'Sort by Date'],
  ['impact', 'Sort by Impact'],
  ['category', 'Sort by Category'],
] as const;
const VIEWS = [
  ['list', 'List'],
  ['calendar', 'Calendar'],
] as const;

export type Choices<T extends string = string> = readonly (readonly [value: T, name: string])[];
type ValueOf<C extends Choices> = C[number][0];

/** State stored in the URL. */
export type EventFilter = {
  category: ValueOf<typeof CATEGORY_CHOICES>;
  impact: ValueOf<typeof IMPACT_CHOICES>;
  time: ValueOf<typeof TIME_CHOICES>;
  sort: ValueOf<typeof SORT_CHOICES>;
  view: ValueOf<typeof VIEWS>;
  search: string;
  /** Also show ignored events, for admins. */
  ignored: boolean;
};
export type ChangeFilter = Change<EventFilter>;

/** The fields that filter; the rest are display options. */
export type Choice = Pick<EventFilter, 'category' | 'impact' | 'time' | 'search'>;
export const NO_CHOICE: Choice = { category: 'all', impact: 'all', time: 'all', search: '' };
export const NO_FILTER: EventFilter = { ...NO_CHOICE, sort: 'date', view: 'list', ignored: false };

const MAX_SEARCH_LENGTH = 100;
const pick = <T extends string>(choices: Choices<T>, value: string | null): T => {
  const [first] = choices;
  return (choices.find(([each]) => each === value) ?? first)?.[0] as T;
};

/** Parses a filter from the URL; unknown values are ignored. */
export const parseFilter = (params: URLSearchParams): EventFilter => ({
  category: pick(CATEGORY_CHOICES, params.get('category')),
  impact: pick(IMPACT_CHOICES, params.get('impact')),
  time: pick(TIME_CHOICES, params.get('time')),
  sort: pick(SORT_CHOICES, params.get('sort')),
  view: pick(VIEWS, params.get('view')),
  search: (params.get('search') ?? '').slice(0, MAX_SEARCH_LENGTH),
  ignored: params.get('ignored') === '1',
});

/** Writes a filter into the URL, preserving other parameters; defaults are omitted. */
export function writeFilter(params: URLSearchParams, filter: EventFilter): URLSearchParams {
  const texts = Object.entries(filter).map(([name, value]) => {
    const isDefault = value === NO_FILTER[name as keyof EventFilter];
    return [name, isDefault ? '' : value === true ? '1' : String(value)] as const;
  });
  return writeTexts(params, Object.fromEntries(texts));
}

/** URL of a calendar with the filter's events. */
export function feedPath({ category, impact, search, time }: EventFilter): string {
  const wanted = writeFilter(new URLSearchParams(), { ...NO_FILTER, category, impact, search: search.trim(), time });
  const query = wanted.toString();
  return `/api/events.ics${query && `?${query}`}`;
}

export const isFiltered = ({ category, impact, time, search }: EventFilter): boolean =>
  category !== 'all' || impact !== 'all' || time !== 'all' || search.trim() !== '';

const REACH: Record<EventFilter['time'], number> = { all: Infinity, thisWeek: 7, nextMonth: 30 };

const fitsCategory = (event: Event, category: EventFilter['category']): boolean =>
  category === 'all' || event.category === category || (category === 'fed' && event.category === 'monetary_policy');

function fitsSearch({ title, description, source }: Event, search: string): boolean {
  const words = search.trim().toLowerCase();
  return words === '' || [title, description, source].some((text) => text?.toLowerCase().includes(words));
}

const fitsTime = (event: Event, time: EventFilter['time'], nowMs: number): boolean =>
  time === 'all' || (!isPast(event, nowMs) && event.daysUntil >= 0 && event.daysUntil <= REACH[time]);

const RANK: Record<EventImpact, number> = { high: 0, medium: 1, low: 2 };
const byDate = (a: Event, b: Event): number => Date.parse(a.date) - Date.parse(b.date) || a.id - b.id;
const ORDERS: Record<EventFilter['sort'], (a: Event, b: Event) => number> = {
  date: byDate,
  impact: (a, b) => RANK[a.impact] - RANK[b.impact] || byDate(a, b),
  category: (a, b) => CATEGORY_WORDS[a.category].localeCompare(CATEGORY_WORDS[b.category]) || byDate(a, b),
};

/** Matching events in the requested order; past ones last, newest first. */
export function choose(events: readonly Event[], filter: EventFilter, nowMs: number): Event[] {
  const fitting = events.filter(
    (event) =>
      (filter.ignored || !event.ignored) &&
      fitsCategory(event, filter.category) &&
      (filter.impact === 'all' || event.impact === filter.impact) &&
      fitsTime(event, filter.time, nowMs) &&
      fitsSearch(event, filter.search),
  );
  const { past = [], ahead = [] } = Object.groupBy(fitting, (event) => (isPast(event, nowMs) ? 'past' : 'ahead'));
  return [...ahead.toSorted(ORDERS[filter.sort]), ...past.toSorted((a, b) => byDate(b, a))];
}

export type Stats = { total: number; high: number; thisWeek: number; nextMonth: number };

/** Counts of upcoming events; ignored and past ones are excluded. */
export function computeStats(events: readonly Event[], nowMs: number): Stats {
  const ahead = events.filter((event) => !event.ignored && !isPast(event, nowMs));
  const within = (time: EventFilter['time']) => ahead.filter((event) => fitsTime(event, time, nowMs)).length;
  return {
    total: ahead.length,
    high: ahead.filter(({ impact }) => impact === 'high').length,
    thisWeek: within('thisWeek'),
    nextMonth: within('nextMonth'),
  };
}
