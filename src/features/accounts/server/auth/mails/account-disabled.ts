import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { BRAND } from '#shared/brand.ts';
import { dateTime } from '#shared/format.ts';

type Input = { to: string; at: Date; change: 'disabled' | 'enabled'; link: string };

const WORDS = {
  disabled: {
    line: `An administrator has disabled your ${BRAND.name} account. Sign-in, devices, API keys and notifications are blocked. Your data is retained, and a card subscription is not charged again.`,
    action: 'Contact support',
    after: 'If you think this is a mistake, contact us.',
  },
  enabled: {
    line: `Your ${BRAND.name} account works again. Sign in as before; your API keys, rules and schedules are active.`,
    action: 'Sign in',
    after: 'A card subscription that was canceled in the meantime stays canceled until you resume it.',
  },
} as const;

/** The reason is the administrator's own note and not in it. */
export function accountDisabledMail({ to, at, change, link }: Input): Promise<MailMessage> {
  const { line, action, after } = WORDS[change];
  return renderMail({
    kind: `account-${change}`,
    to,
    subject: `Your account was ${change}`,
    title: `Your account was ${change}`,
    lines: [line],
    facts: [{ label: 'Time', value: dateTime(at.getTime()) }],
    action: { label: action, url: link },
    after: [after],
    because: `the account with this address was ${change}.`,
  });
}
