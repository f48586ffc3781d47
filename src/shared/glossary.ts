import { ANALYTICS_TERMS } from './glossary/analytics.ts';
import { MARKET_TERMS } from './glossary/market.ts';
import { CHAIN_TERMS, ONCHAIN_TERMS } from './glossary/onchain.ts';
import { RECORD_TERMS } from './glossary/record.ts';
import type { Term, Terms } from './glossary/term.ts';
import { IMPACT_WEIGHTS, SCORED, SCORED_NAMES, type Weights } from './inflation-rule.ts';

const listed = (weights: Weights) => SCORED.map((series) => `${SCORED_NAMES[series]} ${weights[series]}`).join(', ');

const INFLATION_TERMS: Terms = {
  'inflation.index': {
    name: 'Price index',
    unit: 'index',
    meaning: 'The price level as published by the agency, unadjusted where available.',
    formula: 'As published: CPIAUCNS, CPILFENS, PCEPI, PCEPILFE, PPIFID, PPICOR',
  },
  'inflation.mom': {
    name: 'Month over month',
    unit: 'percent',
    meaning:
      'Change from the previous month, from the seasonally adjusted index. Not available if either month was never published.',
    formula: 'index ÷ previous month’s index − 1, rounded to tenths of a percent as the agencies publish it',
  },
  'inflation.yoy': {
    name: 'Year over year',
    unit: 'percent',
    meaning:
      'Change from the same month a year earlier, from the unadjusted index. Marked SA where only the adjusted index is available.',
    formula: 'index ÷ index twelve months earlier − 1, in tenths of a percent; never over a different period',
  },
  'inflation.consensus': {
    name: 'Consensus',
    unit: 'percent',
    meaning: 'The market’s expectation just before the release, where a consensus source is configured.',
    formula: 'The calendar’s last value before the release',
  },
  'inflation.nowcast': {
    name: 'Nowcast',
    unit: 'percent',
    meaning: 'The Cleveland Fed’s model estimate just before the release.',
    formula: 'The last value before the release',
  },
  'inflation.two_years': {
    name: 'Two-year rate',
    unit: 'percent per year',
    meaning: 'Annualized rate over the last two years, bridging a month that was never published.',
    formula: '√(index ÷ index 24 months before) − 1',
  },
  'inflation.surprise': {
    name: 'Surprise',
    unit: 'percentage points',
    meaning: 'How far the first release was from expectations.',
    formula: 'actual − consensus, or actual − nowcast without a consensus',
    reading: 'Above zero: prices rose more than expected',
  },
  'inflation.error': {
    name: 'Forecast error',
    unit: 'percentage points',
    meaning:
      'Average distance of a forecaster from the first releases. Consensus, nowcast and last value are measured the same way.',
    formula:
      'mean absolute difference between forecast and first release, with a 99% Student’s t interval from eight months on; vs. last value: mean of the differences over common months',
    reading:
      'Ahead or behind requires 60 months and an interval that excludes 0, else no evidence; below 60 months: too few',
  },
  'inflation.sentiment': {
    name: 'Inflation sentiment',
    unit: '−2 to 2',
    meaning:
      'What the latest surprises imply for risk assets. Without a consensus, the Cleveland Fed nowcast is the expectation; with neither, the change in the year-over-year rate is used and marked as such.',
    formula: `−Σ clamp(surprise ÷ 0.1, −2, 2) × weight; weights: ${listed(IMPACT_WEIGHTS.crypto)}, the same for crypto; stocks: ${listed(IMPACT_WEIGHTS.stocks)}; bonds: ${listed(IMPACT_WEIGHTS.bonds)}`,
    reading:
      '1.5 or more: very bullish; 0.75: bullish; 0.25: slightly bullish; mirrored below zero for bearish; neutral in between',
  },
};

