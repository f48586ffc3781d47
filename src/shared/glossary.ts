import { ANALYTICS_TERMS } from './glossary/analytics.ts';
import { CHAIN_TERMS } from './glossary/chains.ts';
import { INFLATION_TERMS } from './glossary/inflation.ts';
import { MARKET_TERMS } from './glossary/market.ts';
import { ONCHAIN_TERMS } from './glossary/onchain.ts';
import { RECORD_TERMS } from './glossary/record.ts';
import type { Term, Terms } from './glossary/term.ts';

const MACRO_TERMS: Terms = {
  'macro.us2y': {
    name: 'US Treasury yield, 2 years',
    unit: 'percent',
    meaning: 'What lending to the US government for two years pays: where the market sees interest rates going.',
    formula: 'FRED DGS2: market yield at constant maturity, one value a working day, a day or two late',
    reading: 'Rising: money that waits is paid more, which speaks against prices of risk',
  },
  'macro.us10y': {
    name: 'US Treasury yield, 10 years',
    unit: 'percent',
    meaning: 'What lending to the US government for ten years pays, which all other assets are measured against.',
    formula: 'FRED DGS10: market yield at constant maturity, one value a working day, a day or two late',
    reading: 'Rising: money that waits is paid more, which speaks against prices of risk',
  },
  'macro.us30y': {
    name: 'US Treasury yield, 30 years',
    unit: 'percent',
    meaning: 'What lending to the US government for thirty years pays: inflation and debt as far as the market looks.',
    formula: 'FRED DGS30: market yield at constant maturity, one value a working day, a day or two late',
  },
  'macro.fed_funds': {
    name: 'Federal funds rate',
    unit: 'percent',
    meaning: 'What banks paid each other for money overnight, which the Federal Reserve steers.',
    formula: 'FRED FEDFUNDS: mean of the effective rate over a month, one value a month',
  },
  'macro.dollar_broad': {
    name: 'Broad dollar index',
    unit: 'January 2006 = 100',
    meaning:
      'The dollar against the currencies of the trading partners of the US. It is the index of the Federal Reserve, near 120, and not the DXY of ICE, near 100, which has no free source.',
    formula: 'FRED DTWEXBGS: nominal, weighted by trade in goods and services, one value a working day, a week late',
    reading: 'Rising: dollars are scarce, which has mostly gone with falling prices of crypto',
  },
  'macro.oil_wti': {
    name: 'Crude oil, WTI',
    unit: 'USD a barrel',
    meaning: 'The price of energy that reaches consumer prices first.',
    formula: 'FRED DCOILWTICO: spot price at Cushing, Oklahoma, one value a working day, about a week late',
  },
  'macro.sp500': {
    name: 'S&P 500',
    unit: 'index',
    meaning:
      'The equity index: 500 large companies of the US, without dividends. It belongs to S&P Dow Jones Indices and is read only where the operator may show it.',
    formula: 'FRED SP500: value at the close, one a working day; off without FRED_COPYRIGHTED',
  },
  'macro.vix': {
    name: 'VIX',
    unit: 'percent a year',
    meaning:
      'How much options expect the S&P 500 to move over 30 days. It belongs to Cboe and is read only where the operator may show it.',
    formula: 'FRED VIXCLS: value at the close, one a working day; off without FRED_COPYRIGHTED',
    reading: 'Near 15 is calm, above 30 is fear',
  },
};

