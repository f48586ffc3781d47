import type { Terms } from './term.ts';

export const ANALYTICS_TERMS: Terms = {
  'analytics.volume': {
    name: 'Volume of the tracked assets, 24h',
    unit: 'USD',
    meaning: 'What changed hands in BTC, ETH, SOL, SUI and XRP over a day.',
    formula: 'Sum of their 24h volumes',
  },
  'analytics.volatility': {
    name: 'Market volatility',
    unit: 'percent',
    meaning: 'How far apart the tracked assets moved over a day.',
    formula: 'standard deviation of their 24h changes, divided by their number',
    reading: 'Above 10 High, above 5 Medium, else Low',
  },
  'analytics.avg_change': {
    name: 'Average change, 24h',
    unit: 'percent',
    meaning: 'What the tracked assets gained or lost over a day, each counted alike.',
    formula: 'mean of their 24h changes',
    reading: '0 or more is Bullish, below it Bearish',
  },
  'analytics.risk_adjusted': {
    name: 'Risk-adjusted return',
    unit: 'ratio',
    meaning: 'The average change for each point of volatility.',
    formula: '(average change − 0.02) ÷ market volatility',
  },
  'risk.volatility': {
    name: 'Annualised volatility',
    unit: 'percent a year',
    meaning: 'How much a price swings from day to day, annualised.',
    formula: 'sample standard deviation of simple daily returns × √365',
  },
  'risk.sharpe': {
    name: 'Sharpe ratio',
    unit: 'ratio',
    meaning: 'What the swings were paid with: return above the risk-free 2% a year for each point of volatility.',
    formula: '(mean daily return × 365 − 0.02) ÷ annualised volatility',
    reading: 'Above 1 is much for the risk. Below 0: less than what is free of risk',
  },
  'risk.sortino': {
    name: 'Sortino ratio',
    unit: 'ratio',
    meaning: 'Like the Sharpe ratio, but only swings below the risk-free return count as risk.',
    formula:
      '(mean daily return × 365 − 0.02) ÷ (√ of the mean of min(0, daily return − 0.02 ÷ 365)² over all days × √365)',
  },
  'risk.drawdown': {
    name: 'Maximum drawdown',
    unit: 'percent',
    meaning: 'The deepest fall from a high: what the worst moment to buy would have cost.',
    formula: 'largest of 1 − daily close ÷ highest daily close before it, within the window',
  },
  'risk.beta': {
    name: 'Beta to BTC',
    unit: 'ratio',
    meaning: 'How far a coin moves when BTC moves by one percent.',
    formula: 'covariance with the daily returns of BTC ÷ their variance, of the days both have',
    reading: '1 moves like BTC, 2 twice as far, below 0 against it',
  },
};
