import { Resolver } from 'node:dns/promises';
import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import type { Config } from '#kernel/config.ts';

/** All addresses of a host name; rejects when the name servers do not respond, empty for a name without any. */
type Resolve = (host: string) => Promise<string[]>;

const NO_SUCH: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);
const TIMEOUT_MS = 2000;

/**
 * Queries the name servers directly. The system resolver would block one of the few threads that hash passwords for as
 * long as a slow name server takes, and it resolves local names.
 */
function createResolve({ WEBHOOK_DNS, WEBHOOK_ALLOW_LOOPBACK }: Config): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (WEBHOOK_DNS) resolver.setServers(WEBHOOK_DNS.split(','));
  const noneOr = (error: unknown): string[] => {
    if (NO_SUCH.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  };
  return async (host) => {
    if (WEBHOOK_ALLOW_LOOPBACK && host === 'localhost') return ['127.0.0.1'];
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(host).catch(noneOr),
      resolver.resolve6(host).catch(noneOr),
    ]);
    const found = [four, six].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    const failed = [four, six].find((each) => each.status === 'rejected');
    if (found.length === 0 && failed) throw failed.reason;
    return found;
  };
}

/** Dependencies of webhooks. */
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
