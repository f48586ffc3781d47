import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';

const TITLES = {
  key: 'A new API key was created',
  'key-renewed': 'An API key was regenerated',
  webhook: 'A webhook was added',
  'webhook-address': 'The address of a webhook was changed',
  'webhook-secret': 'A webhook has a new secret',
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
    lines: [
      'It reads data of your account, or receives it, also when you are signed out. If this was you, there is nothing to do.',
    ],
    facts: [
      ...(name === null ? [] : [{ label: 'Name', value: name }]),
      ...(network === null ? [] : [{ label: 'Network', value: network }]),
      { label: 'Time', value: dateTime(at.getTime()) },
    ],
    action: { label: 'This was not me', url: link },
    after: [
      'If it was not you, choose a new password at once. That signs out every device, and lists what else can use your account, with one button that ends it.',
    ],
    because: 'you are always informed of new access to your account.',
  });