const EVENT_TERMS: Terms = {
  'event.category': {
    name: 'Category of an event',
    unit: 'word',
    meaning: 'What an event is about.',
    formula:
      'By kind. fed: FOMC rate decisions. monetary_policy: FOMC minutes, Beige Book, other central banks. inflation: CPI, PCE, PPI. employment: payrolls, JOLTS, employment costs. crypto: halving, options expiries, events of single coins. regulation: SEC, CFTC and what the Federal Reserve says of crypto. earnings: companies near crypto. other: GDP, retail sales and the rest',
  },
  'event.impact': {
    name: 'Impact of an event',
    unit: 'high, medium, low',
    meaning: 'How much the event can move crypto, by a rule that does not look at prices.',
    formula:
      'By kind. High: FOMC decision, CPI, PCE, payrolls, halving. Medium: PPI, minutes, GDP, JOLTS, employment costs, quarterly expiries. Low: monthly expiries, Beige Book, retail sales. Agencies on crypto: high when they decide a rule or a product, else medium. One coin: a change of network or supply is high for a tracked coin and medium for another, all else low. Earnings: medium for companies that live on crypto, else low. Other calendars: their own rating, one step down outside of the US',
    reading: 'Each event says which of these it met',
  },
  'event.time': {
    name: 'Time of an event',
    unit: 'UTC',
    meaning: 'The one time that is shown where several sources name one; the others stand beside it.',
    formula:
      'A named day before an estimated one. Then who holds the event, then who republishes officially, then the calendar shipped with the product, then collectors of events. Then a minute before a day, then the newest word. What a source has not repeated for three days while others were heard no longer counts',
  },
  'event.estimate': {
    name: 'Estimated date',
    unit: 'days',
    meaning: 'Nobody has named the day: it follows from a rule.',
    formula:
      'Halving: ten minutes a block from the height now, with an interval of 3% faster to 1% slower and twice the spread of chance. Releases not yet scheduled: the usual day of the agency. FOMC minutes: three weeks after the decision. Beige Book: two weeks before it',
  },
  'event.window': {
    name: 'Reminder window',
    unit: '1, 2, 3, 5 or 7 days',
    meaning: 'How near an event is, for reminders.',
    formula: 'Whole UTC days from today to the day of the event; each window is entered once',
  },
  'event.study': {
    name: 'Event study',
    unit: 'percent',
    meaning: 'How BTC and ETH moved around past prints of a kind, by whether they surprised.',
    formula:
      'Log return from the close before the release to the close of that day, or 2 or 6 days later, less the average of all such windows between the first and the last print; mean and Student’s interval of 99 in 100, as 24 cells are looked at together. Surprise: against the consensus where eight releases have one stored, else against the month before; less than 0.05 points is in line',
    reading: 'An interval that holds 0 shows no move. Below 8 events: too few',
  },
};

const NARRATIVE_TERMS: Terms = {
  'narrative.volume': {
    name: 'Narrative volume, 24h',
    unit: 'USD',
    meaning: 'What changed hands in the coins of the narrative.',
    formula: 'Sum of their 24h volumes',
  },
  'narrative.change': {
    name: 'Narrative change, 24h',
    unit: 'percent',
    meaning: 'How the coins of the narrative moved on average.',
    formula: 'Mean of their 24h changes, weighted by market cap',
  },
  'narrative.relevance': {
    name: 'Relevance',
    unit: '0–1, shown as percent',
    meaning: 'How much the market is busy with the narrative now, against the other narratives.',
    formula:
      'rank-normalised mean of volume share, abnormal volume (z over 30 days) and breadth (part of the coins that rose)',
  },
  'narrative.sentiment': {
    name: 'Narrative sentiment',
    unit: 'word',
    meaning: 'How the narrative does against the whole market.',
    formula: 'cap-weighted 24h change relative to the market, in σ of its daily moves; cuts at ±0.5σ and ±1.5σ',
    reading: '> 1.5σ very positive, > 0.5σ positive, < −0.5σ negative, < −1.5σ very negative, else neutral',
  },
  'narrative.risk': {
    name: 'Narrative risk',
    unit: 'word',
    meaning: 'How much the narrative moves, up or down, against the other narratives.',
    formula: 'tercile of realised volatility over 30 days: low, medium, high',
  },
  'narrative.opportunity': {
    name: 'Opportunity score',
    unit: '0–100',
    meaning: 'Attention, strength, breadth and calm in one number. It describes today and predicts nothing.',
    formula: '100 × (0.4 × relevance + 0.3 × normal-CDF of relative σ + 0.2 × breadth + 0.1 × (1 − volatility rank))',
  },
};

const RULE_TERMS: Terms = {
  'rule.margin': {
    name: 'Margin',
    meaning: 'How far the value has to come back before an alert of your own is armed again.',
    formula: 'above T: armed again at T − margin; below T: at T + margin',
    unit: 'as the metric',
  },
  'rule.suppressed': {
    name: 'Kept quiet',
    meaning: 'Crossings that made no alert, because margin, cooldown, hold time or schedule kept it from flapping.',
    formula: 'crossings of the bare level − fires, over the same values',
    unit: 'count',
  },
  'rule.after': {
    name: 'After a fire',
    meaning: 'How the coin moved in the 24h after the alert would have fired, against all days of the same span.',
    formula:
      'mean log move over 24h after fires that do not overlap, as percent; 95% interval by circular block bootstrap in blocks of 10 days',
    unit: 'percent',
    reading:
      '“No evidence” unless there are 8 fires and the 99% interval of their distance to all days leaves out zero: a level that was met often is one that the price turned back from',
  },
  'rule.suggestion': {
    name: 'About so often a week',
    meaning: 'The value nearest to yours with which the alert would have fired about that often.',
    formula: 'fires ÷ days × 7 within a quarter of 1 or 3, over the stored 90 days; none from less than 21 days',
    unit: 'as the metric',
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
