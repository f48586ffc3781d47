import { readFileSync } from 'node:fs';

import { type Address, getAddress } from 'viem';

import { baseLedgerOf, DEMO_WALLET, numberAt, timeOf, USDC, WORTHLESS } from '#sandbox/providers/base-methods.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

import { NO_ANVIL, startAnvil } from './anvil.ts';
import { compileSolidity } from './solidity.ts';

type Sent = { tx: string; block: number };
/** A chain for payments, real or simulated. Each payment gets a separate block. */
export type BaseWorld = {
  url: string;
  usdc: string;
  /** A worthless token. */
  other: string;
  payer: string;
  pay: (to: string, units: bigint, token?: string) => Promise<Sent>;
  /** In one transaction. */
  payMany: (payments: readonly (readonly [to: string, units: bigint])[]) => Promise<Sent>;
  mine: (blocks: number) => Promise<void>;
  head: () => Promise<number>;
  /** Time of a block. */
  timeOf: (block: number) => Promise<Date>;
  /** Returns a function that reverts everything since, and mines replacement blocks, one more than before. */
  remember: () => Promise<() => Promise<void>>;
  close: () => Promise<void>;
};

const compiled = () => {
  const file = new URL('../fixtures/contracts/TestUsdc.sol', import.meta.url);
  return compileSolidity(readFileSync(file, 'utf8'));
};

export async function anvilWorld() {
  const anvil = await startAnvil();
  const { test, payer, done } = anvil;
  const contracts = compiled();
  const codeOf = (name: string) => contracts[name] ?? { abi: [], bytecode: '0x' as const };
  const deploy = async (name: string): Promise<Address> => {
    const { contractAddress } = await done(payer.deployContract({ ...codeOf(name), args: [] }));
    if (!contractAddress) throw new Error(`${name} was not deployed`);
    return getAddress(contractAddress);
  };
  const write = (address: string, name: string, functionName: string, args: readonly unknown[]) =>
    done(payer.writeContract({ address: address as Address, abi: codeOf(name).abi, functionName, args }));
  const [usdc, other] = [await deploy('TestUsdc'), await deploy('TestUsdc')];
  for (const token of [usdc, other]) await write(token, 'TestUsdc', 'mint', [payer.account.address, 10n ** 12n]);
  const sentOf = ({ transactionHash, blockNumber }: Awaited<ReturnType<typeof write>>) => ({
    tx: transactionHash,
    block: Number(blockNumber),
  });
  const head = async () => Number(await test.getBlockNumber({ cacheTime: 0 }));
  const world: BaseWorld = {
    url: anvil.url,
    usdc,
    other,
    payer: payer.account.address,
    pay: async (to, units, token = usdc) => sentOf(await write(token, 'TestUsdc', 'transfer', [to, units])),
    payMany: async (payments) =>
      sentOf(
        await write(usdc, 'TestUsdc', 'transferMany', [payments.map(([to]) => to), payments.map(([, units]) => units)]),
      ),
    mine: (blocks) => test.mine({ blocks }),
    head,
    timeOf: async (block) => new Date(Number((await test.getBlock({ blockNumber: BigInt(block) })).timestamp) * 1000),
    async remember() {
      const id = await test.snapshot();
      return async () => {
        const undone = await head();
        await test.revert({ id });
        await test.increaseTime({ seconds: 3 });
        await test.mine({ blocks: undone - (await head()) + 1 });
      };
    },
    close: () => anvil.close(),
  };
  return { ...world, anvil, write, deploy };
}

/** `advance` moves the clock of the sandbox. */
export function worldOf(sandbox: Sandbox, advance: (ms: number) => void) {
  const ledger = baseLedgerOf(sandbox.market);
  const mine = (blocks: number) => advance(blocks * 2_000);
  const head = () => numberAt(sandbox.clock.now());
  const send = (payments: readonly (readonly [to: string, units: bigint])[], token: string): Sent => {
    const movements = payments.map(([to, units]) => ({
      token: token.toLowerCase(),
      from: DEMO_WALLET,
      to: to.toLowerCase(),
      units,
    }));
    const { hash, block } = ledger.send({ from: DEMO_WALLET, to: token.toLowerCase(), movements }, sandbox.clock.now());
    mine(1);
    return { tx: hash, block };
  };
  const url = sandbox.urls['PAY_BASE_RPC_URLS'] ?? '';
  const world: BaseWorld = {
    url,
    usdc: getAddress(USDC),
    other: getAddress(WORTHLESS),
    payer: getAddress(DEMO_WALLET),
    pay: async (to, units, token = USDC) => send([[to, units]], token),
    payMany: async (payments) => send(payments, USDC),
    mine: async (blocks) => mine(blocks),
    head: async () => head(),
    timeOf: async (block) => new Date(timeOf(block)),
    async remember() {
      const then = head();
      return async () => {
        sandbox.faults.set({ provider: 'base', kind: 'reorg', depth: head() - then, count: 1 });
        await fetch(url, { method: 'POST', body: '{}' });
        mine(1);
      };
    },
    close: () => sandbox.close(),
  };
  return { ...world, sandbox, ledger };
}

export async function sandboxWorld() {
  const sandbox = await startSandbox({ seed: 7, now: Date.UTC(2026, 10, 20, 12) });
  return worldOf(sandbox, (ms) => sandbox.clock.advance(ms));
}

/** The chains available here; anvil logs why it cannot run. */
export const BASE_WORLDS: [string, () => Promise<BaseWorld>][] = [
  ...(NO_ANVIL ? [] : [['anvil', anvilWorld] as [string, () => Promise<BaseWorld>]]),
  ['the sandbox', sandboxWorld],
];
