import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

import { compilerVersion, compileSolidity, SOLIDITY_SETTINGS } from '../tests/support/solidity.ts';

/**
 * Writes `Deposit.json` next to its source. Every payment address is derived from it: a change needs a separate review.
 */
const FOLDER = new URL('../src/features/payments/server/usdc/base/contract/', import.meta.url);
const source = readFileSync(new URL('Deposit.sol', FOLDER), 'utf8');
const artifact = {
  contract: 'Deposit',
  sourceSha256: createHash('sha256').update(source).digest('hex'),
  compiler: compilerVersion(),
  settings: SOLIDITY_SETTINGS,
  ...compileSolidity(source)['Deposit'],
};
writeFileSync(new URL('Deposit.json', FOLDER), `${JSON.stringify(artifact, null, 2)}\n`);
