import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fromBase58 } from '#shared/base58.ts';

import { isChecksummed } from './evm-address.ts';
import { boolean, integer, key, url } from './settings.ts';

const VERSION = '0488b21e';
const BYTES = 82;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** True for an extended public key with a valid checksum. */
function isXpub(text: string): boolean {
  const bytes = Buffer.from(fromBase58(text, BYTES) ?? []);
  const [body, sum] = [bytes.subarray(0, -4), bytes.subarray(-4)];
  return body.toString('hex').startsWith(VERSION) && sha256(sha256(body)).subarray(0, 4).equals(sum);
}

const LADDER = /^\d{1,2}=\d{1,2}(;\d{1,2}=\d{1,2})*$/;
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

const usd = (fallback: number, about: string) =>
  z.coerce.number().min(0.5).max(100_000).multipleOf(0.01, 'must be in whole cents').default(fallback).describe(about);
/** A typo would send money to an address without a key, so the checksum must match. */
const evmAddress = () =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits')
    .refine((value) => !/^0x0+$/.test(value), 'must not be the zero address: funds sent there are lost')
    .refine(isChecksummed, 'must match its checksum (upper and lower case): copy it from the wallet');
const addresses = (fallback: string, about: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) => value.split(',').map((each) => each.trim().replace(/\/+$/, '')))
    .refine((list) => list.every((each) => /^https?:\/\/\S+$/.test(each)), 'must be http(s) URLs separated by ","')
    .describe(about);

/** Prices of plans and payment methods. */
export const PAYMENT_SETTINGS = {
  PRO_PRICE_USD: usd(29.99, 'Price of Pro, US dollars per month.'),
  PREMIUM_PRICE_USD: usd(99, 'Price of Premium+, US dollars per month.'),
  PREPAID_DISCOUNTS: z
    .string()
    .regex(LADDER, 'must be months=percent pairs separated by ";", such as 1=0;3=5')
    .default('1=0;3=5;6=10;12=20')
    .transform((value) =>
      value.split(';').map((pair) => {
        const [months, percent] = pair.split('=').map(Number) as [number, number];
        return { months, discountBp: percent * 100 };
      }),
    )
    .refine((terms) => terms.every(({ months }) => months >= 1), 'must have at least one month')
    .refine((terms) => terms.some(({ months }) => months === 1), 'must include one month')
    .describe('Billing periods and their discounts: months=percent pairs separated by ";".'),
  FIRST_MONTH_DISCOUNT: integer(0, 90, 0, 'First-month discount for new subscribers, in percent; 0 for none.'),
  TRIAL_DAYS: integer(0, 60, 7, 'Length of the Pro trial in days, once per account, no card required; 0 for no trial.'),
  LAUNCH_COMING_SOON: boolean('1 shows Pro and Premium+ as coming soon and disables subscribing.'),
  CRYPTO_PAYMENTS: z
    .enum(['0', '1', 'true', 'false'])
    .default('1')
    .transform((value) => value === '1' || value === 'true')
    .describe('0 disables USDC payments regardless of other settings.'),
  SELLER: z
    .string()
    .max(600)
    .optional()
    .describe('Seller shown on receipts: name, address, tax number. Lines separated by ";".'),
  STRIPE_SECRET_KEY: key('Stripe secret key. Without it, card payments are off.'),
  STRIPE_WEBHOOK_SECRET: key('Signing secrets of the Stripe webhook, newest first, separated by ",".'),
  STRIPE_API_BASE: url('https://api.stripe.com', 'Stripe API. Demo mode uses a simulated one.'),
  PAY_MINUTES: integer(2, 1440, 15, 'Time limit for a USDC payment, in minutes.'),
  PAY_POLL_SECONDS: integer(
    1,
    300,
    5,
    'Interval for checking the chains for payments, in seconds. Demo mode: 1 while a payment is open.',
  ),
  PAY_BASE_TREASURY: evmAddress()
    .optional()
    .describe(
      'Base wallet, with checksum, to which all payments are swept. Without it, USDC payments on Base are off.',
    ),
  PAY_BASE_XPUB: z
    .string()
    .refine(isXpub, 'must be an extended public key (xpub…) with a valid checksum')
    .optional()
    .describe(
      'Extended public key of a wallet whose addresses receive deposits on Base, instead of contracts that pay to the treasury.',
    ),
  PAY_BASE_RPC_URLS: addresses(
    'https://mainnet.base.org',
    'Base JSON-RPC URLs in order of preference, separated by ",".',
  ),
  PAY_BASE_USDC: evmAddress()
    .default('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')
    .describe('USDC contract on Base. Check it against the address published by Circle.'),
  PAY_SOLANA_WALLET: z
    .string()
    .regex(SOLANA_ADDRESS, 'must be a Solana address')
    .optional()
    .describe('Solana wallet whose USDC account receives payments. Without it, USDC payments on Solana are off.'),
  PAY_SOLANA_RPC_URLS: addresses(
    'https://api.mainnet.solana.com',
    'Solana JSON-RPC URLs in order of preference, separated by ",".',
  ),
  PAY_SOLANA_USDC: z
    .string()
    .regex(SOLANA_ADDRESS, 'must be a Solana address')
    .default('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
    .describe('USDC mint on Solana. Check it against the address published by Circle.'),
};
