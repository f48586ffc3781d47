import { createHash, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import type { Market } from '#sandbox/market/market.ts';
import { MARKET_START } from '#sandbox/market/time.ts';
import { fromBase58, toBase58 } from '#shared/base58.ts';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

type SolanaWallet = {
  address: string;
  /** Signs a message like a wallet; base58. */
  sign: (message: string) => string;
};

/** A wallet whose key is derived from its name. */
export function walletNamed(name: string): SolanaWallet {
  const seed = createHash('sha256').update(`solana wallet ${name}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const bytes = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    address: toBase58(bytes.subarray(-KEY_BYTES)),
    sign: (message) => toBase58(sign(null, Buffer.from(message), key)),
  };
}

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const ASSOCIATED_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

const P = 2n ** 255n - 19n;
const mod = (n: bigint) => ((n % P) + P) % P;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [factor, rest] = [mod(base), exponent]; rest > 0n; rest >>= 1n, factor = mod(factor * factor))
    if (rest & 1n) result = mod(result * factor);
  return result;
}

const D = mod(-121_665n * power(121_666n, P - 2n));

/** Whether these bytes are a point on ed25519: only such an address can have a key. */
function isOnCurve(bytes: Uint8Array): boolean {
  const y = mod(BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`) & (2n ** 255n - 1n));
  const [above, below] = [mod(y * y - 1n), mod(D * y * y + 1n)];
  return power(above * below, (P - 1n) / 2n) <= 1n;
}

/** The token account of a wallet; undefined when either address is invalid. */
export function tokenAccountOf(wallet: string, mint: string): string | undefined {
  const seeds = [wallet, TOKEN_PROGRAM, mint].map((key) => fromBase58(key, KEY_BYTES));
  if (seeds.includes(undefined)) return undefined;
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = createHash('sha256');
    for (const seed of seeds) hash.update(seed ?? '');
    hash.update(Uint8Array.of(bump)).update(fromBase58(ASSOCIATED_PROGRAM, KEY_BYTES) ?? '');
    const bytes = hash.update('ProgramDerivedAddress').digest();
    if (!isOnCurve(bytes)) return toBase58(bytes);
  }
  return undefined;
}

export const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const SLOT_MS = 400;
const [CONFIRMED_SLOTS, FINAL_SLOTS] = [2, 32];
const SIGNATURE_BYTES = 64;

export const slotAt = (ms: number): number => Math.floor((ms - MARKET_START) / SLOT_MS);

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** The newest slot at a commitment level. */
export function headAt(now: number, commitment: Commitment): number {
  const behind = { processed: 0, confirmed: CONFIRMED_SLOTS, finalized: FINAL_SLOTS }[commitment];
  return slotAt(now) - behind;
}

/** Chains have no version 2 yet, so callers cannot decode it. */
export type TransactionVersion = 'legacy' | 0 | 1 | 2;

export type Order = {
  /** A wallet; its token account receives the payment. */
  to: string;
  units: bigint;
  /** When it is included in a block. */
  at: number;
  mint?: string;
  references?: readonly string[];
  /** Name of the paying wallet. */
  from?: string;
  /** In version 0, some of its accounts come from a lookup table. */
  version?: TransactionVersion;
  fails?: boolean;
  /** The payment request, only for the wallet. */
  note?: string | null;
};

export type SentTransaction = {
  signature: string;
  at: number;
  slot: number;
  err: unknown;
  version: TransactionVersion;
  to: string;
  mint: string;
  units: bigint;
  payer: string;
  source: string;
  destination: string;
  keys: string[];
  loaded: { writable: string[]; readonly: string[] };
  note: string | null;
};

/** A chain of token transfers only: every payer has sufficient funds. */
export class SolanaChain {
  #transactions: SentTransaction[] = [];
  #firstSlot = Number.POSITIVE_INFINITY;

  /** The start of the history: the chain begins at the first query. */
  firstSlot(now: number): number {
    this.#firstSlot = Math.min(this.#firstSlot, headAt(now, 'finalized') - 1);
    return this.#firstSlot;
  }

  /** Undefined when `to` is not an address. */
  send(order: Order): SentTransaction | undefined {
    const { to, units, at, mint = USDC_MINT, references = [], from = 'demo', version = 'legacy', note = null } = order;
    const payer = walletNamed(from).address;
    const [source, destination] = [tokenAccountOf(payer, mint), tokenAccountOf(to, mint)];
    if (source === undefined || destination === undefined) return undefined;
    this.firstSlot(at);
    const sent: SentTransaction = {
      signature: toBase58(randomBytes(SIGNATURE_BYTES)),
      at,
      slot: slotAt(at),
      err: order.fails ? { InstructionError: [0, { Custom: 1 }] } : null,
      version,
      to,
      mint,
      units,
      payer,
      source,
      destination,
      keys:
        version === 0
          ? [payer, source, TOKEN_PROGRAM]
          : [payer, source, destination, mint, TOKEN_PROGRAM, ...references],
      loaded:
        version === 0 ? { writable: [destination], readonly: [mint, ...references] } : { writable: [], readonly: [] },
      note,
    };
    this.#transactions = [...this.#transactions, sent].toSorted((a, b) => a.at - b.at);
    return sent;
  }

  /** Abandons the fork of this transaction, as if it never existed; false when it is final or missing. */
  drop(signature: string, now: number): boolean {
    const before = this.#transactions.length;
    const isGone = (each: SentTransaction) => each.signature === signature && each.slot > headAt(now, 'finalized');
    this.#transactions = this.#transactions.filter((each) => !isGone(each));
    return this.#transactions.length < before;
  }

  /** Newest first. */
  upTo(slot: number): SentTransaction[] {
    return this.#transactions.filter((each) => each.slot <= slot).toReversed();
  }

  /** Transfers to this wallet, including pending ones, newest first. */
  sentTo(wallet: string): SentTransaction[] {
    return this.#transactions.filter(({ to }) => to === wallet).toReversed();
  }

  /** The balance of a token account after this slot, or before one of its transactions. */
  balance(account: string, slot: number, before?: SentTransaction): bigint {
    let sum = 0n;
    for (const each of this.#transactions) {
      if (each.slot > slot || each === before) break;
      if (each.err === null && each.destination === account) sum += each.units;
    }
    return sum;
  }
}

const chains = new WeakMap<Market, SolanaChain>();

/** The one chain of a sandbox, shared by node and wallet. */
export function chainOf(market: Market): SolanaChain {
  const chain = chains.get(market) ?? new SolanaChain();
  chains.set(market, chain);
  return chain;
}
