import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';

import { dataDir, processesOf, run, useProcesses, waitForExit } from '#tests/support/processes.ts';

useProcesses();

type Summary = { passed: number; failed: number; failures: string[] };

test('a short chaos run loses no acknowledged write, duplicates nothing, and reports what it did', async () => {
  const summary = `${dataDir}-summary.json`;
  const args = ['--seed', '4', '--minutes', '0.15', '--acts', 'kill-worker,postgres-immediate', '--summary', summary];
  const night = run(['scripts/chaos.ts', ...args]);
  const code = await waitForExit(night, 560_000);
  const { failures, failed, passed } = JSON.parse(readFileSync(summary, 'utf8')) as Summary;
  expect(failures.join('\n')).toBe('');
  expect([code, failed]).toEqual([0, 0]);
  expect(passed).toBeGreaterThan(20);
  expect(night.output()).toMatch(/acts +(?:\d+ [a-z-]+(?:, )?)+\nacknowledged +\d+ /);
  expect(night.output()).toContain('0 losses. Again: npm run chaos -- --seed 4');
}, 600_000);

test('an interrupted chaos run ends every process it started', async () => {
  const folder = dirname(dataDir);
  const night = run(['scripts/chaos.ts', '--seed', '4', '--minutes', '1'], { TMPDIR: folder });
  await night.waitForOutput(/PostgreSQL \d+/, 60_000);
  night.kill('SIGINT');
  expect(await waitForExit(night, 30_000)).toBe(1);
  expect(processesOf(folder)).toEqual([]);
  // The compile cache is kept for the next start, in the directory for temporary files.
  expect(readdirSync(folder).filter((name) => name !== 'meridian-compiled')).toEqual([]);
}, 120_000);
