import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { SLOT_MS, tokenAccountOf, walletNamed } from '#sandbox/solana/chain.ts';
import type { Units } from '#shared/money.ts';

export type Payment = {
  units: Units;
  references?: readonly string[];
  /** A token that is not USDC. */
  isWorthlessToken?: boolean;
  /** Sandbox only: in version 0 some of its accounts come from a lookup table, version 2 cannot be decoded. */
  version?: 0 | 1 | 2;
  /** It is included in a block, but its transfer fails. */
  fails?: boolean;
};

/** A chain for Solana suites. */
export type SolanaTestChain = {
  url: string;
  /** The merchant. */
  wallet: string;
  /** The payer. */
  payer: string;
  /** USDC from the payer to the merchant; returns the transaction signature. */
  pay: (payment: Payment) => Promise<string>;
  tick: (slots: number) => Promise<void>;
  /** Abandons the fork of this transaction. */
  drop: (signature: string) => Promise<void>;
  setDown: (isDown: boolean) => void;
  /** Of the merchant's USDC account. */
  balance: () => Promise<Units>;
  close: () => Promise<void>;
};

/** One JSON-RPC call to a node. */
export async function rpc<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = (await response.json()) as { result?: T; error?: { message: string } };
  if (body.error) throw new Error(body.error.message);
  return body.result as T;
}

const NOON = Date.UTC(2026, 10, 20, 12);
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** The chain of a sandbox for suites; `advance` moves its clock. */
export function simulatedSolana(
  sandbox: Sandbox,
  advance: (ms: number) => void,
  wallet = walletNamed('a merchant').address,
): SolanaTestChain {
  const url = sandbox.urls['PAY_SOLANA_RPC_URLS'] ?? '';
  const postJson = async <T>(path: string, body: unknown): Promise<T> => {
    const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  };
  return {
    url,
    wallet,
    payer: walletNamed('demo').address,
    async pay({ units, isWorthlessToken = false, ...rest }) {
      const mint = isWorthlessToken ? { mint: walletNamed('worthless').address } : {};
      const transfer = await postJson<{ signature: string }>('/transfers', {
        to: wallet,
        units: String(units),
        ...mint,
        ...rest,
      });
      return transfer.signature;
    },
    async tick(slots) {
      advance(slots * SLOT_MS);
    },
    async drop(signature) {
      const { isDropped } = await postJson<{ isDropped: boolean }>('/forks', { signature });
      if (!isDropped) throw new Error(`${signature} is not there, or final`);
    },
    setDown(isDown) {
      if (isDown) sandbox.faults.set({ provider: 'solana-pay', kind: 'server_error' });
      else sandbox.faults.clear();
    },
    async balance() {
      const account = tokenAccountOf(wallet, USDC);
      type Balance = { value: { amount: string } };
      const config = { commitment: 'processed' };
      return BigInt((await rpc<Balance>(url, 'getTokenAccountBalance', [account, config])).value.amount);
    },
    async close() {
      sandbox.faults.clear();
    },
  };
}

export async function openSimulatedSolana(): Promise<SolanaTestChain> {
  const sandbox = await startSandbox({ seed: 7, now: NOON });
  return { ...simulatedSolana(sandbox, (ms) => sandbox.clock.advance(ms)), close: () => sandbox.close() };
}
