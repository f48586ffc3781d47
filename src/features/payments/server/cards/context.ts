import type Stripe from 'stripe';

import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import type { Config } from '#kernel/config.ts';
import { AppError } from '#kernel/errors.ts';
import type { Live } from '#kernel/live/live.ts';

export type CardsDeps = AuthContext & { live: Live };
/** `stripe` returns the client, loaded with the first call. */
export type CardsContext = CardsDeps & { stripe: () => Promise<Stripe> };

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

type Settings = Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_BASE'>;

/** Why card payments are unavailable, as shown to users; null when they are available. */
export function disabledReason(config: Settings): string | null {
  if (!config.STRIPE_SECRET_KEY) return 'Card payments are not set up.';
  if (webhookSecrets(config).length === 0)
    return 'Card payments are not fully set up: the webhook signing secret is missing.';
  return null;
}

/** Newest first; during a rotation both secrets are valid. */
export const webhookSecrets = ({ STRIPE_WEBHOOK_SECRET: secrets }: Settings): string[] =>
  (secrets ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

export function checkOpen(config: Settings): void {
  const reason = disabledReason(config);
  if (reason) throw new AppError('unavailable', reason);
}

export function createStripeLoader(config: Settings): () => Promise<Stripe> {
  let client: Promise<Stripe> | undefined;
  async function make(): Promise<Stripe> {
    const { default: Client } = await import('stripe');
    const ask = (url: string | URL | Request, init?: RequestInit) => {
      const { pathname, search } = new URL(url instanceof Request ? url.url : url);
      return fetch(`${config.STRIPE_API_BASE}${pathname}${search}`, init);
    };
    return new Client(config.STRIPE_SECRET_KEY ?? '', {
      httpClient: Client.createFetchHttpClient(ask),
      maxNetworkRetries: RETRIES,
      timeout: TIMEOUT_MS,
      telemetry: false,
    });
  }
  return () => (client ??= make());
}

const AWAY = new Set(['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError', 'StripeAuthenticationError']);

type Failure = { type?: string; code?: string; param?: string };
const toFailure = (error: unknown): Failure => (typeof error === 'object' && error !== null ? error : {});

/** An unavailable Stripe is expected and reported to the user; a request that Stripe rejects is a bug. */
export async function asking<T>(ctx: CardsContext, work: (stripe: Stripe) => Promise<T>): Promise<T> {
  try {
    return await work(await ctx.stripe());
  } catch (error) {
    if (!AWAY.has(toFailure(error).type ?? '')) throw error;
    throw new AppError('unavailable', 'The card service is not responding. Please try again soon.', {
      cause: error,
    });
  }
}

export const isMissing = (error: unknown, param?: string): boolean =>
  toFailure(error).code === 'resource_missing' && (param === undefined || toFailure(error).param === param);

/** Undefined when the object no longer exists. */
export const present = <T>(promise: Promise<T>): Promise<T | undefined> =>
  promise.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
