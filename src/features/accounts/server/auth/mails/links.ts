import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/smtp.ts';
import { BRAND } from '#shared/brand.ts';

type Input = { to: string; signInLink: string; resetLink: string };

/** Reply to a sign-up with an existing address: only its owner is notified. */
export const alreadyRegisteredMail = ({ to, signInLink, resetLink }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'already-registered',
    to,
    subject: 'You already have an account',
    title: 'You already have an account',
    lines: [
      `Someone tried to sign up for ${BRAND.name} with your email address. It already has an account, so nothing has changed.`,
    ],
    action: { label: 'Sign in', url: signInLink },
    otherwise: { text: 'Forgot your password? Choose a new one:', url: resetLink },
    after: ['If this was not you, you can ignore this email.'],
    because: 'someone signed up with this address.',
  });

export const confirmMail = ({ to, link }: { to: string; link: string }): Promise<MailMessage> =>
  renderMail({
    kind: 'confirm',
    to,
    subject: 'Confirm your email address',
    title: 'Confirm your email address',
    lines: [`Confirm that this address is yours to activate your ${BRAND.name} account.`],
    action: { label: 'Confirm email address', url: link },
    after: ['The link works once and expires in 24 hours.', 'If you did not sign up, ignore this email.'],
    because: 'someone signed up with this address.',
  });

/** Sent to the new address. */
export const emailChangeConfirmMail = ({ to, link }: { to: string; link: string }): Promise<MailMessage> =>
  renderMail({
    kind: 'email-change-confirm',
    to,
    subject: 'Confirm your new email address',
    title: 'Confirm your new email address',
    lines: [`Confirm that ${to} is yours to move your ${BRAND.name} account to it.`],
    action: { label: 'Confirm new address', url: link },
    after: [
      'The link works once and expires in 24 hours. Until you confirm, the account keeps its old address.',
      'If you did not request this, ignore this email.',
    ],
    because: 'it was entered as the new address of an account.',
  });

/** Demo mode only, where every expected email arrives; a live installation never emails unknown addresses. */
export const noAccountMail = ({ to, link }: { to: string; link: string }): Promise<MailMessage> =>
  renderMail({
    kind: 'no-account',
    to,
    subject: 'No action is needed for this address',
    title: 'No action is needed for this address',
    lines: [
      `No ${BRAND.name} account is expecting an email at this address. Outside the demo, this email would not be sent.`,
    ],
    action: { label: 'Sign up', url: link },
    because: 'someone requested an email to this address.',
  });

export const resetMail = ({ to, link }: { to: string; link: string }): Promise<MailMessage> =>
  renderMail({
    kind: 'reset',
    to,
    subject: 'Reset your password',
    title: 'Reset your password',
    lines: [`Choose a new password for your ${BRAND.name} account. This signs out every device.`],
    action: { label: 'Choose a new password', url: link },
    after: [
      'The link works once and expires in 60 minutes.',
      'If you did not request this, ignore this email. Your password stays the same.',
    ],
    because: 'someone requested a new password for this account.',
  });
