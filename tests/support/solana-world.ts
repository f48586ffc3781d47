import type { Units } from '#shared/money.ts';

export type Payment = {
  units: Units;
  references?: readonly string[];
  /** A token that is not USDC. */
  isWorthless?: boolean;
  /** On the sandbox only: in version 0 part of its accounts come from a lookup table, version 2 cannot be read. */
  version?: 0 | 1 | 2;
  /** It gets into a block, and its transfer does not happen. */
  fails?: boolean;
};

/** A chain that suites about Solana run on. */
export type SolanaWorld = {
  url: string;
  /** Of the merchant. */
  wallet: string;
  /** Of whoever pays. */
  payer: string;
  /** USDC from the payer to the merchant; the signature of the transaction. */
  pay: (payment: Payment) => Promise<string>;
  tick: (slots: number) => Promise<void>;
  /** Leaves the fork of this transaction. */
  drop: (signature: string) => Promise<void>;
  setDown: (isDown: boolean) => void;
  /** Of the merchant's USDC account. */
  balance: () => Promise<Units>;
  close: () => Promise<void>;
};

/** One call of a node. */
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
