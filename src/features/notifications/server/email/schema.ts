import type { SuppressionReason } from '#features/notifications/contract/email.ts';

type MailSuppressionsTable = {
  /** Keyed hash: the address cannot be recovered from it. */
  address_hash: Buffer;
  /** Owner of the address at the time of the refusal. */
  user_id: number;
  reason: SuppressionReason;
  /** The mail server's message. */
  note: string;
  until: string | null;
  at: string;
};

declare module '#kernel/db.ts' {
  interface Tables {
    mail_suppressions: MailSuppressionsTable;
  }
}
