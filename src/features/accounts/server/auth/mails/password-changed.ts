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
      'Your account has a new password. If this was you, no action is needed.',
      ...(endLink
        ? ['The items below still have access to your account. Revoke all of them if you do not recognize every one.']
        : []),
    ],
    facts: [
      { label: 'Time', value: dateTime(at.getTime()) },
      ...remaining.map(({ kind, name }) => ({ label: KINDS[kind], value: name })),
    ],
    ...(endLink
      ? { action: { label: 'Revoke all access', url: endLink }, otherwise: { text: 'This was not me', url: link } }
      : { action: { label: 'This was not me', url: link } }),
    after: ['If this was not you, choose a new password now. That signs out every device.'],
    because: 'we always report changes to how you sign in.',
  });
