import { limitPerson, type Origin } from '#features/accounts/server/auth/service.ts';
import type { PushMessage } from '#features/notifications/contract/push.ts';
import type { Channel } from '#features/notifications/server/notifications/channel.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { checkEndpoint, checkKeys } from './addresses.ts';
import { pushChannel, settle } from './channel.ts';
import type { PushContext } from './context.ts';
import { postTo } from './post.ts';
import { browsersOf, putBrowser } from './store.ts';
import { createVapid } from './vapid.ts';

export type Push = {
  ctx: PushContext;
  channel: Channel;
  /** Makes the keys of this installation where there are none yet. */
  start: () => Promise<void>;
};

export function createPush(deps: Omit<PushContext, 'vapid'>): Push {
  const vapid = createVapid(deps);
  const ctx: PushContext = { ...deps, vapid };
  return { ctx, channel: pushChannel(ctx), start: vapid.start };
}

const MOST_BROWSERS = 20;
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
  await limitPerson(ctx, 'push-subscribe', userId, SUBSCRIPTIONS);
  await ctx.db
    .transaction()
    .execute((tx) => putBrowser(tx, { userId, sessionId, endpoint, ...checked, device, at: ctx.now() }, MOST_BROWSERS));
}

/** Returns how many browsers it was handed to; refuses when there was none. */
export async function sendTest(
  ctx: PushContext,
  { userId }: Caller,
  text: Pick<PushMessage, 'title' | 'body' | 'icon'>,
): Promise<number> {
  await limitPerson(ctx, 'push-test', userId, TESTS);
  const at = ctx.now();
  const browsers = (await browsersOf(ctx.db, [userId], at)).get(userId) ?? [];
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
