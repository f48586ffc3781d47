import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createTestClient, createWalletClient, http, publicActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { base } from 'viem/chains';

export const MNEMONIC = 'test test test test test test test test test test test junk';

const require = createRequire(import.meta.url);

function findProgram(): string | undefined {
  try {
    const name = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const anvil = require.resolve('@foundry-rs/anvil/package.json');
    const program = join(dirname(createRequire(anvil).resolve(`${name}/package.json`)), 'bin', 'anvil');
    return spawnSync(program, ['--version']).status === 0 ? program : undefined;
  } catch {
    return undefined;
  }
}

const program = findProgram();
/** Why tests on a real chain node cannot run here; undefined when they can. */
export const NO_ANVIL = program
  ? undefined
  : 'anvil does not run on this machine: NOTHING is tested on a real chain node';
// oxlint-disable-next-line no-console -- who skips has to say so
if (NO_ANVIL) console.warn(NO_ANVIL);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const clientsAt = (url: string, addressIndex: number) =>
  createWalletClient({ account: mnemonicToAccount(MNEMONIC, { addressIndex }), chain: base, transport: http(url) });

/** A real chain node with Base's chain id, an account that pays, and an unrelated one. */
export async function startAnvil() {
  if (!program) throw new Error(NO_ANVIL);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ['--port', String(port), '--host', '127.0.0.1', '--chain-id', '8453', '--silent'];
  const node = spawn(program, args, { stdio: 'ignore' });
  const test = createTestClient({ mode: 'anvil', chain: base, transport: http(url) }).extend(publicActions);
  for (let tries = 0; ; tries++) {
    try {
      await test.getChainId();
      break;
    } catch (error) {
      if (tries > 100) throw error;
      await sleep(100);
    }
  }
  const [payer, stranger] = [clientsAt(url, 0), clientsAt(url, 1)];
  return {
    url,
    test,
    payer,
    stranger,
    treasury: mnemonicToAccount(MNEMONIC, { addressIndex: 9 }).address,
    /** Waits until the transaction is mined. */
    done: async (hash: Promise<`0x${string}`>) =>
      test.waitForTransactionReceipt({ hash: await hash, pollingInterval: 20 }),
    async close() {
      const gone = once(node, 'exit');
      node.kill();
      await gone;
    },
  };
}
export type Anvil = Awaited<ReturnType<typeof startAnvil>>;
