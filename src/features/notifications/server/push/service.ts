import { limitUser, type Origin } from '#features/accounts/server/auth/service.ts';
import type { PushMessage } from '#features/notifications/contract/push.ts';
import {
  type Channel,
  type Delivery,
  eventEnd,
  type Notice,
  type Outcome,
} from '#features/notifications/server/notifications/channel.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import type { PushContext } from './context.ts';
import { checkEndpoint, checkKeys, type PushResponse, postTo, type SendOptions } from './post.ts';
import { type BrowserRow, deleteStaleBrowsers, findBrowsers, reachable, upsertBrowser } from './store.ts';
import { createVapid } from './vapid.ts';

/** Processes all items, at most `most` concurrently. Results in the order of the items. */
async function withLimit<T, R>(items: readonly T[], most: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [at, item] of left) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}

const ICON = '/icon-192.png';

const BATCH = 50;
const IN_FLIGHT = 32;
const HOUR_SECONDS = 3600;
/** A push service accepts 4096 bytes, encrypted. */
const MAX_BODY_LENGTH = 600;

/** Notices as notifications of subscribed browsers. All browsers of a user form one delivery. */
function pushChannel(ctx: PushContext): Channel {
  return {
    name: 'push',
    reach: reachable(),
    perSecond: null,
    batch: BATCH,
    async send(deliveries, signal) {
      const browsers = await findBrowsers(
        ctx.db,
        deliveries.map(({ userId }) => userId),
        ctx.now(),
      );
      const posts = deliveries.flatMap((delivery, at) =>
        (browsers.get(delivery.userId) ?? []).map((browser) => ({ at, delivery, browser })),
      );
      const results = await withLimit(posts, IN_FLIGHT, async ({ at, delivery, browser }) => ({
        at,
        browser,
        posted: await attempt(ctx, browser, delivery, signal),
      }));
      await settle(ctx, results);
      return deliveries.map((_, at) =>
        toOutcome(results.filter((result) => result.at === at).map(({ posted }) => posted)),
      );
    },
  };
}

/** When aborted, the rest of the batch waits for another attempt: what was sent stays sent. */
async function attempt(
  ctx: PushContext,
  browser: BrowserRow,
  { notice, queuedAt }: Delivery,
  signal: AbortSignal,
): Promise<PushResponse> {
  try {
    signal.throwIfAborted();
    return await postTo(ctx, browser, toPushMessage(notice), sendOptions(notice, queuedAt, ctx.now()), signal);
  } catch (error) {
    if (signal.aborted) return { kind: 'later', note: 'Interrupted' };
    ctx.report('push', 'system', 'Failed to encrypt a push message', error);
    return { kind: 'refused', note: 'The message could not be encrypted' };
  }
}

/**
 * Removes browsers that are gone, and reports refusals, which are ours to fix. A failure here does not undo what was
 * sent.
 */
async function settle(
  ctx: PushContext,
  results: readonly { browser: BrowserRow; posted: PushResponse }[],
): Promise<void> {
  for (const { posted } of results) {
    if (posted.kind === 'refused') ctx.report('push', 'api_failure', `Push message refused: ${posted.note}`);
  }
  const expired = results.flatMap(({ browser, posted }) => (posted.kind === 'gone' ? [browser.id] : []));
  await deleteStaleBrowsers(ctx.db, expired).catch((error: unknown) =>
    ctx.report('push', 'system', 'Failed to remove expired browser subscriptions', error),
  );
}

function toPushMessage({ title, body, tag, path, severity, at }: Notice): PushMessage {
  const short = body.length > MAX_BODY_LENGTH ? `${body.slice(0, MAX_BODY_LENGTH - 1)}…` : body;
  return { title, body: short, tag, url: path, severity, icon: ICON, at };
}

function sendOptions(notice: Notice, queuedAt: string, now: Date): SendOptions {
  return {
    topic: notice.tag,
    ttlSeconds: timeToLive(queuedAt, eventEnd(notice), now),
    urgency: notice.severity === 'high' ? 'high' : 'normal',
  };
}

