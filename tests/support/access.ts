import { globSync } from 'node:fs';
import { join } from 'node:path';

import type { Access, Endpoint } from '#shared/contract.ts';

const SRC = join(import.meta.dirname, '../../src');

/** Writes that everyone may ask for, and what holds them back. */
export const OPEN_WRITES: Readonly<Record<string, string>> = {
  'POST /api/auth/login': 'the password; tries by network and address',
  'POST /api/auth/two-factor': 'the challenge of a sign-in and its code; pauses after five wrong ones',
  'POST /api/auth/register': 'tries by network; mails by address',
  'POST /api/auth/forgot-password': 'tries by network; mails by address; the same answer for everyone',
  'POST /api/auth/resend-confirmation': 'tries by network; mails by address; the same answer for everyone',
  'POST /api/auth/reset-password': 'the link of a mail; tries by network',
  'POST /api/auth/confirm': 'the link of a mail, once',
  'POST /api/auth/access': 'the link of a mail about a reset',
  'POST /api/auth/access/end': 'the link of a mail about a reset, once',
  'POST /api/auth/exchange': 'the token of a confirmation, once, within a minute',
  'POST /api/auth/passkey/options': 'tries by network',
  'POST /api/auth/passkey/login': 'the signature of a passkey; tries by network',
  'POST /api/contact': 'a sum of its own for each message; messages by network',
  'POST /api/errors/client': 'the origin of the page; reports by network and by all',
  'POST /api/subscribe/stripe': 'a session, asked for in the words of its page',
};

/** Routes of no contract, and what opens each. `*` stands for the rest of an address. */
export const OTHER_ROUTES: Readonly<Record<string, string>> = {
  'GET /api/stream': 'everyone; topics of a plan with a ticket of that plan',
  'GET /api/v1/stream': 'an API key with scope market; alerts with scope alerts',
  'GET /api/auth/confirm-email': 'everyone; leads to the page that confirms',
  'GET /api/auth/confirm-address': 'everyone; leads to the page that confirms',
  'GET /api/unsubscribe': 'the sealed link of a mail; changes nothing',
  'POST /api/unsubscribe': 'the sealed link of a mail',
  'POST /api/telegram/webhook': 'the secret that Telegram was given',
  'POST /api/stripe/webhook': 'a signature of Stripe over the very bytes',
  'ALL /api/v1/*': 'everyone; there is no such call',
  'POST /mcp': 'an API key; each tool its scope',
  'GET /mcp': 'everyone; says that messages are sent with POST',
  'DELETE /mcp': 'everyone; says that messages are sent with POST',
  'GET /demo-mail/:token': 'demo mode only; the link of the mail',
  'GET /status.atom': 'everyone',
  'GET /og.png': 'everyone',
  'GET /app/figures/:metric/card.png': 'everyone',
  'GET /metrics': 'this machine, or the token of METRICS_TOKEN',
  'GET /.well-known/security.txt': 'everyone',
  'GET /robots.txt': 'everyone',
  'GET /sitemap.xml': 'everyone',
  'GET /widgets/*': 'everyone, in frames of any site',
  'GET *': 'everyone: pages and files of the site, without anything of an account',
};

export type Row = { method: string; path: string; endpoint: Endpoint };

const isEndpoint = (given: unknown): given is Endpoint =>
  typeof given === 'object' && given !== null && 'access' in given && 'path' in given && 'method' in given;

/** Every endpoint of every contract, by path and method. */
export async function contractRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of globSync('features/*/contract{.ts,/*.ts}', { cwd: SRC }))
    for (const each of Object.values((await import(join(SRC, file))) as Record<string, unknown>))
      if (isEndpoint(each)) rows.push({ method: each.method, path: each.path, endpoint: each });
  const order = ({ method, path }: Row) => `${path} ${method}`;
  return rows.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

const WHO: Record<Access, string> = {
  public: 'everyone',
  free: 'whoever is signed in',
  pro: 'Pro and up',
  premium: 'Premium+ and up',
  admin: 'administrators',
};

/** Who may call, in words. */
export function whoOf({ access, scope }: Endpoint): string {
  if (scope === undefined) return WHO[access];
  return `an API key with scope ${scope}, ${WHO[access === 'public' ? 'pro' : access]}`;
}

/** @throws for a write that everyone may ask for and that says nothing of what holds it back */
export function guardOf({ method, path, endpoint }: Row): string {
  if (method === 'GET' || endpoint.access !== 'public' || endpoint.scope !== undefined) return '';
  const guard = OPEN_WRITES[`${method} ${path}`];
  if (guard === undefined) throw new Error(`Nothing is said of what holds back ${method} ${path}`);
  return guard;
}

/** The rows of docs/access.md. */
export const accessTable = (rows: readonly Row[]): string =>
  rows.map((row) => `| ${row.method} | \`${row.path}\` | ${whoOf(row.endpoint)} | ${guardOf(row)} |`).join('\n');
