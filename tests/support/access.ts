import { globSync } from 'node:fs';
import { join } from 'node:path';

import type { Access, Endpoint } from '#shared/contract.ts';

const SRC = join(import.meta.dirname, '../../src');

/** Writes open to everyone, and what limits them. */
export const OPEN_WRITES: Readonly<Record<string, string>> = {
  'POST /api/auth/login': 'password; attempts per network and address',
  'POST /api/auth/two-factor': 'challenge of a sign-in and its code; pauses after five wrong codes',
  'POST /api/auth/register': 'attempts per network; emails per address',
  'POST /api/auth/forgot-password': 'attempts per network; emails per address; same response for everyone',
  'POST /api/auth/resend-confirmation': 'attempts per network; emails per address; same response for everyone',
  'POST /api/auth/reset-password': 'email link; attempts per network',
  'POST /api/auth/confirm': 'email link, once',
  'POST /api/auth/access': 'link in a reset email',
  'POST /api/auth/access/end': 'link in a reset email, once',
  'POST /api/auth/exchange': 'confirmation token, once, within a minute',
  'POST /api/auth/passkey/options': 'attempts per network',
  'POST /api/auth/passkey/login': 'passkey signature; attempts per network',
  'POST /api/contact': 'captcha per message; messages per network',
  'POST /api/errors/client': 'page origin; reports per network and in total',
  'POST /api/subscribe/stripe': 'session, checked with the texts of its page',
};

/** Routes without a contract, and what opens each. `*` matches the rest of an address. */
export const OTHER_ROUTES: Readonly<Record<string, string>> = {
  'GET /api/stream': 'everyone; plan topics require a ticket',
  'GET /api/v1/stream': 'API key with scope market; alerts with scope alerts',
  'GET /api/auth/confirm-email': 'everyone; opens the confirmation page',
  'GET /api/auth/confirm-address': 'everyone; opens the confirmation page',
  'GET /api/unsubscribe': 'signed email link; changes nothing',
  'POST /api/unsubscribe': 'signed email link',
  'POST /api/telegram/webhook': 'webhook secret',
  'POST /api/stripe/webhook': 'Stripe signature over the raw body',
  'ALL /api/v1/*': 'everyone; unknown endpoint',
  'POST /mcp': 'API key; each tool its scope',
  'GET /mcp': 'everyone; refers to POST',
  'DELETE /mcp': 'everyone; refers to POST',
  'GET /demo-mail/:token': 'demo mode only; link in the email',
  'GET /status.atom': 'everyone',
  'GET /og.png': 'everyone',
  'GET /app/figures/:metric/card.png': 'everyone',
  'GET /metrics': 'this machine, or METRICS_TOKEN',
  'GET /.well-known/security.txt': 'everyone',
  'GET /robots.txt': 'everyone',
  'GET /sitemap.xml': 'everyone',
  'GET /widgets/*': 'everyone, framed by any site',
  'GET *': 'everyone: pages and files without account data',
};

export type Row = { method: string; path: string; endpoint: Endpoint };

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value;

/** Every endpoint of every contract, by path and method. */
export async function contractRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of globSync('features/*/contract{.ts,/*.ts}', { cwd: SRC }))
    for (const each of Object.values((await import(join(SRC, file))) as Record<string, unknown>))
      if (isEndpoint(each)) rows.push({ method: each.method, path: each.path, endpoint: each });
  const sortKey = ({ method, path }: Row) => `${path} ${method}`;
  return rows.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

const CALLERS_BY_ACCESS: Record<Access, string> = {
  public: 'everyone',
  free: 'signed-in users',
  pro: 'Pro and up',
  premium: 'Premium+ and up',
  admin: 'administrators',
};

/** The allowed callers, in words. */
export function describeCallers({ access, scope }: Endpoint): string {
  if (scope === undefined) return CALLERS_BY_ACCESS[access];
  return `API key with scope ${scope}, ${CALLERS_BY_ACCESS[access === 'public' ? 'pro' : access]}`;
}

/** @throws for a write open to everyone without a documented limit */
export function guardOf({ method, path, endpoint }: Row): string {
  if (method === 'GET' || endpoint.access !== 'public' || endpoint.scope !== undefined) return '';
  const guard = OPEN_WRITES[`${method} ${path}`];
  if (guard === undefined) throw new Error(`No limit is stated for ${method} ${path}`);
  return guard;
}

/** The rows of docs/access.md. */
export const accessTable = (rows: readonly Row[]): string =>
  rows
    .map((row) => `| ${row.method} | \`${row.path}\` | ${describeCallers(row.endpoint)} | ${guardOf(row)} |`)
    .join('\n');
