import type { Generated } from 'kysely';

import type { PaidPlan } from '#features/payments/contract/billing.ts';

import type { Network } from '#features/payments/contract/usdc.ts';

type UsdcPaymentsTable = {
  id: string;
  number: Generated<number>;
  user_id: number;
  network: Network;
  /** The address people send to. */
  address: string;
  /** Identifies the payment on its chain: the deposit address (Base) or the reference key (Solana). */
  route: string;
  plan: PaidPlan;
  months: number;
  /** Micro-dollars, as are all amounts. `due` = `price` - `credit_used` - `proration`, made unique on Solana. */
  price: number;
  credit_used: number;
  /** Quoted credit for unused Pro. */
  proration: number;
  due: number;
  created_at: string;
  expires_at: string;
  /** How often it has bought its plan: a chain reorganisation may revoke it. */
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
  /** As a decimal: worthless tokens come in any amount. */
  units: string;
  state: 'seen' | 'confirmed' | 'final' | 'orphaned' | 'foreign';
  is_credited: Generated<boolean>;
  /** Incremented each time the chain drops it. */
  generation: Generated<number>;
  payment_id: string | null;
  /** Set by a claim or an administrator when no payment identifies the owner. */
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
  /** Incremented with each look: a look that began from an older value is refused. */
  looks: Generated<number>;
  polled_at: string;
};

/** Transactions of our account that no node returned in a readable form; `read_at` is set once one could be read. */
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
