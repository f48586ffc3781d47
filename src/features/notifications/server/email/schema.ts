import type { SuppressionReason } from '#features/notifications/contract/email.ts';

type MailSuppressionsTable = {
  /** Keyed: the address cannot be read from it. */
  address_hash: Buffer;
  /** Whose address it was when it refused. */
  user_id: number;
  reason: SuppressionReason;
  /** The mail server's words. */
  note: string;
  until: string | null;
  at: string;
};

declare module '#kernel/db.ts' {
  interface Tables {
    mail_suppressions: MailSuppressionsTable;
  }
}
