import type { EventCategory, EventImpact } from '#features/events/contract.ts';

/** A recurring kind of event. `slackDays`: maximum distance for two sources to mean the same one. */
export type Kind = {
  name: string;
  category: EventCategory;
  impact: EventImpact;
  reason: string;
  slackDays: number;
  /** Fixed release time in New York, if any. */
  time?: string;
};

const monthly = { slackDays: 14, time: '08:30' };

/** `event.category` and `event.impact` in the glossary describe the same in words. */
export const KINDS = {
  fomc: {
    name: 'FOMC rate decision',
    category: 'fed',
    impact: 'high',
    reason: 'sets the price of dollars, the discount rate of every market',
    slackDays: 14,
    time: '14:00',
  },
  'fomc-minutes': {
    name: 'FOMC minutes',
    category: 'monetary_policy',
    impact: 'medium',
    reason: 'explain the last decision without making a new one',
    slackDays: 14,
    time: '14:00',
  },
  'beige-book': {
    name: 'Federal Reserve Beige Book',
    category: 'monetary_policy',
    impact: 'low',
    reason: 'is a qualitative report that rarely moves prices',
    slackDays: 14,
    time: '14:00',
  },
  cpi: {
    name: 'Consumer Price Index (CPI)',
    category: 'inflation',
    impact: 'high',
    reason: 'is the first full look at a month’s prices',
    ...monthly,
  },
  pce: {
    name: 'Personal Income and Outlays (PCE price index)',
    category: 'inflation',
    impact: 'high',
    reason: 'contains the Federal Reserve’s preferred inflation measure',
    ...monthly,
  },
  ppi: {
    name: 'Producer Price Index (PPI)',
    category: 'inflation',
    impact: 'medium',
    reason: 'feeds into the PCE price index and mostly follows the CPI',
    ...monthly,
  },
  payrolls: {
    name: 'Employment Situation (nonfarm payrolls)',
    category: 'employment',
    impact: 'high',
    reason: 'is the other half of the Federal Reserve’s mandate',
    ...monthly,
  },
  jolts: {
    name: 'Job Openings and Labor Turnover (JOLTS)',
    category: 'employment',
    impact: 'medium',
    reason: 'shows the labor market a month later than payrolls',
    slackDays: 14,
    time: '10:00',
  },
  eci: {
    name: 'Employment Cost Index',
    category: 'employment',
    impact: 'medium',
    reason: 'is the cleanest measure of wages, once a quarter',
    ...monthly,
  },
  gdp: {
    name: 'Gross Domestic Product (GDP)',
    category: 'other',
    impact: 'medium',
    reason: 'covers a quarter that has already ended',
    ...monthly,
  },
  'retail-sales': {
    name: 'Retail sales',
    category: 'other',
    impact: 'low',
    reason: 'moves crypto less than inflation and jobs data',
    ...monthly,
  },
  'btc-halving': {
    name: 'Bitcoin halving',
    category: 'crypto',
    impact: 'high',
    reason: 'halves new Bitcoin supply about every four years',
    slackDays: 400,
  },
  'btc-expiry-quarter': {
    name: 'Quarterly Bitcoin options expiry',
    category: 'crypto',
    impact: 'medium',
    reason: 'settles a quarter’s open interest at one price',
    slackDays: 2,
  },
  'btc-expiry': {
    name: 'Monthly Bitcoin options expiry',
    category: 'crypto',
    impact: 'low',
    reason: 'settles a month’s open interest',
    slackDays: 2,
  },
  'eth-expiry-quarter': {
    name: 'Quarterly Ether options expiry',
    category: 'crypto',
    impact: 'medium',
    reason: 'settles a quarter’s open interest at one price',
    slackDays: 2,
  },
  'eth-expiry': {
    name: 'Monthly Ether options expiry',
    category: 'crypto',
    impact: 'low',
    reason: 'settles a month’s open interest',
    slackDays: 2,
  },
} as const satisfies Record<string, Kind>;
export type KindId = keyof typeof KINDS;

export const isKind = (id: string | null): id is KindId => id !== null && Object.hasOwn(KINDS, id);

const WORDS: readonly [KindId, RegExp][] = [
  ['payrolls', /\bemployment situation\b(?!.*(veterans|people with))|non-?farm (employment|payroll)/i],
  ['jolts', /\bjob openings\b|\bjolts\b/i],
  ['eci', /\bemployment cost index\b/i],
  ['pce', /\bpersonal income and outlays\b|\bpce price index\b/i],
  ['cpi', /\bconsumer price index\b|\bcpi [my]\/[my]\b/i],
  ['ppi', /\bproducer price index|\bppi m\/m\b/i],
  ['gdp', /^(u\.?s\.? )?(gross domestic product(?!.*\b(state|county|industry|metro))|.*\bgdp q\/q\b)/i],
  ['retail-sales', /\bretail (sales|trade)\b/i],
  ['fomc-minutes', /\b(fomc|federal open market committee)\b.*\bminutes\b|\bminutes of the federal open market/i],
  ['beige-book', /\bbeige book\b/i],
  ['fomc', /\bfomc statement\b|\bfederal funds rate\b|\bfomc rate decision\b|\bfomc (meeting|press conference)\b/i],
];

/** The recurring kind of a title; null for none. */
export const detectKind = (title: string): KindId | null => WORDS.find(([, words]) => words.test(title))?.[0] ?? null;
