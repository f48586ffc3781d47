import {
  CREATE2_PROXY,
  contractAddresses,
  depositCode,
  depositSalt,
} from '#features/payments/server/usdc/base/transfers.ts';
import { loadConfig } from '#kernel/config.ts';

/** Prints the transactions that move payments on Base to the treasury. It sends nothing and needs no key. */
const { PAY_BASE_TREASURY: treasury, PAY_BASE_USDC: usdc, PAY_BASE_RPC_URLS: urls } = loadConfig(process.env);
const ids = process.argv.slice(2);
if (!treasury || ids.length === 0) {
  console.error('Usage: PAY_BASE_TREASURY=0x… node scripts/sweep.ts pay_… [pay_…]');
  process.exit(1);
}
const how = `--rpc-url ${urls[0]} --ledger`;
for (const id of ids) {
  const address = await contractAddresses(treasury)({ id, number: 0 });
  const code = Buffer.concat([depositSalt(id), depositCode(treasury)]).toString('hex');
  console.log(`# ${id}: ${address}`);
  console.log(`cast call ${usdc} 'balanceOf(address)(uint256)' ${address} --rpc-url ${urls[0]}`);
  console.log(`cast send ${CREATE2_PROXY} 0x${code} ${how} # once`);
  console.log(`cast send ${address} 'sweep(address)' ${usdc} ${how}`);
}
