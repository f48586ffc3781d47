import { z } from 'zod';

import type { Origin } from '#features/accounts/server/auth/service.ts';
import { type PushMessage, pushMessage } from '#features/notifications/contract/push.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import type { PushContext } from './context.ts';
import { subscribe } from './service.ts';
import { listBrowsers } from './store.ts';

const TIMEOUT_MS = 5_000;
const MAX_SHOWN = 30;

const made = z.object({ endpoint: z.string(), keys: z.object({ p256dh: z.string(), auth: z.string() }) });
const read = z.object({ received: z.array(z.object({ text: z.string() })) });

/** The demo also simulates browsers: messages never leave this machine but can be viewed. */
export const isSimulated = ({ mode, config }: PushContext): boolean =>
  mode === 'demo' && config.PUSH_TEST_ORIGIN !== '';

async function callSandbox({ config }: PushContext, path: string, init: RequestInit = {}): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${config.PUSH_TEST_ORIGIN}/push/browsers${path}`, { ...init, signal }).catch(
    () => null,
  );
  if (response?.status === 404) return null;
  if (!response?.ok) throw new AppError('unavailable', 'The simulated push service is not responding');
  return response.json();
}

export async function simulate(ctx: PushContext, caller: Caller, origin: Origin): Promise<void> {
  const applicationServerKey = await ctx.vapid.publicKey();
  const init = { method: 'POST', body: JSON.stringify({ applicationServerKey }) };
  const subscription = made.parse(await callSandbox(ctx, '', init));
  await subscribe(ctx, caller, subscription, { ...origin, device: 'Simulated browser' });
}

/** Newest first, across all simulated browsers; a later message replaces one with the same tag, as on a phone. */
export async function readMessages(ctx: PushContext, { userId }: Caller): Promise<PushMessage[]> {
  const browsers = await listBrowsers(ctx.db, userId);
  const answers = await Promise.all(
    browsers.map(({ endpoint }) => callSandbox(ctx, `/${endpoint.slice(endpoint.lastIndexOf('/') + 1)}`)),
  );
  const texts = answers.flatMap((answer) => (answer === null ? [] : read.parse(answer).received.toReversed()));
  const newestFirst = texts
    .map(({ text }) => pushMessage.parse(JSON.parse(text)))
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const byTag = new Map<string, PushMessage>();
  for (const message of newestFirst) if (!byTag.has(message.tag)) byTag.set(message.tag, message);
  return [...byTag.values()].slice(0, MAX_SHOWN);
}
