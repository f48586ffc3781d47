import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import { settings } from '#kernel/config.ts';
import { startSandbox } from '#sandbox/sandbox.ts';

import { configurationDocument } from '../../scripts/docs/generate.ts';
import { ROOT } from './support.ts';

const RUN_CONTRACT = [
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'ROLE',
  'DATA_MODE',
  'DEMO_SEED',
  'DEMO_PUBLIC',
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD',
  'LOG_LEVEL',
  'COINGECKO_BASE_URL',
  'COINGECKO_API_KEY',
  'COINPAPRIKA_BASE_URL',
  'OKX_BASE_URL',
  'OKX_WS_URL',
  'COINBASE_BASE_URL',
  'COINBASE_WS_URL',
];

describe('docs/configuration.md', () => {
  test('matches the settings schema', () => {
    expect(readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')).toBe(configurationDocument());
  });

  test('lists every name of the run contract, with its meaning', () => {
    const rows = configurationDocument().split('\n');
    for (const name of RUN_CONTRACT) {
      expect(
        rows.find((row) => row.startsWith(`| \`${name}\` |`)),
        name,
      ).toMatch(/\| [^|]{10,} \|$/);
    }
  });
});

describe('settings', () => {
  test('accept the address of every provider that the sandbox simulates', async () => {
    const sandbox = await startSandbox();
    expect(Object.keys(settings.shape)).toEqual(expect.arrayContaining(Object.keys(sandbox.urls)));
    await sandbox.close();
  });
});
