import type { AuthContext } from '#features/auth/server/service.ts';

import { createResolve, type Resolve } from './sending/resolve.ts';

/** What webhooks need of their process. */
export type WebhooksDeps = Pick<
  AuthContext,
  'db' | 'config' | 'mode' | 'now' | 'report' | 'mail' | 'secrets' | 'publicUrl'
>;

export type WebhooksContext = WebhooksDeps & { resolve: Resolve };

export const openWebhooks = (deps: WebhooksDeps): WebhooksContext => ({
  db: deps.db,
  config: deps.config,
  mode: deps.mode,
  now: deps.now,
  report: deps.report,
  mail: deps.mail,
  secrets: deps.secrets,
  publicUrl: deps.publicUrl,
  resolve: createResolve(deps.config),
});
