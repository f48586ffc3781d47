import type { RemainingAccess } from '#features/accounts/contract/auth.ts';
import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';

type Input = {
  to: string;
  at: Date;
  /** Where a new password can be asked for. */
  link: string;
  /** After a reset: what still uses the account, and where all of it ends. */
  remaining?: readonly RemainingAccess[];
  endLink?: string | null;
};

const KINDS: Record<RemainingAccess['kind'], string> = {
  api_key: 'API key',
  webhook: 'Webhook',
  telegram: 'Telegram',
  passkey: 'Passkey',
};

export const passwordChangedMail = ({ to, at, link, remaining = [], endLink = null }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'password-changed',
    to,
    subject: 'Your password was changed',
    title: 'Your password was changed',
    lines: [
      'The password of your account is a new one now. If this was you, there is nothing to do.',
      ...(endLink
        ? ['What is listed here still uses your account. End all of it if you do not know each of them.']
        : []),
    ],
    facts: [
      { label: 'Time', value: dateTime(at.getTime()) },
      ...remaining.map(({ kind, name }) => ({ label: KINDS[kind], value: name })),
    ],
    ...(endLink
      ? { action: { label: 'End all of it', url: endLink }, otherwise: { text: 'This was not me', url: link } }
      : { action: { label: 'This was not me', url: link } }),
    after: ['If it was not you, choose a new password at once. That signs out every device.'],
    because: 'changes of how you sign in are always told to you.',
  });
