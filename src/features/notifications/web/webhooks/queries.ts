import { queryOptions } from '@tanstack/react-query';

import { getSubscription } from '#features/accounts/contract/subscriptions.ts';
import {
  type AttemptState,
  type Format,
  listAttempts,
  listWebhooks,
  type Result,
  type Webhook,
} from '#features/notifications/contract/webhooks.ts';
import { grouped } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';

/** Shares the common key, so that an account already loaded is not fetched again. */
export const accountQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['subscription', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getSubscription, {}, signal),
  });

export const webhooksQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['webhooks', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(listWebhooks, {}, signal),
  });

export const attemptsQuery = (id: number) =>
  queryOptions({
    queryKey: ['webhook-attempts', id],
    queryFn: ({ signal }) => call(listAttempts, { params: { id: String(id) } }, signal),
    gcTime: 0,
  });

export const FORMAT_NAMES: Record<Format, string> = { generic: 'Signed JSON', discord: 'Discord', slack: 'Slack' };

export const EXAMPLES: Record<Format, string> = {
  generic: 'https://hooks.example.com/meridian',
  discord: 'https://discord.com/api/webhooks/…',
  slack: 'https://hooks.slack.com/services/…',
};

type Tone = 'plain' | 'up' | 'warn' | 'down';

export const STATES: Record<AttemptState, readonly [tone: Tone, word: string]> = {
  sent: ['up', 'Sent'],
  later: ['warn', 'Retried'],
  failed: ['down', 'Failed'],
  dropped: ['down', 'Gone'],
};

/** Status of a webhook as a short label. */
export function webhookState({ enabled, disabledAt, failures }: Webhook): readonly [tone: Tone, word: string] {
  if (disabledAt !== null) return ['down', 'Disabled'];
  if (!enabled) return ['plain', 'Off'];
  return failures > 0 ? ['warn', 'Failing'] : ['up', 'On'];
}

/** 'Answered 204 in 84 ms' */
export const outcomeText = ({ status, ms, note }: Pick<Result, 'status' | 'ms' | 'note'>): string => {
  if (status === null) return note;
  const summary = `Answered ${status}`;
  return `${summary} in ${grouped(ms)} ms${note.startsWith(summary) ? note.slice(summary.length) : ''}`;
};
