import type { AuthContext } from '#features/auth/server/service.ts';

/** What mails of news work with: the accounts' own. */
export type EmailContext = Pick<
  AuthContext,
  'db' | 'config' | 'mode' | 'now' | 'report' | 'mail' | 'secrets' | 'publicUrl'
>;
