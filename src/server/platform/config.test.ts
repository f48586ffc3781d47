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
    ['SECRET_KEY', 'too short'],
    ['SMTP_URL', 'smtp.example.com:587'],
    ['SMTP_URL', 'smtp://mail.example:99999'],
    ['MAIL_FROM', 'Meridian'],
    ['MAIL_FROM', 'a@b.example, c@d.example'],
    ['MAIL_FROM', 'Meridian\r\nBcc: eve <a@b.example>'],
    ['EMAIL_CONFIRMATION', 'maybe'],
    ['TRUST_PROXY', 'yes'],
    ['FAST_LANE_SECONDS', '30'],
    ['FAST_LANE_SECONDS', '90'],
    ['FAST_LANE_SECONDS', '480'],
    ['COINGECKO_PLAN', 'enterprise'],
  ])('a bad %s is named in the sentence that stops the start', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^Configuration: ${name}`));
  });

  test('a CoinGecko key that is paid has its own address and a list each minute', () => {
    const key = { COINGECKO_API_KEY: 'CG-x' };
    expect(loadConfig({ ...key, COINGECKO_PLAN: 'paid' })).toMatchObject({
      COINGECKO_BASE_URL: 'https://pro-api.coingecko.com/api/v3',
      LISTING_MINUTES: 1,
    });
    expect(loadConfig({ ...key, COINGECKO_PLAN: 'paid', LISTING_MINUTES: '2' }).LISTING_MINUTES).toBe(2);
    expect(loadConfig(key)).toMatchObject({
      COINGECKO_BASE_URL: 'https://api.coingecko.com/api/v3',
      LISTING_MINUTES: 5,
    });
  });

  test.each([
    [{ LISTING_MINUTES: '4' }, '250 coins can be read every 5 minutes'],
    [{ COIN_LIMIT: '500' }, '500 coins can be read every 10 minutes'],
  ])('a price list that a CoinGecko demo key cannot pay for is refused: %o', (wish, told) => {
    const env: Record<string, string> = { COINGECKO_API_KEY: 'CG-x', ...wish };
    expect(() => loadConfig(env)).toThrow(told);
    expect(() => loadConfig(env)).toThrow(/^Configuration: LISTING_MINUTES: .*10,000 calls a month/);
    expect(() => loadConfig({ ...env, COINGECKO_PLAN: 'paid' })).not.toThrow();
    expect(() => loadConfig(wish)).not.toThrow();
  });

  test('a bad secret is not repeated in that sentence', () => {
    const tell = () => loadConfig({ SECRET_KEY: 'hunter2', SMTP_URL: 'smtp://me:hunter2@mail.example:99999' });
    expect(tell).toThrow(/^Configuration: /);
    expect(tell).not.toThrow(/hunter2/);
  });

  test.each([['mail@m.example'], ['Meridian, Inc. <mail@m.example>']])('the sender may be written %s', (MAIL_FROM) => {
    expect(loadConfig({ MAIL_FROM }).MAIL_FROM).toBe(MAIL_FROM);
  });
});
