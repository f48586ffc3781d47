import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { accountTopic } from '#features/accounts/contract/auth.ts';
import { type AuthContext, limitNetwork, toOrigin } from '#features/accounts/server/auth/service.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { Live } from '#kernel/live/live.ts';
import { escapeHtml, plainBody, sendPlainPage } from '#kernel/mail/plain-page.ts';
import type { Secrets } from '#kernel/secrets.ts';
import { BRAND } from '#shared/brand.ts';

import { disableEmail, findRecipients } from './store.ts';
import { createAddressHash } from './suppressions.ts';

/** What an unsubscribe link covers: all notification email. */
export type Scope = 'all';
type Unsubscribe = { userId: number; scope: Scope };

const VERSION = '1';
const SHAPE = /^1\.([1-9]\d{0,15})\.(all)\.([A-Za-z0-9_-]{43})$/;

const PURPOSE = 'unsubscribe';

/** Never expires: the email may be years old when its recipient unsubscribes. */
export function unsubscribeToken(secrets: Secrets, { userId, scope }: Unsubscribe): string {
  const text = `${VERSION}.${userId}.${scope}`;
  return `${text}.${secrets.mac(PURPOSE, text).toString('base64url')}`;
}

/**
 * Undefined for tokens we did not issue. Links issued before a rotation of the secret key work while the previous key
 * is configured.
 */
function readToken(secrets: Secrets, token: unknown): Unsubscribe | undefined {
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

export type UnsubscribeContext = AuthContext & { live: Pick<Live, 'publishTo'> };

const BODY_LIMIT = 4096;
const SETTINGS = '/settings';

const show = (reply: FastifyReply, status: number, title: string, card: string) =>
  sendPlainPage(reply, {
    status,
    title,
    body: plainBody(`<h1>${escapeHtml(title)}</h1>${card}`),
    form: status === 200,
  });

const settingsLink = `<a href="${SETTINGS}">your settings</a>`;

function showForm(reply: FastifyReply, token: string, email: string) {
  const card = `<p>Stop sending alerts, reminders, digests and news from ${BRAND.name} to <strong>${escapeHtml(email)}</strong>? Essential account email, such as password resets, will still arrive.</p><p>You can turn them back on at any time in ${settingsLink}.</p><form method="post" action="/api/unsubscribe?t=${encodeURIComponent(token)}"><input type="hidden" name="from" value="page"><button>Unsubscribe</button></form>`;
  return show(reply, 200, 'Unsubscribe', card);
}

const showDeletedAccount = (reply: FastifyReply) =>
  show(reply, 200, 'Nothing to unsubscribe from', '<p>The account this link belongs to no longer exists.</p>');

const showInvalidLink = (reply: FastifyReply) =>
  show(
    reply,
    400,
    'This link does not work',
    `<p>It is incomplete or invalid. Open the full link from the email, or turn emails off in ${settingsLink}.</p>`,
  );

const showLimited = (reply: FastifyReply) =>
  show(reply, 429, 'Too many attempts', '<p>Please try again later with the full link from the email.</p>');

async function end(ctx: UnsubscribeContext, { userId }: Unsubscribe, request: FastifyRequest) {
  const { network } = toOrigin({ ip: request.ip, agent: request.headers['user-agent'] });
  const at = ctx.now();
  return ctx.db.transaction().execute(async (tx) => {
    const ended = await disableEmail(tx, userId);
    if (ended?.changed) {
      await audit(tx, { at, actorId: null, subjectId: userId, action: 'notifications.unsubscribe', network });
      await ctx.live.publishTo(tx, userId, accountTopic, { changed: ['subscription', 'notifications'] });
    }
    return ended;
  });
}

/**
 * The unsubscribe link of our emails. Opening it changes nothing, since mail scanners follow links; its button
 * unsubscribes, and so does the mail client's one-click request without cookie or confirmation (RFC 8058).
 */
export function unsubscribeRoute(app: FastifyInstance, ctx: UnsubscribeContext): void {
  const hashOf = createAddressHash(ctx.secrets);

  /** Valid links are never rate limited: mail clients act for many people from one network. */
  async function refuse(request: FastifyRequest, reply: FastifyReply) {
    const { network } = toOrigin({ ip: request.ip, agent: request.headers['user-agent'] });
    try {
      await limitNetwork(ctx, 'unsubscribe', network);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'rate_limited')) throw error;
      reply.header('retry-after', error.retryAfterSeconds);
      return showLimited(reply);
    }
    return showInvalidLink(reply);
  }

  void app.register(async (scope) => {
    const options = { parseAs: 'string', bodyLimit: BODY_LIMIT } as const;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body));

    scope.get('/api/unsubscribe', async (request, reply) => {
      const { t } = request.query as { t?: unknown };
      const named = readToken(ctx.secrets, t);
      if (!named) return refuse(request, reply);
      const user = (await findRecipients(ctx.db, [named.userId], ctx.now(), hashOf)).get(named.userId);
      return user ? showForm(reply, t as string, user.email) : showDeletedAccount(reply);
    });

    scope.post('/api/unsubscribe', async (request, reply) => {
      const { t } = request.query as { t?: unknown };
      const named = readToken(ctx.secrets, t);
      if (!named) return refuse(request, reply);
      const body = typeof request.body === 'string' ? request.body : '';
      const isPage = /(^|&)from=page(&|$)/.test(body);
      if (!isPage && !/List-Unsubscribe\b/.test(body)) return showInvalidLink(reply);
      const ended = await end(ctx, named, request);
      if (!isPage) return reply.type('text/plain; charset=utf-8').send('Unsubscribed\n');
      const query = ended ? `?email=${encodeURIComponent(ended.email)}` : '';
      return reply.header('referrer-policy', 'no-referrer').redirect(`/unsubscribe-success${query}`, 303);
    });
  });
}
