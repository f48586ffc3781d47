import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';

type Change = 'on' | 'off' | 'codes';
type Input = { to: string; change: Change; at: Date /** To /app/profile?tab=security */; link: string };

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

export const twoFactorChangedMail = ({ to, change, at, link }: Input): Promise<MailMessage> =>
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