const MACRO_TERMS: Terms = {
  'macro.us2y': {
    name: 'US Treasury yield, 2 years',
    unit: 'percent',
    meaning: 'Yield on two-year US government debt: where the market expects interest rates to go.',
    formula: 'FRED DGS2: market yield at constant maturity, one value per business day with a lag of one to two days',
    reading: 'Rising: cash earns more, a headwind for risk assets',
  },
  'macro.us10y': {
    name: 'US Treasury yield, 10 years',
    unit: 'percent',
    meaning: 'Yield on ten-year US government debt, the benchmark for all other assets.',
    formula: 'FRED DGS10: market yield at constant maturity, one value per business day with a lag of one to two days',
    reading: 'Rising: cash earns more, a headwind for risk assets',
  },
  'macro.us30y': {
    name: 'US Treasury yield, 30 years',
    unit: 'percent',
    meaning: 'Yield on thirty-year US government debt: the market’s longest view of inflation and debt.',
    formula: 'FRED DGS30: market yield at constant maturity, one value per business day with a lag of one to two days',
  },
  'macro.fed_funds': {
    name: 'Federal funds rate',
    unit: 'percent',
    meaning: 'Overnight interbank lending rate, steered by the Federal Reserve.',
    formula: 'FRED FEDFUNDS: monthly average of the effective rate',
  },
  'macro.dollar_broad': {
    name: 'Broad dollar index',
    unit: 'January 2006 = 100',
    meaning:
      'The dollar against the currencies of US trading partners. This is the Federal Reserve index, near 120, not the ICE DXY, near 100, which has no free source.',
    formula:
      'FRED DTWEXBGS: nominal, weighted by trade in goods and services, one value per business day with a lag of a week',
    reading: 'Rising: dollars are scarce, historically associated with falling crypto prices',
  },
  'macro.oil_wti': {
    name: 'Crude oil, WTI',
    unit: 'USD per barrel',
    meaning: 'The energy price that feeds into consumer prices first.',
    formula: 'FRED DCOILWTICO: spot price at Cushing, Oklahoma, one value per business day with a lag of about a week',
  },
  'macro.sp500': {
    name: 'S&P 500',
    unit: 'index',
    meaning:
      'Equity index of 500 large US companies, excluding dividends. Owned by S&P Dow Jones Indices; collected only where the operator holds display rights.',
    formula: 'FRED SP500: daily close; off without FRED_COPYRIGHTED',
  },
  'macro.vix': {
    name: 'VIX',
    unit: 'percent per year',
    meaning:
      'Option-implied 30-day volatility of the S&P 500. Owned by Cboe; collected only where the operator holds display rights.',
    formula: 'FRED VIXCLS: daily close; off without FRED_COPYRIGHTED',
    reading: 'Near 15 is calm, above 30 is fear',
  },
};

const EVENT_TERMS: Terms = {
  'event.category': {
    name: 'Event category',
    unit: 'word',
    meaning: 'The subject of an event.',
    formula:
      'By kind. fed: FOMC rate decisions. monetary_policy: FOMC minutes, Beige Book, other central banks. inflation: CPI, PCE, PPI. employment: payrolls, JOLTS, employment costs. crypto: halving, options expiries, coin events. regulation: SEC, CFTC and Federal Reserve statements on crypto. earnings: crypto-related companies. other: GDP, retail sales and everything else',
  },
  'event.impact': {
    name: 'Event impact',
    unit: 'high, medium, low',
    meaning: 'How much an event can move crypto, rated by rules that do not use prices.',
    formula:
      'By kind. High: FOMC decision, CPI, PCE, payrolls, halving. Medium: PPI, minutes, GDP, JOLTS, employment costs, quarterly expiries. Low: monthly expiries, Beige Book, retail sales. Agencies on crypto: high for decisions on a rule or product, else medium. Single coins: a network or supply change is high for a tracked coin and medium for any other, everything else low. Earnings: medium for crypto-native companies, else low. Other calendars: their own rating, one step lower outside the US',
    reading: 'Each event states which rule applied',
  },
  'event.time': {
    name: 'Event time',
    unit: 'UTC',
    meaning: 'The time shown when several sources differ; the others are listed next to it.',
    formula:
      'Announced dates before estimated ones. Then the organizer, official republishers, the bundled calendar and event aggregators, in that order. Then exact times before dates, then the most recent report. Reports a source has not repeated for three days while others updated no longer count',
  },
  'event.estimate': {
    name: 'Estimated date',
    unit: 'days',
    meaning: 'The date has not been announced and is derived from a rule.',
    formula:
      'Halving: ten minutes per block from the current height, with a range from 3% faster to 1% slower plus twice the random spread. Unscheduled releases: the agency’s usual day. FOMC minutes: three weeks after the decision. Beige Book: two weeks before it',
  },
  'event.window': {
    name: 'Reminder window',
    unit: '1, 2, 3, 5 or 7 days',
    meaning: 'How close an event is, for reminders.',
    formula: 'Whole UTC days from today to the event; each window is entered once',
  },
  'event.study': {
    name: 'Event study',
    unit: 'percent',
    meaning: 'How BTC and ETH moved around past releases, by surprise.',
    formula:
      'Log return from the close before the release to the close of that day, or 2 or 6 days later, minus the average of all such windows between the first and last release; mean and 99% Student’s t interval, because 24 cells are compared. Surprise: vs. consensus where at least eight releases have one stored, else vs. the previous month; less than 0.05 points is in line',
    reading: 'An interval that contains 0 shows no significant move. Fewer than 8 events: too few',
  },
};

