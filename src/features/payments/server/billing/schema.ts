import type { Generated } from 'kysely';

type PlanGrantsTable = {
  id: Generated<number>;
  /** The unique origin of the grant: 'stripe:invoice:in_x', 'wallet:pay_x:1', 'trial:7', 'admin:3'. */
  source: string;
  user_id: number;
  plan: 'pro' | 'premium';
  months: number;
  days: Generated<number>;
  /** When the payment became valid (invoice paid, block mined), not when we learned of it. */
  good_at: string;
  /** Price paid in micro-dollars; 0 for a gift. */
  units: number;
  created_at: string;
  created_by: number | null;
  note: Generated<string>;
};

type PlanGrantRevocationsTable = { source: string; revoked_at: string; reason: string };

type JournalTable = { key: string; at: string; about: Generated<string>; created_by: Generated<number | null> };

type PostingsTable = {
  key: string;
  /** 'chain:base', 'chain:solana', 'stripe', 'credit:7', 'revenue', 'suspense', 'goodwill', 'loss'. */
  account: string;
  /** Micro-dollars: assets are positive, liabilities and revenue negative. */
  units: number;
};

type TrialsTable = { user_id: number; started_at: string; ends_at: string };

/** Keyed hashes of email addresses, retained after the account is deleted. */
type TrialAddressesTable = { address_hash: Buffer; started_at: string };

type BillingNoticesTable = { key: string; user_id: number; kind: string; sent_at: string };

declare module '#kernel/db.ts' {
  interface Tables {
    plan_grants: PlanGrantsTable;
    plan_grant_revocations: PlanGrantRevocationsTable;
    journal: JournalTable;
    postings: PostingsTable;
    trials: TrialsTable;
    trial_addresses: TrialAddressesTable;
    billing_notices: BillingNoticesTable;
  }
}
