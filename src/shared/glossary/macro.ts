import type { Terms } from './term.ts';

export const MACRO_TERMS: Terms = {
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
