import { z } from 'zod/mini';

import { paidPlan } from '#features/payments/contract/billing.ts';
import { endpoint } from '#shared/contract.ts';

export const network = z.enum(['base', 'solana']);
export type Network = z.infer<typeof network>;

export const NETWORK_NAMES: Record<Network, string> = { base: 'Base', solana: 'Solana' };

/** USDC as a decimal string with two to six decimals. */
const usdc = z.string().check(z.regex(/^\d+\.\d{2,6}$/));

/**
 * Derived from the deposits: `detected`, the full amount is seen; `confirmed`, the chain will keep it and the plan is
 * granted; `settled`, it is final. `expired`: time ran out before the full amount arrived; later deposits are credited.
 */
export const paymentStatus = z.enum(['pending', 'underpaid', 'detected', 'confirmed', 'settled', 'expired']);
export type PaymentStatus = z.infer<typeof paymentStatus>;

/**
 * `credited`: the money is on the balance because it did not buy this plan. `foreign`: a token other than USDC arrived.
 */
export const paymentFlag = z.enum(['partial', 'overpaid', 'late', 'credited', 'foreign']);
export type PaymentFlag = z.infer<typeof paymentFlag>;

const deposit = z.object({
  tx: z.string(),
  /** Block explorer link; null in demo mode. */
  url: z.nullable(z.string()),
  at: z.iso.datetime(),
  amount: z.string(),
  sender: z.string(),
  state: z.enum(['seen', 'confirmed', 'final', 'orphaned', 'foreign']),
  isLate: z.boolean(),
});

export const payment = z.object({
  paymentId: z.string(),
  planId: paidPlan,
  network,
  months: z.int(),
  /** Destination of this payment: the address (Base) or reference (Solana) is unique to it. */
  address: z.string(),
  /** Amount to send. */
  amount: usdc,
  /** Price before `creditUsed`. */
  price: usdc,
  /** From the balance and the unused part of Pro. */
  creditUsed: usdc,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** EIP-681 or Solana Pay. */
  uri: z.string(),
  /** Solana only. */
  reference: z.nullable(z.string()),
  /** Contract or mint of USDC, so that no other token is sent. */
  token: z.string(),
  status: paymentStatus,
  flags: z.array(paymentFlag),
  paid: usdc,
  /** End of the plan once granted; null before. */
  grantedUntil: z.nullable(z.iso.datetime()),
  deposits: z.array(deposit),
  /** Demo mode only: a wallet to pay from. */
  demoWallet: z.nullable(z.string()),
});
export type Payment = z.infer<typeof payment>;

const months = z._default(z.int().check(z.minimum(1), z.maximum(36)), 1);

/** Returns the open payment for this plan, network and months if there is one. */
export const payByWallet = endpoint({
  method: 'POST',
  path: '/api/subscribe/wallet-payment',
  access: 'free',
  body: z.strictObject({ planId: paidPlan, network, months }),
  reply: payment,
});

export const renewByWallet = endpoint({
  method: 'POST',
  path: '/api/subscribe/renew',
  access: 'free',
  body: z.strictObject({ planId: paidPlan, network, months }),
  reply: payment,
});

export const getPayment = endpoint({
  method: 'GET',
  path: '/api/subscribe/payments/:id',
  access: 'free',
  params: z.object({ id: z.string().check(z.regex(/^[a-z0-9_]{8,40}$/)) }),
  reply: payment,
});

/**
 * Claims a transfer to our Solana account that had no reference: it is credited to the account that signs with the
 * sending wallet.
 */
export const claimTransfer = endpoint({
  method: 'POST',
  path: '/api/subscribe/claims',
  access: 'free',
  body: z.strictObject({
    network,
    tx: z.string().check(z.minLength(32, 'Not a valid transaction'), z.maxLength(120, 'Not a valid transaction')),
    /**
     * Base58 or hex, over the message from `GET /api/subscribe/claims/message`; without it an administrator decides.
     */
    signature: z.optional(z.string().check(z.maxLength(300))),
  }),
  reply: z.object({ state: z.enum(['credited', 'waiting']), amount: usdc }),
});

export const getClaimMessage = endpoint({
  method: 'GET',
  path: '/api/subscribe/claims/message',
  access: 'free',
  query: z.object({ tx: z.string().check(z.minLength(32), z.maxLength(120)) }),
  reply: z.object({ message: z.string() }),
});

/**
 * A Solana transaction needs a recent blockhash, valid for about a minute; browser wallets have no node of their own to
 * query.
 */
export const getBlockhash = endpoint({
  method: 'GET',
  path: '/api/subscribe/solana/blockhash',
  access: 'free',
  reply: z.object({ blockhash: z.string(), lastValidBlockHeight: z.string() }),
});
