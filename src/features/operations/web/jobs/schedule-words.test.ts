import { expect, test } from 'vitest';

import { scheduleWords } from './jobs-tab.tsx';

test.each([
  ['* * * * *', 'Every minute'],
  ['*/5 * * * *', 'Every 5 minutes'],
  ['*/1 * * * *', 'Every minute'],
  ['2-59/10 * * * *', 'Every 10 minutes, from :02'],
  ['17 * * * *', 'Hourly at :17'],
  ['4,34 * * * *', 'Hourly at :04 and :34'],
  ['26 */6 * * *', 'Every 6 hours at :26'],
  ['41 3 * * *', 'Daily at 03:41 UTC'],
  ['0 8,14,20 * * *', 'Daily at 08:00, 14:00 and 20:00 UTC'],
  ['0 9 * * 1-5', 'At 09:00 UTC, Monday to Friday'],
  ['0 */4 * * 0,6', 'Every 4 hours at :00, Saturday and Sunday'],
  ['0 9 * * 1', 'At 09:00 UTC, Mondays'],
  ['0 9-17 * * 1-5', 'Hourly at :00, 09 to 17 UTC, Monday to Friday'],
  ['0 9 1 * *', '0 9 1 * *'],
  ['0 9-17/2 * * *', '0 9-17/2 * * *'],
])('%s is described as "%s"', (cron, words) => {
  expect(scheduleWords(cron)).toBe(words);
});
