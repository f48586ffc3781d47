import { describe, expect, test } from 'vitest';

import { loadConfig } from './config.ts';

describe('the configuration', () => {
  test('works with nothing set', () => {
    expect(loadConfig({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      ROLE: 'all',
      DATA_MODE: 'auto',
      LISTING_MINUTES: 5,
      production: false,
    });
  });

  test('an empty value counts as absent', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' }).PORT).toBe(3000);
  });

  test.each([
    ['PORT', '70000'],
    ['ROLE', 'boss'],
    ['DATA_MODE', 'fake'],
    ['DATABASE_URL', 'mysql://x'],
    ['COINGECKO_BASE_URL', 'gecko'],
    ['FULL_COLLECTION_CRON', 'hourly'],
  ])('a bad %s is named in the sentence that stops the start', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^Configuration: ${name}`));
  });
});
