export const NEEDS_PREMIUM =
  'This export needs Premium+: several kinds of data in one file, PDF, XML, alerts, backtest results and custom date ranges.';

export const FAILED = 'Failed to create export. Please try again.';
