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
  ])('a bad %s is named in the sentence that stops the start', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^Configuration: ${name}`));
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
