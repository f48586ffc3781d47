import { timingSafeEqual } from 'node:crypto';

import type { Secrets } from '#kernel/secrets.ts';

/** What a link of a mail may end: every mail that is news. */
export type Scope = 'all';
export type Unsubscribe = { userId: number; scope: Scope };

const VERSION = '1';
const SHAPE = /^1\.([1-9]\d{0,15})\.(all)\.([A-Za-z0-9_-]{43})$/;

const PURPOSE = 'unsubscribe';

/** Never expires: the email may be years old when its recipient unsubscribes. */
export function unsubscribeToken(secrets: Secrets, { userId, scope }: Unsubscribe): string {
  const text = `${VERSION}.${userId}.${scope}`;
  return `${text}.${secrets.mac(PURPOSE, text).toString('base64url')}`;
}

/** Undefined for what we have not made. Links of mails sent before the secret key was changed hold while the earlier key is known. */
export function readToken(secrets: Secrets, token: unknown): Unsubscribe | undefined {
  const [, user, scope, mac] = (typeof token === 'string' && SHAPE.exec(token)) || [];
  if (user === undefined || scope === undefined || mac === undefined) return undefined;
  const given = Buffer.from(mac, 'base64url');
  const isOurs =
    given.toString('base64url') === mac &&
    secrets
      .macs(PURPOSE, `${VERSION}.${user}.${scope}`)
      .some((right) => given.length === right.length && timingSafeEqual(given, right));
  return isOurs ? { userId: Number(user), scope: scope as Scope } : undefined;
}
