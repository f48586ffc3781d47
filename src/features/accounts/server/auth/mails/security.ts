import type { RemainingAccess } from '#features/accounts/contract/auth.ts';
import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/smtp.ts';
import { dateTime } from '#shared/format.ts';

const TITLES = {
  key: 'A new API key was created',
  'key-renewed': 'An API key was regenerated',
  webhook: 'A webhook was added',
  'webhook-address': 'A webhook address was changed',
  'webhook-secret': 'A webhook secret was changed',
  telegram: 'A Telegram chat was connected',
} as const;

export type NewAccess = {
  what: keyof typeof TITLES;
  /** Name given by the owner; null for a chat. */
  name: string | null;
  /** Network of the request; null for a chat, which connects itself. */
  network: string | null;
};

type AccessAdded = NewAccess & { to: string; at: Date /** Where a new password can be asked for. */; link: string };

/** Access that outlives a session is reported, so that a stolen session cannot create it unnoticed. */
export const accessAddedMail = ({ what, name, network, to, at, link }: AccessAdded): Promise<MailMessage> =>
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

type NewSignIn = {
  to: string;
  /** Device name, such as 'Chrome on Windows'. */
  device: string;
  network: string;
  at: Date;
  /** To /app/profile?tab=security */
  link: string;
};

export const newSignInMail = ({ to, device, network, at, link }: NewSignIn): Promise<MailMessage> =>
  renderMail({
    kind: 'new-sign-in',
    to,
    subject: 'New sign-in to your account',
    title: 'New sign-in to your account',
    lines: ['A new device signed in to your account. If this was you, no action is needed.'],
    facts: [
      { label: 'Device', value: device },
      { label: 'Network', value: network },
      { label: 'Time', value: dateTime(at.getTime()) },
    ],
    action: { label: 'Check your devices', url: link },
    after: ['If this was not you, sign out that device and change your password.'],
    because: 'we always report sign-ins from new devices.',
  });

type PasskeyChange = {
  to: string;
  change: 'added' | 'removed';
  /** Name given by the owner. */
  name: string;
  at: Date;
  /** To /app/profile?tab=security */
  link: string;
};

export const passkeyChangedMail = ({ to, change, name, at, link }: PasskeyChange): Promise<MailMessage> =>
  renderMail({
    kind: 'passkey-changed',
    to,
    subject: `A passkey was ${change}`,
    title: `A passkey was ${change}`,
    lines: [change === 'added' ? 'A new passkey can now sign in to your account.' : 'A passkey can no longer sign in.'],
    facts: [
      { label: 'Passkey', value: name },
      { label: 'Time', value: dateTime(at.getTime()) },
    ],
    action: { label: 'Check your passkeys', url: link },
    after: ['If this was not you, remove any passkey you do not recognize and change your password.'],
    because: 'we always report changes to how you sign in.',
  });

type PasswordChange = {
  to: string;
  at: Date;
  /** Where a new password can be requested. */
  link: string;
  /** After a reset: what still has access, and the link that revokes it all. */
  remaining?: readonly RemainingAccess[];
  endLink?: string | null;
};

const KINDS: Record<RemainingAccess['kind'], string> = {
  api_key: 'API key',
  webhook: 'Webhook',
  telegram: 'Telegram',
  passkey: 'Passkey',
};

export const passwordChangedMail = ({
  to,
  at,
  link,
  remaining = [],
  endLink = null,
}: PasswordChange): Promise<MailMessage> =>
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

type Change = 'on' | 'off' | 'codes';
type TwoFactorChange = { to: string; change: Change; at: Date /** To /app/profile?tab=security */; link: string };

const WORDS: Record<Change, { title: string; line: string }> = {
  on: {
    title: 'Two-factor sign-in was turned on',
    line: 'Signing in now requires a code from your authenticator app. Keep your backup codes in a safe place.',
  },
  off: {
    title: 'Two-factor sign-in was turned off',
    line: 'Signing in now requires only your password.',
  },
  codes: {
    title: 'New backup codes were created',
    line: 'New backup codes for two-factor sign-in were created. The old codes no longer work.',
  },
};

export const twoFactorChangedMail = ({ to, change, at, link }: TwoFactorChange): Promise<MailMessage> =>
  renderMail({
    kind: 'two-factor-changed',
    to,
    subject: WORDS[change].title,
    title: WORDS[change].title,
    lines: [WORDS[change].line],
    facts: [{ label: 'Time', value: dateTime(at.getTime()) }],
    action: { label: 'Check your security settings', url: link },
    after: ['If this was not you, change your password now and sign out every device.'],
    because: 'we always report changes to how you sign in.',
  });

type WrongCodes = {
  to: string;
  wrong: number;
  /** No further authenticator codes are accepted. */
  stopped: boolean;
  device: string;
  network: string;
  at: Date;
  /** Where a new password can be requested. */
  link: string;
};

export const wrongCodesMail = ({ to, wrong, stopped, device, network, at, link }: WrongCodes): Promise<MailMessage> =>
  renderMail({
    kind: 'wrong-codes',
    to,
    subject: stopped ? 'Authenticator codes are no longer accepted' : 'Wrong two-factor codes entered',
    title: stopped ? 'Authenticator codes are no longer accepted' : 'Wrong two-factor codes entered',
    lines: [
      `${wrong} wrong codes in a row were entered for your account by someone who has your password or an open session.`,
      ...(stopped
        ? [
            'Sign in with a backup code or a passkey, or choose a new password. Authenticator codes are accepted again after that.',
          ]
        : ['If this was you, no action is needed.']),
    ],
    facts: [
      { label: 'Device', value: device },
      { label: 'Network', value: network },
      { label: 'Time', value: dateTime(at.getTime()) },
    ],
    action: { label: 'This was not me', url: link },
    after: ['If this was not you, choose a new password now. That signs out every device.'],
    because: 'we always report attempts to sign in as you.',
  });

type EmailChange = { to: string; newEmail: string; at: Date /** To /app/profile?tab=security */; link: string };

/** Sent to the old address. */
export const emailChangeNoticeMail = ({ to, newEmail, at, link }: EmailChange): Promise<MailMessage> =>
  renderMail({
    kind: 'email-change-notice',
    to,
    subject: 'Your email address is about to change',
    title: 'Your email address is about to change',
    lines: [
      'A new email address was entered for your account. Once it is confirmed, this address can no longer sign in.',
    ],
    facts: [
      { label: 'New address', value: newEmail },
      { label: 'Time', value: dateTime(at.getTime()) },
    ],
    action: { label: 'Check your account', url: link },
    after: ['If this was not you, change your password now. That also cancels the pending address.'],
    because: 'we always report changes to how you sign in.',
  });
