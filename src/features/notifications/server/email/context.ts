import type { AuthContext } from '#features/accounts/server/auth/service.ts';

/** Context of notification email, shared with account email. */
export type EmailContext = Pick<
  AuthContext,
  'db' | 'config' | 'mode' | 'now' | 'report' | 'mail' | 'secrets' | 'publicUrl'
>;
