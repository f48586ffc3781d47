import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
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
