type Hidden = Record<string, string>;

/**
 * A table with personal data and its exported columns. A test fails for a table with accounts that no feature declares.
 */
export type PersonalData = {
  table: string;
  /** Column of the account; otherwise `joined` defines how its rows are found. */
  of?: string;
  joined?: { column: string; table: string; key: string; of: string };
  /** Exported columns, in order; the first one sorts the rows. */
  shown: string;
  /** Columns of those that are sealed at rest. */
  sealed?: readonly string[];
  /** Columns not exported, and why. */
  hidden?: Hidden;
};

export const HASH = 'the hash of a secret';
export const SECRET = 'a secret used for encryption or signing';
export const OWN = 'the account ID, present in every row';
export const QUEUE = 'internal processing state';

/** A table whose `user_id` names the account. */
export const ownedBy = (
  table: string,
  shown: string,
  hidden: Hidden = {},
  sealed: readonly string[] = [],
): PersonalData => ({
  table,
  of: 'user_id',
  shown,
  sealed,
  hidden: { user_id: OWN, ...hidden },
});
