import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Every advisory lock of the product with a fixed number. Each number has one purpose. */
const LOCKS: Record<number, string> = {
  7_246_001: 'migrating',
  7_246_002: 'frames of the live stream get their numbers in the order of commits',
  7_246_003: 'the demo market of a shared database is made by one process',
  7_246_010: 'the collector',
  7_246_011: 'alerts get their numbers in the order of commits',
  7_246_012: 'gates of the common alerts',
  7_246_020: 'appending to the ledger of calls',
  7_246_027: 'writing measured minutes',
  7_246_040: 'the reader of the Telegram bot',
  7_246_050: 'exports a day, with the user',
  7_246_051: 'the watcher of Base',
  7_246_052: 'the watcher of Solana',
  7_246_053: 'taking an export to make',
  7_246_061: 'taking collected events in',
  7_246_062: 'storing an analysis',
  7_246_100: 'the owner of the first shard of rules, its neighbours up to 7_246_115 those of the others',
  7_246_124: 'writers of the error log',
  7_246_125: 'entries of the audit log get their places in the chain in the order of commits',
  7_246_330: 'one backup or restore at a time, with the database',
  72_460_181: 'plan grants, with the user',
  72_460_182: 'payments in USDC, with the network',
  72_460_183: 'cursors of USDC, with the network',
};
const SHARDS = { first: 7_246_100, last: 7_246_115 };
const LOCK_NUMBER = /\b7_?246_?\d{3}\b|\b72_?460_?1\d\d\b/g;

const lockUses = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(LOCK_NUMBER)].map(([text]) => ({
      file,
      lock: Number(text.replaceAll('_', '')),
    })),
  );

test('every advisory lock number is in the list, and every number in the list is used', () => {
  const seen = [...new Set(lockUses.map(({ lock }) => lock))];
  expect(seen.toSorted((a, b) => a - b)).toEqual(Object.keys(LOCKS).map(Number));
});

test('no number is defined twice, except in migrations that recreated the same function', () => {
  const usesByLock = Map.groupBy(
    lockUses.filter(({ file }) => !file.includes('/migrations/')),
    ({ lock }) => lock,
  );
  const shared = [...usesByLock].filter(([, each]) => new Set(each.map(({ file }) => file)).size > 1);
  expect(shared).toEqual([]);
});

test('the numbers of rule shards are used for nothing else', () => {
  const shardUses = lockUses.filter(({ lock }) => lock > SHARDS.first && lock <= SHARDS.last);
  expect(shardUses).toEqual([]);
});
