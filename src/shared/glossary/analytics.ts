import type { Terms } from './term.ts';

export const ANALYTICS_TERMS: Terms = {
  'analytics.volume': {
    name: 'Tracked assets volume, 24h',
    unit: 'USD',
    meaning: '24h trading volume of BTC, ETH, SOL, SUI and XRP.',
    formula: 'Sum of their 24h volumes',
  },
  'analytics.volatility': {
    name: 'Market volatility',
    unit: 'percent',
    meaning: 'Dispersion of the tracked assets’ 24h moves.',
    formula: 'standard deviation of their 24h changes, divided by their number',
    reading: 'Above 10 High, above 5 Medium, else Low',
  },
  'analytics.avg_change': {
    name: 'Average change, 24h',
    unit: 'percent',
    meaning: 'Average 24h gain or loss of the tracked assets, equally weighted.',
    formula: 'mean of their 24h changes',
    reading: '0 or more is Bullish, below it Bearish',
  },
  'analytics.risk_adjusted': {
    name: 'Risk-adjusted return',
    unit: 'ratio',
    meaning: 'Average change per point of volatility.',
    formula: '(average change − 0.02) ÷ market volatility',
  },
  'risk.volatility': {
    name: 'Annualized volatility',
    unit: 'percent per year',
    meaning: 'Day-to-day price variability, annualized.',
    formula: 'sample standard deviation of simple daily returns × √365',
  },
  'risk.sharpe': {
    name: 'Sharpe ratio',
    unit: 'ratio',
    meaning: 'Return above the 2% annual risk-free rate per unit of volatility.',
    formula: '(mean daily return × 365 − 0.02) ÷ annualized volatility',
    reading: 'Above 1: high return for the risk. Below 0: less than the risk-free rate',
  },
  'risk.sortino': {
    name: 'Sortino ratio',
    unit: 'ratio',
    meaning: 'Like the Sharpe ratio, but only returns below the risk-free rate count as risk.',
    formula:
      '(mean daily return × 365 − 0.02) ÷ (√ of the mean of min(0, daily return − 0.02 ÷ 365)² over all days × √365)',
  },
  'risk.drawdown': {
    name: 'Maximum drawdown',
    unit: 'percent',
    meaning: 'Largest fall from a peak: the loss from buying at the worst time.',
    formula: 'largest of 1 − daily close ÷ highest daily close before it, within the window',
  },
  'risk.beta': {
    name: 'Beta to BTC',
    unit: 'ratio',
    meaning: 'How much a coin moves when BTC moves by one percent.',
    formula: 'covariance with BTC daily returns ÷ variance of BTC daily returns, over common days',
    reading: '1: moves like BTC. 2: twice as much. Below 0: opposite to BTC',
  },
};
