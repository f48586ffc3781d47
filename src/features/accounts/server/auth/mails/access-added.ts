import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';

const TITLES = {
  key: 'A new API key was created',
  'key-renewed': 'An API key was regenerated',
  webhook: 'A webhook was added',
  'webhook-address': 'A webhook address was changed',
  'webhook-secret': 'A webhook secret was changed',
  telegram: 'A Telegram chat was connected',
} as const;

export type AddedAccess = {
  what: keyof typeof TITLES;
  /** As its owner calls it; null for a chat. */
  name: string | null;
  /** Where the call came from; null for a chat, which connects itself. */
  network: string | null;
};

type Input = AddedAccess & { to: string; at: Date /** Where a new password can be asked for. */; link: string };

/** What outlives a sign-in is reported, so that a stolen session cannot leave it behind unseen. */
export const accessAddedMail = ({ what, name, network, to, at, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'access-added',
    to,
    subject: TITLES[what],
    title: TITLES[what],
    lines: ['It can access your account data even while you are signed out. If this was you, no action is needed.'],
    facts: [
      ...(name === null ? [] : [{ label: 'Name', value: name }]),
      ...(network === null ? [] : [{ label: 'Network', value: network }]),
      { label: 'Time', value: dateTime(at.getTime()) },
    ],
    action: { label: 'This was not me', url: link },
    after: [
      'If this was not you, choose a new password now. That signs out every device and lets you revoke all other access to your account.',
    ],
    because: 'we always report new access to your account.',
  });
