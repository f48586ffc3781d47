import { IMPACT_WEIGHTS, SCORED, SCORED_NAMES, type Weights } from '../inflation-rule.ts';
import type { Terms } from './term.ts';

const listed = (weights: Weights) => SCORED.map((series) => `${SCORED_NAMES[series]} ${weights[series]}`).join(', ');

export const INFLATION_TERMS: Terms = {
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
