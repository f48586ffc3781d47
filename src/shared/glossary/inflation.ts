import { IMPACT_WEIGHTS, SCORED, SCORED_NAMES, type Weights } from '../inflation-rule.ts';
import type { Terms } from './term.ts';

const listed = (weights: Weights) => SCORED.map((series) => `${SCORED_NAMES[series]} ${weights[series]}`).join(', ');

export const INFLATION_TERMS: Terms = {
  'inflation.index': {
    name: 'Price index',
    unit: 'index',
    meaning: 'The level of prices as the agency publishes it, unadjusted where there is such an index.',
    formula: 'As published: CPIAUCNS, CPILFENS, PCEPI, PCEPILFE, PPIFID, PPICOR',
  },
  'inflation.mom': {
    name: 'Month over month',
    unit: 'percent',
    meaning:
      'Change against the month before, from the seasonally adjusted index. Unknown when either month was never published.',
    formula: 'index ÷ index of the month before − 1, in tenths of a percent as the agencies print it',
  },
  'inflation.yoy': {
    name: 'Year over year',
    unit: 'percent',
    meaning:
      'Change against the same month a year before, from the unadjusted index. It says SA where only the adjusted one is known.',
    formula: 'index ÷ index of twelve months before − 1, in tenths of a percent; never over another span',
  },
  'inflation.consensus': {
    name: 'Consensus',
    unit: 'percent',
    meaning: 'What people expected of the release just before it, where a source of expectations is set.',
    formula: 'The last word of the calendar before the release',
  },
  'inflation.nowcast': {
    name: 'Nowcast',
    unit: 'percent',
    meaning: 'The estimate of the Cleveland Fed’s model just before the release, not anyone’s opinion.',
    formula: 'The last value before the release',
  },
  'inflation.two_years': {
    name: 'Two-year rate',
    unit: 'percent per year',
    meaning: 'The yearly rate over the last two years. It spans a month that was never published.',
    formula: '√(index ÷ index 24 months before) − 1',
  },
  'inflation.surprise': {
    name: 'Surprise',
    unit: 'percentage points',
    meaning: 'How far the first release was from expectations.',
    formula: 'actual − consensus, or actual − nowcast without a consensus',
    reading: 'Above zero prices rose more than expected',
  },
  'inflation.error': {
    name: 'Error of a forecast',
    unit: 'percentage points',
    meaning:
      'How far the forecasts of somebody were from the first prints, on average. Consensus, nowcast and last value are counted in the same way.',
    formula:
      'mean of the absolute differences of said and first print, with Student’s interval of 99 in 100 from eight months on; against the last value: mean of the differences over the months of both',
    reading: 'Ahead or behind takes 60 months and an interval without 0, else no evidence; below 60 months too few',
  },
  'inflation.sentiment': {
    name: 'Inflation sentiment',
    unit: '−2 to 2',
    meaning:
      'What the newest surprises say for prices of risk. Without a consensus the Cleveland Fed nowcast is the expectation; with neither, the change of the year-over-year rate counts and the term says so.',
    formula: `−Σ clamp(surprise ÷ 0.1, −2, 2) × weight; weights: ${listed(IMPACT_WEIGHTS.crypto)}, the same for crypto; stocks: ${listed(IMPACT_WEIGHTS.stocks)}; bonds: ${listed(IMPACT_WEIGHTS.bonds)}`,
    reading:
      'From 1.5 very bullish, from 0.75 bullish, from 0.25 slightly bullish, and the same below zero for bearish; between them neutral',
  },
};