const NARRATIVE_TERMS: Terms = {
  'narrative.volume': {
    name: 'Narrative volume, 24h',
    unit: 'USD',
    meaning: 'Trading volume of the narrative’s coins.',
    formula: 'Sum of their 24h volumes',
  },
  'narrative.change': {
    name: 'Narrative change, 24h',
    unit: 'percent',
    meaning: 'Average move of the narrative’s coins.',
    formula: 'Average of their 24h changes, weighted by market cap',
  },
  'narrative.relevance': {
    name: 'Relevance',
    unit: '0–1, shown as percent',
    meaning: 'How much attention the narrative gets right now compared with other narratives.',
    formula:
      'rank-normalised mean of volume share, abnormal volume (z over 30 days) and breadth (part of the coins that rose)',
  },
  'narrative.sentiment': {
    name: 'Narrative sentiment',
    unit: 'word',
    meaning: 'How the narrative performs against the total market.',
    formula: 'cap-weighted 24h change relative to the market, in σ of its daily moves; cuts at ±0.5σ and ±1.5σ',
    reading: '> 1.5σ very positive, > 0.5σ positive, < −0.5σ negative, < −1.5σ very negative, else neutral',
  },
  'narrative.risk': {
    name: 'Narrative risk',
    unit: 'word',
    meaning: 'How much the narrative moves, up or down, compared with other narratives.',
    formula: 'tercile of realized volatility over 30 days: low, medium, high',
  },
  'narrative.opportunity': {
    name: 'Opportunity score',
    unit: '0–100',
    meaning:
      'Attention, strength, breadth and stability in one number. It describes the present and is not a prediction.',
    formula: '100 × (0.4 × relevance + 0.3 × normal-CDF of relative σ + 0.2 × breadth + 0.1 × (1 − volatility rank))',
  },
};

const RULE_TERMS: Terms = {
  'rule.margin': {
    name: 'Margin',
    meaning: 'How far the value must move back before a custom alert rearms.',
    formula: 'above T: rearms at T − margin; below T: at T + margin',
    unit: 'same as the metric',
  },
  'rule.suppressed': {
    name: 'Suppressed',
    meaning: 'Crossings that raised no alert because of margin, cooldown, hold time or schedule.',
    formula: 'crossings of the level − fires, over the same values',
    unit: 'count',
  },
  'rule.after': {
    name: 'After firing',
    meaning:
      'How the coin moved in the 24h after the alert would have fired, compared with all days in the same period.',
    formula:
      'mean 24h log return after non-overlapping fires, in percent; 95% interval by circular block bootstrap with 10-day blocks',
    unit: 'percent',
    reading:
      '“No evidence” unless there are at least 8 fires and the 99% interval of the difference from all days excludes zero: a level crossed often is one the price has reversed from',
  },
  'rule.suggestion': {
    name: 'Target fires per week',
    meaning: 'The value closest to yours at which the alert would have fired about that often.',
    formula: 'fires ÷ days × 7 within 25% of 1 or 3, over the stored 90 days; requires at least 21 days',
    unit: 'same as the metric',
  },
};

/** Every metric by its id. */
export const GLOSSARY: Readonly<Record<string, Term>> = {
  ...MARKET_TERMS,
  ...ONCHAIN_TERMS,
  ...CHAIN_TERMS,
  ...NARRATIVE_TERMS,
  ...RECORD_TERMS,
  ...INFLATION_TERMS,
  ...MACRO_TERMS,
  ...EVENT_TERMS,
  ...RULE_TERMS,
  ...ANALYTICS_TERMS,
};
