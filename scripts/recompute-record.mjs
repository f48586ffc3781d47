// Recomputes the published record from the exported ledger alone, by code that shares nothing with the product:
//   node scripts/recompute-record.mjs LEDGER.jsonl [BACKTEST.json | FORECASTER.json]
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { chainFaults, readLedger } from './recompute/chain.mjs';
import { differences } from './recompute/compare.mjs';
import { forecasterOf } from './recompute/league.mjs';
import { recordOf } from './recompute/record.mjs';

/** Faults of a ledger, and of a published record where one is given. */
export function check(ledgerText, published) {
  const { entries, faults } = readLedger(ledgerText);
  faults.push(...chainFaults(entries));
  if (!published) return { entries: entries.length, faults, compared: 0 };
  const known = entries.filter(({ recorded_at: at }) => at <= published.timestamp);
  const own = published.forecaster ? forecasterOf(entries, published) : recordOf(known, published.timestamp);
  const { compared, wrong } = differences(own, published);
  return { entries: entries.length, faults: [...faults, ...wrong], compared };
}

function main([ledgerFile, backtestFile]) {
  if (!ledgerFile) {
    console.error('Usage: node scripts/recompute-record.mjs LEDGER.jsonl [BACKTEST.json | FORECASTER.json]');
    return 2;
  }
  const given = backtestFile ? JSON.parse(readFileSync(backtestFile, 'utf8')) : null;
  // A replay contains its record in a nested object.
  const published = given?.replay?.record ?? given;
  const { entries, faults, compared } = check(readFileSync(ledgerFile, 'utf8'), published);
  console.log(`${entries} entries read`);
  if (published) console.log(`${compared} published numbers recomputed`);
  for (const fault of faults.slice(0, 100)) console.log(`  ${fault}`);
  console.log(faults.length === 0 ? 'No faults found' : `${faults.length} faults found`);
  return faults.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = main(process.argv.slice(2));
