import { readFileSync } from 'node:fs';

import { type Address, getAddress } from 'viem';

import { baseLedgerOf, blockAt, DEMO_WALLET, timeOf, USDC, WORTHLESS_TOKEN } from '#sandbox/providers/base-methods.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

import { NO_ANVIL, startAnvil } from './anvil.ts';
import { compileSolidity } from './solidity.ts';

type Sent = { tx: string; block: number };
/** A chain for payments, real or simulated. Each payment gets a separate block. */
export type BaseTestChain = {
  url: string;
  usdc: string;
  /** A worthless token. */
  worthlessToken: string;
  payer: string;
  pay: (to: string, units: bigint, token?: string) => Promise<Sent>;
  /** In one transaction. */
  payMany: (payments: readonly (readonly [to: string, units: bigint])[]) => Promise<Sent>;
  mineBlocks: (blocks: number) => Promise<void>;
  head: () => Promise<number>;
  /** Time of a block. */
  timeOf: (block: number) => Promise<Date>;
  /** Returns a function that reverts everything since, and mines replacement blocks, one more than before. */
  snapshot: () => Promise<() => Promise<void>>;
  close: () => Promise<void>;
};

const compileContracts = () => {
  const file = new URL('../fixtures/contracts/TestUsdc.sol', import.meta.url);
  return compileSolidity(readFileSync(file, 'utf8'));
};

export async function startAnvilChain() {
  const anvil = await startAnvil();
  const { test, payer, done } = anvil;
  const contracts = compileContracts();
  const artifactOf = (name: string) => contracts[name] ?? { abi: [], bytecode: '0x' as const };
  const deploy = async (name: string): Promise<Address> => {
    const { contractAddress } = await done(payer.deployContract({ ...artifactOf(name), args: [] }));
    if (!contractAddress) throw new Error(`${name} was not deployed`);
    return getAddress(contractAddress);
  };
  const write = (address: string, name: string, functionName: string, args: readonly unknown[]) =>
    done(payer.writeContract({ address: address as Address, abi: artifactOf(name).abi, functionName, args }));
  const [usdc, worthlessToken] = [await deploy('TestUsdc'), await deploy('TestUsdc')];
  for (const token of [usdc, worthlessToken])
    await write(token, 'TestUsdc', 'mint', [payer.account.address, 10n ** 12n]);
  const toSent = ({ transactionHash, blockNumber }: Awaited<ReturnType<typeof write>>) => ({
    tx: transactionHash,
    block: Number(blockNumber),
  });
  const head = async () => Number(await test.getBlockNumber({ cacheTime: 0 }));
  const chain: BaseTestChain = {
    url: anvil.url,
    usdc,
    worthlessToken,
    payer: payer.account.address,
    pay: async (to, units, token = usdc) => toSent(await write(token, 'TestUsdc', 'transfer', [to, units])),
    payMany: async (payments) =>
      toSent(
        await write(usdc, 'TestUsdc', 'transferMany', [payments.map(([to]) => to), payments.map(([, units]) => units)]),
      ),
    mineBlocks: (blocks) => test.mine({ blocks }),
    head,
    timeOf: async (block) => new Date(Number((await test.getBlock({ blockNumber: BigInt(block) })).timestamp) * 1000),
    async snapshot() {
      const id = await test.snapshot();
      return async () => {
        const revertedHead = await head();
        await test.revert({ id });
        await test.increaseTime({ seconds: 3 });
        await test.mine({ blocks: revertedHead - (await head()) + 1 });
      };
    },
    close: () => anvil.close(),
  };
  return { ...chain, anvil, write, deploy };
}

/** `advance` moves the clock of the sandbox. */
export function simulatedChain(sandbox: Sandbox, advance: (ms: number) => void) {
  const ledger = baseLedgerOf(sandbox.market);
  const mineBlocks = (blocks: number) => advance(blocks * 2_000);
  const head = () => blockAt(sandbox.clock.now());
  const send = (payments: readonly (readonly [to: string, units: bigint])[], token: string): Sent => {
    const movements = payments.map(([to, units]) => ({
      token: token.toLowerCase(),
      from: DEMO_WALLET,
      to: to.toLowerCase(),
      units,
    }));
    const { hash, block } = ledger.send({ from: DEMO_WALLET, to: token.toLowerCase(), movements }, sandbox.clock.now());
    mineBlocks(1);
    return { tx: hash, block };
  };
  const url = sandbox.urls['PAY_BASE_RPC_URLS'] ?? '';
  const chain: BaseTestChain = {
    url,
    usdc: getAddress(USDC),
    worthlessToken: getAddress(WORTHLESS_TOKEN),
    payer: getAddress(DEMO_WALLET),
    pay: async (to, units, token = USDC) => send([[to, units]], token),
    payMany: async (payments) => send(payments, USDC),
    mineBlocks: async (blocks) => mineBlocks(blocks),
    head: async () => head(),
    timeOf: async (block) => new Date(timeOf(block)),
    async snapshot() {
      const snapshotHead = head();
      return async () => {
        sandbox.faults.set({ provider: 'base', kind: 'reorg', depth: head() - snapshotHead, count: 1 });
        await fetch(url, { method: 'POST', body: '{}' });
        mineBlocks(1);
      };
    },
    close: () => sandbox.close(),
  };
  return { ...chain, sandbox, ledger };
}

export async function startSandboxChain() {
  const sandbox = await startSandbox({ seed: 7, now: Date.UTC(2026, 10, 20, 12) });
  return simulatedChain(sandbox, (ms) => sandbox.clock.advance(ms));
}

/** The chains available here; anvil logs why it cannot run. */
export const BASE_CHAINS: [string, () => Promise<BaseTestChain>][] = [
  ...(NO_ANVIL ? [] : [['anvil', startAnvilChain] as [string, () => Promise<BaseTestChain>]]),
  ['the sandbox', startSandboxChain],
];
