export const NEEDS_PREMIUM =
  'This export requires Premium+, which includes multiple data types in one file, PDF, XML, alerts, backtest results and custom date ranges.';

export const FAILED = 'Failed to create export. Please try again.';
