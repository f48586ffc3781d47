import type { Generated } from 'kysely';

import type { PaidPlan } from '#features/payments/contract/billing.ts';

import type { Network } from '#features/payments/contract/usdc.ts';

type UsdcPaymentsTable = {
  id: string;
  number: Generated<number>;
  user_id: number;
  network: Network;
  /** What people send to. */
  address: string;
  /** What tells the payment apart on its chain: the deposit address (Base) or the reference key (Solana). */
  route: string;
  plan: PaidPlan;
  months: number;
  /** Micro-dollars, as are all amounts. `due` = `price` - `credit_used` - `proration`, on Solana made unique. */
  price: number;
  credit_used: number;
  /** What is left of Pro, as it was quoted. */
  proration: number;
  due: number;
  created_at: string;
  expires_at: string;
  /** How often it has bought its plan: a reorganised chain may take that back. */
  applications: Generated<number>;
  applied_at: string | null;
};

type UsdcDepositsTable = {
  network: Network;
  tx: string;
  idx: number;
  block: number;
  block_hash: string;
  /** Time of the block. */
  at: string;
  token: string;
  sender: string;
  route: string | null;
  /** As a decimal: worthless tokens come in any number. */
  units: string;
  state: 'seen' | 'confirmed' | 'final' | 'orphaned' | 'foreign';
  is_credited: Generated<boolean>;
  /** Grows with each time that the chain took it back. */
  generation: Generated<number>;
  payment_id: string | null;
  /** Set by a claim or an administrator where no payment tells whose it is. */
  owner_id: number | null;
  seen_at: string;
};

type UsdcCursorsTable = {
  network: Network;
  scanned: number;
  head: number;
  mark: string | null;
  /** Where the first look began. */
  first_block: number;
  /** Grows with each look: who has looked from an older one is refused. */
  looks: Generated<number>;
  polled_at: string;
};

/** Transactions of our account that no node gave in a readable form; `read_at` once one could be read after all. */
type UsdcUnreadableTable = {
  network: Network;
  tx: string;
  block: number;
  reason: string;
  seen_at: string;
  read_at: string | null;
};

type UsdcClaimsTable = {
  id: Generated<number>;
  user_id: number;
  network: Network;
  tx: string;
  wallet: string;
  message: string;
  proof: string;
  state: 'proved' | 'waiting' | 'credited' | 'refused';
  note: Generated<string>;
  created_at: string;
  decided_at: string | null;
  decided_by: number | null;
};

declare module '#kernel/db.ts' {
  interface Tables {
    usdc_payments: UsdcPaymentsTable;
    usdc_deposits: UsdcDepositsTable;
    usdc_cursors: UsdcCursorsTable;
    usdc_unreadable: UsdcUnreadableTable;
    usdc_claims: UsdcClaimsTable;
  }
}
