import type { AttemptState, Format, Result, Webhook } from '#features/notifications/contract/webhooks.ts';
import { grouped } from '#shared/format.ts';

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

/** How a webhook stands, in a word or two. */
export function stateOf({ enabled, disabledAt, failures }: Webhook): readonly [tone: Tone, word: string] {
  if (disabledAt !== null) return ['down', 'Disabled'];
  if (!enabled) return ['plain', 'Off'];
  return failures > 0 ? ['warn', 'Failing'] : ['up', 'On'];
}

/** 'Answered 204 in 84 ms' */
export const outcomeOf = ({ status, ms, note }: Pick<Result, 'status' | 'ms' | 'note'>): string => {
  if (status === null) return note;
  const said = `Answered ${status}`;
  return `${said} in ${grouped(ms)} ms${note.startsWith(said) ? note.slice(said.length) : ''}`;
};
