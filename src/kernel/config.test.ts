import fc from 'fast-check';
import { getAddress, toHex } from 'viem';
import { describe, expect, test } from 'vitest';

import { ConfigError, loadConfig } from './config.ts';
import { checksummed, isChecksummed } from './evm-address.ts';

describe('the configuration', () => {
  test('works with no settings', () => {
    expect(loadConfig({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      ROLE: 'all',
      DATA_MODE: 'auto',
      LISTING_MINUTES: 5,
      production: false,
    });
  });

  test('an empty value counts as unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' }).PORT).toBe(3000);
  });

  test.each([
    ['PORT', '70000'],
    ['WEBHOOK_DNS', 'dns.example.com'],
    ['WEBHOOK_DNS', '9.9.9.9;1.1.1.1'],
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
    ['PUSH_TEST_ORIGIN', 'http://10.0.0.5:80'],
    ['PUSH_TEST_ORIGIN', 'http://127.0.0.1:80@evil.example'],
    ['PUSH_TEST_ORIGIN', 'http://127.0.0.1:80/path'],
    ['TRUST_PROXY', 'yes'],
    ['VENICE_BASE_URL', 'api.venice.ai'],
    ['AI_TIMEOUT_SECONDS', '4'],
    ['FAST_LANE_SECONDS', '30'],
    ['FAST_LANE_SECONDS', '90'],
    ['FAST_LANE_SECONDS', '480'],
    ['COINGECKO_PLAN', 'enterprise'],
  ])('a bad %s is named in the message that stops the start', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^Configuration: ${name}`));
  });

  test('a paid CoinGecko key has its own address and a list each minute', () => {
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
    [{ LISTING_MINUTES: '4' }, 'can read 250 coins every 5 minutes'],
    [{ COIN_LIMIT: '500' }, 'can read 500 coins every 10 minutes'],
  ])('rejects a price list beyond the CoinGecko demo quota: %o', (wish, told) => {
    const env: Record<string, string> = { COINGECKO_API_KEY: 'CG-x', ...wish };
    expect(() => loadConfig(env)).toThrow(told);
    expect(() => loadConfig(env)).toThrow(/^Configuration: LISTING_MINUTES: .*10,000 calls per month/);
    expect(() => loadConfig({ ...env, COINGECKO_PLAN: 'paid' })).not.toThrow();
    expect(() => loadConfig(wish)).not.toThrow();
  });

  test('a bad secret is not repeated in that message', () => {
    const tell = () => loadConfig({ SECRET_KEY: 'hunter2', SMTP_URL: 'smtp://me:hunter2@mail.example:99999' });
    expect(tell).toThrow(/^Configuration: /);
    expect(tell).not.toThrow(/hunter2/);
  });

  test('a mail server error is reported once', () => {
    const told = 'Configuration: SMTP_URL: must be an smtp:// or smtps:// URL';
    for (const SMTP_URL of ['mail.example:587', 'smtp://mail.example:99999', 'nonsense'])
      expect(() => loadConfig({ SMTP_URL })).toThrow(new ConfigError(told));
  });

  test.each([['mail@m.example'], ['Meridian, Inc. <mail@m.example>']])('accepts the sender written %s', (MAIL_FROM) => {
    expect(loadConfig({ MAIL_FROM }).MAIL_FROM).toBe(MAIL_FROM);
  });

  test('additional analysts are read with their model and key, both optional', () => {
    const AI_PROVIDERS = ' ollama=http://127.0.0.1:11434/v1/|llama3.3 ; lab = https://lab.example/v1||k=1 ;';
    expect(loadConfig({ AI_PROVIDERS }).AI_PROVIDERS).toEqual([
      { id: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.3', key: null },
      { id: 'lab', baseUrl: 'https://lab.example/v1', model: null, key: 'k=1' },
    ]);
    expect(loadConfig({}).AI_PROVIDERS).toEqual([]);
  });

  test.each([
    ['https://a.example/v1|m|hunter2', 'provider number 1 needs a short lowercase name before "="'],
    ['ok=https://a.example; Bad=https://a.example|m|hunter2', 'provider number 2 needs a short lowercase name'],
    ['groq=https://a.example|m|hunter2', 'provider "groq" uses a reserved name'],
    ['lab=a.example|m|hunter2', 'provider "lab" needs an http(s) URL after "="'],
    ['lab=ws://a.example|m|hunter2', 'provider "lab" needs an http(s) URL after "="'],
    ['lab=https://me:hunter2@a.example|m', 'provider "lab" must have a plain URL'],
    ['lab=https://a.example?key=hunter2', 'provider "lab" must have a plain URL'],
    ['lab=https://a.example|m|hunter2|x', 'provider "lab" has more than three parts (address|model|key)'],
    ['lab=https://a.example; lab=https://b.example|m|hunter2', 'provider "lab" is listed twice'],
  ])('additional analysts written %s stop the start with a message that contains no key', (AI_PROVIDERS, sentence) => {
    const tell = () => loadConfig({ AI_PROVIDERS });
    expect(tell).toThrow(`Configuration: AI_PROVIDERS: ${sentence}`);
    expect(tell).not.toThrow(/hunter2/);
  });
});

const TREASURY = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';
const XPUB =
  'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj';

test('a treasury with its checksum and an extended public key are accepted', () => {
  const { PAY_BASE_TREASURY, PAY_BASE_XPUB } = loadConfig({ PAY_BASE_TREASURY: TREASURY, PAY_BASE_XPUB: XPUB });
  expect([PAY_BASE_TREASURY, PAY_BASE_XPUB]).toEqual([TREASURY, XPUB]);
});

test.each([
  ['PAY_BASE_TREASURY', TREASURY.toLowerCase(), 'checksum'],
  ['PAY_BASE_TREASURY', TREASURY.replace('20a7', '2Oa7'), 'must be an address'],
  ['PAY_BASE_TREASURY', TREASURY.replace('9720', '9702'), 'checksum'],
  ['PAY_BASE_TREASURY', TREASURY.replace('0xa0', '0xA0'), 'checksum'],
  ['PAY_BASE_TREASURY', `0x${'0'.repeat(40)}`, 'zero address'],
  ['PAY_BASE_USDC', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', 'checksum'],
  ['PAY_BASE_XPUB', XPUB.replace('Aw6Z', 'Aw7Z'), 'extended public key'],
  ['PAY_BASE_XPUB', XPUB.slice(0, -1), 'extended public key'],
  ['PAY_BASE_XPUB', XPUB.replace('xpub', 'xprv'), 'extended public key'],
  ['PAY_BASE_RPC_URLS', 'https://one.example,two', 'URLs'],
])('the product does not start with %s=%s', (name, value, reason) => {
  expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`${name}.*${reason}`));
});

test('upper-case letters of an address are its checksum', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const address = toHex(bytes);
      expect(checksummed(address)).toBe(getAddress(address));
      expect(isChecksummed(getAddress(address))).toBe(true);
    }),
  );
});

test.each([
  ['small letters alone', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
  ['a digit too few', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA0291'],
  ['another digit', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914'],
  ['two digits swapped', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA09213'],
  ['no address', 'treasury'],
])('%s has no valid checksum', (_what, address) => {
  expect(isChecksummed(address)).toBe(false);
});
