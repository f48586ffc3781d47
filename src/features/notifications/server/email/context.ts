import type { AuthContext } from '#features/accounts/server/auth/service.ts';

/** What mails of news work with: the accounts' own. */
export type EmailContext = Pick<
  AuthContext,
  'db' | 'config' | 'mode' | 'now' | 'report' | 'mail' | 'secrets' | 'publicUrl'
>;
