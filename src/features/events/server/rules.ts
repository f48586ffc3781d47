import type { EventCategory, EventImpact } from '#features/events/contract.ts';

import { isKind, KINDS, type KindId } from './kinds.ts';

type Verdict = { category: EventCategory; impact: EventImpact; why: string };
const LEVEL: Record<EventImpact, string> = { high: 'High', medium: 'Medium', low: 'Low' };
const verdict = (category: EventCategory, impact: EventImpact, because: string): Verdict => ({
  category,
  impact,
  why: `${LEVEL[impact]}: ${because}.`,
});

/** First rule: a recurring kind is rated by the table. */
export function classifyByKind(kind: KindId): Verdict {
  const { category, impact, name, reason } = KINDS[kind];
  return verdict(category, impact, `${name} ${reason}`);
}

const CRYPTO = /\b(crypto\w*|digital[- ]assets?|bitcoin|ether(eum)?|stable-?coins?|block-?chain|tokeni[sz]\w+|defi)\b/i;
const BINDING = /\b(final rules?|approv\w+|adopt\w+|effective|exempt\w+|spot|etfs?|etps?)\b/i;
export const mentionsCrypto = (text: string): boolean => CRYPTO.test(text);

/** For agencies: binding crypto regulation is high, other mentions of crypto are medium, the rest is low. */
export function classifyRegulation(text: string): Verdict {
  if (!mentionsCrypto(text)) return verdict('regulation', 'low', 'agency action unrelated to crypto');
  return BINDING.test(text)
    ? verdict('regulation', 'high', 'agency decision on a crypto rule or product')
    : verdict('regulation', 'medium', 'agency activity on crypto without a decision');
}

/** For Federal Reserve press releases outside the recurring kinds. */
export function classifyFed(text: string, isMonetary: boolean): Verdict {
  if (isMonetary) return verdict('monetary_policy', 'medium', 'Federal Reserve communication on monetary policy');
  if (mentionsCrypto(text)) return verdict('regulation', 'medium', 'Federal Reserve action on crypto as a regulator');
  return verdict('fed', 'low', 'Federal Reserve action outside monetary policy');
}

const TRACKED = new Set(['BTC', 'ETH', 'SOL', 'SUI', 'XRP']);
const STRUCTURE = /\b(hard ?fork|mainnet|upgrade|halving|unlock|etf|network launch|burn)\b/i;

/**
 * For a single coin: changes to the network or supply of a tracked coin are high, of another one medium, the rest is
 * low.
 */
export function classifyCoin(text: string, symbols: readonly string[]): Verdict {
  const tracked = symbols.find((symbol) => TRACKED.has(symbol));
  if (!STRUCTURE.test(text))
    return verdict('crypto', 'low', 'single-coin news that changes neither network nor supply');
  return tracked
    ? verdict('crypto', 'high', `changes the network or the supply of ${tracked}`)
    : verdict('crypto', 'medium', 'changes the network or the supply of a coin other than the tracked five');
}

/** Companies whose results correlate with crypto: those that hold or trade it, and the largest technology companies. */
export const COMPANIES: Readonly<Record<string, { name: string; near: boolean }>> = {
  COIN: { name: 'Coinbase', near: true },
  MSTR: { name: 'Strategy', near: true },
  CRCL: { name: 'Circle', near: true },
  MARA: { name: 'MARA Holdings', near: true },
  RIOT: { name: 'Riot Platforms', near: true },
  HOOD: { name: 'Robinhood', near: true },
  XYZ: { name: 'Block', near: true },
  GLXY: { name: 'Galaxy Digital', near: true },
  CME: { name: 'CME Group', near: false },
  BLK: { name: 'BlackRock', near: false },
  NVDA: { name: 'NVIDIA', near: false },
  MSFT: { name: 'Microsoft', near: false },
  AAPL: { name: 'Apple', near: false },
  TSLA: { name: 'Tesla', near: false },
};

export const classifyEarnings = (near: boolean): Verdict =>
  near
    ? verdict('earnings', 'medium', 'earnings of a crypto-native company')
    : verdict('earnings', 'low', 'earnings of a large company driven by the same capital flows');

/** For calendars with their own ratings: central banks are monetary policy, the rest is lowered by one level. */
export function classifyCalendar(title: string, rated: EventImpact, country: string): Verdict {
  const lower: Record<EventImpact, EventImpact> = { high: 'medium', medium: 'low', low: 'low' };
  const bank = /\b(bank rate|policy rate|rate statement|refinancing rate|cash rate|monetary policy|fomc|fed)\b/i.test(
    title,
  );
  const jobs = /\b(employment|unemployment|jobless|payroll)/i.test(title);
  const prices = /\b(cpi|ppi|inflation|price index)\b/i.test(title);
  const impact = country === 'USD' && rated === 'high' ? rated : lower[rated];
  const because = `the calendar rates it ${rated}${impact === rated ? '' : ', reduced one step as less related to crypto'}`;
  if (bank) return verdict('monetary_policy', impact, because);
  if (jobs) return verdict('employment', impact, because);
  return verdict(prices ? 'inflation' : 'other', impact, because);
}

/** Maximum distance at which two sources mean the same event. */
export const toleranceDays = (kind: string | null, match: string): number => {
  if (isKind(kind)) return KINDS[kind].slackDays;
  return match.startsWith('earnings ') ? 30 : 3;
};

/** The words of a title that distinguish events. */
export const significantWords = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .split(' ')
    .filter((word) => word.length > 2 && !['the', 'and', 'for', 'with', 'announces', 'of'].includes(word))
    .slice(0, 12)
    .join(' ');

export const DAY_MS = 86_400_000;

export const isoDay = (at: Date): string => at.toISOString().slice(0, 10);
export const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);
export const addDays = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS);

/** Whole UTC days between the days of two moments. */
export const daysBetween = (from: Date, to: Date): number =>
  Math.floor(to.getTime() / DAY_MS) - Math.floor(from.getTime() / DAY_MS);

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** 0 for January, also for `Jan` and `Jan.`; undefined for anything else. */
export function monthNamed(word: string): number | undefined {
  const start = word.toLowerCase().replace('.', '');
  const found = start.length < 3 ? -1 : MONTHS.findIndex((month) => month.startsWith(start));
  return found < 0 ? undefined : found;
}

/** Undefined for a day that does not exist, such as 31 June. */
export function dayFrom(year: number, month: number, date: number): string | undefined {
  const at = new Date(Date.UTC(year, month, date));
  return at.getUTCMonth() === month && at.getUTCDate() === date ? isoDay(at) : undefined;
}
