import { z } from 'zod/mini';

import { paidPlan } from '#features/payments/contract/billing.ts';
import { endpoint } from '#shared/contract.ts';

export const network = z.enum(['base', 'solana']);
export type Network = z.infer<typeof network>;

export const NETWORK_NAMES: Record<Network, string> = { base: 'Base', solana: 'Solana' };

/** USDC as a decimal string with two to six decimals. */
const usdc = z.string().check(z.regex(/^\d+\.\d{2,6}$/));

/**
 * It follows from what has arrived: `detected` all money is seen, `confirmed` the chain will keep it and the plan is granted, `settled` it is
 * final. `expired`: the time ran out before enough had come; what comes later is credited.
 */
export const paymentStatus = z.enum(['pending', 'underpaid', 'detected', 'confirmed', 'settled', 'expired']);
export type PaymentStatus = z.infer<typeof paymentStatus>;

/** `credited`: the money is on the balance, as it did not buy this plan. `foreign`: a token that is not USDC has come. */
export const paymentFlag = z.enum(['partial', 'overpaid', 'late', 'credited', 'foreign']);
export type PaymentFlag = z.infer<typeof paymentFlag>;

const deposit = z.object({
  tx: z.string(),
  /** Where the transaction can be looked at; null in demo mode. */
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
  /** Where exactly this payment goes: nobody else gets this address (Base), or pays with this reference (Solana). */
  address: z.string(),
  /** What is to be sent. */
  amount: usdc,
  /** Price before `creditUsed`. */
  price: usdc,
  /** From the balance and from what is left of Pro. */
  creditUsed: usdc,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** EIP-681 or Solana Pay. */
  uri: z.string(),
  /** Solana only. */
  reference: z.nullable(z.string()),
  /** Contract or mint of USDC, so that nothing else is sent. */
  token: z.string(),
  status: paymentStatus,
  flags: z.array(paymentFlag),
  paid: usdc,
  /** Until when the plan then holds; null before it is granted. */
  grantedUntil: z.nullable(z.iso.datetime()),
  deposits: z.array(deposit),
  /** Demo mode only: a wallet to pay from. */
  demoWallet: z.nullable(z.string()),
});
export type Payment = z.infer<typeof payment>;

const months = z._default(z.int().check(z.minimum(1), z.maximum(36)), 1);

/** The same open payment again while there is one for this plan, network and months. */
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

/** A transfer to our Solana account without reference: whoever signs with the wallet that sent it gets it credited. */
export const claimTransfer = endpoint({
  method: 'POST',
  path: '/api/subscribe/claims',
  access: 'free',
  body: z.strictObject({
    network,
    tx: z.string().check(z.minLength(32, 'Not a valid transaction'), z.maxLength(120, 'Not a valid transaction')),
    /** Base58 or hex, of the message that `GET /api/subscribe/claims/message` gives; without it an administrator decides. */
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

/** What a transaction on Solana needs to be valid for about a minute; wallets in the browser have no node of their own to ask. */
export const getBlockhash = endpoint({
  method: 'GET',
  path: '/api/subscribe/solana/blockhash',
  access: 'free',
  reply: z.object({ blockhash: z.string(), lastValidBlockHeight: z.string() }),
});