/**
 * A notification is useful for an hour, or until its event. For one held longer by quiet hours, the hour starts at its
 * release.
 */
function timeToLive(queuedAt: string, end: number | null, now: Date): number {
  const secondsTo = (ms: number) => Math.floor((ms - now.getTime()) / 1000);
  const left = secondsTo(Date.parse(queuedAt)) + HOUR_SECONDS;
  const ttl = Math.min(HOUR_SECONDS, left > 0 ? left : HOUR_SECONDS);
  return end === null ? ttl : Math.max(0, Math.min(ttl, secondsTo(end)));
}

const browsersText = (count: number): string => (count === 1 ? 'to 1 browser' : `to ${count} browsers`);

function toOutcome(posted: readonly PushResponse[]): Outcome {
  const accepted = posted.filter(({ kind }) => kind === 'accepted').length;
  if (accepted > 0) return { state: 'sent', note: browsersText(accepted) };
  const later = posted.find(({ kind }) => kind === 'later');
  if (later?.kind === 'later') {
    const { note, afterMs } = later;
    return { state: 'later', note, ...(afterMs === undefined ? {} : { afterMs }) };
  }
  const refused = posted.find(({ kind }) => kind === 'refused');
  if (refused?.kind === 'refused') return { state: 'failed', note: refused.note };
  return { state: 'dropped', note: 'No browser is subscribed' };
}

export type Push = {
  ctx: PushContext;
  channel: Channel;
  /** Creates the keys of this installation if there are none. */
  start: () => Promise<void>;
};

export function createPush(deps: Omit<PushContext, 'vapid'>): Push {
  const vapid = createVapid(deps);
  const ctx: PushContext = { ...deps, vapid };
  return { ctx, channel: pushChannel(ctx), start: vapid.start };
}

const MAX_BROWSERS = 20;
const SUBSCRIPTIONS = { most: 60, seconds: 3600 };
const TESTS = { most: 10, seconds: 3600 };
const TEST_TTL_SECONDS = 60;
const TEST_TAG = 'test-notification';

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

export async function subscribe(
  ctx: PushContext,
  { userId, sessionId }: Caller,
  { endpoint, keys }: Subscription,
  { device }: Origin,
): Promise<void> {
  checkEndpoint(endpoint, ctx);
  const checked = checkKeys(keys);
  await limitUser(ctx, 'push-subscribe', userId, SUBSCRIPTIONS);
  await ctx.db
    .transaction()
    .execute((tx) =>
      upsertBrowser(tx, { userId, sessionId, endpoint, ...checked, device, at: ctx.now() }, MAX_BROWSERS),
    );
}

/** Returns how many browsers it was sent to; rejects when there was none. */
export async function sendTest(
  ctx: PushContext,
  { userId }: Caller,
  text: Pick<PushMessage, 'title' | 'body' | 'icon'>,
): Promise<number> {
  await limitUser(ctx, 'push-test', userId, TESTS);
  const at = ctx.now();
  const browsers = (await findBrowsers(ctx.db, [userId], at)).get(userId) ?? [];
  const message: PushMessage = {
    ...text,
    tag: TEST_TAG,
    url: '/app/profile?tab=notifications',
    severity: 'low',
    at: at.toISOString(),
  };
  const manner = { topic: TEST_TAG, ttlSeconds: TEST_TTL_SECONDS, urgency: 'high' as const };
  const results = await Promise.all(
    browsers.map(async (browser) => ({ browser, posted: await postTo(ctx, browser, message, manner) })),
  );
  await settle(ctx, results);
  const accepted = results.filter(({ posted }) => posted.kind === 'accepted').length;
  if (accepted > 0) return accepted;
  const notes = results.flatMap(({ posted }) => ('note' in posted ? [posted.note] : []));
  if (notes.length === 0) throw new AppError('conflict', 'No browser is subscribed to push notifications');
  throw new AppError('unavailable', `The push service rejected the notification: ${notes[0]}`);
}
