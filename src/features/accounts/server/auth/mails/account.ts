import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/smtp.ts';
import { BRAND } from '#shared/brand.ts';
import { dateTime } from '#shared/format.ts';

type Deletion = { to: string; at: Date; byAdmin: boolean };

export const accountDeletedMail = ({ to, at, byAdmin }: Deletion): Promise<MailMessage> =>
  renderMail({
    kind: 'account-deleted',
    to,
    subject: 'Your account was deleted',
    title: 'Your account was deleted',
    lines: [
      `${byAdmin ? 'An administrator deleted your account. ' : ''}Your ${BRAND.name} account and its personal data have been removed, and every device is signed out. Payment records are kept for as long as the law requires.`,
    ],
    facts: [{ label: 'Time', value: dateTime(at.getTime()) }],
    after: [byAdmin ? 'If you think this is a mistake, contact us.' : 'If this was not you, contact us now.'],
    because: 'the account with this address was deleted.',
  });

type Disabling = { to: string; at: Date; change: 'disabled' | 'enabled'; link: string };

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

/** Does not include the administrator's reason, which is an internal note. */
export function accountDisabledMail({ to, at, change, link }: Disabling): Promise<MailMessage> {
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

type PlanChange = {
  to: string;
  /** Display name, such as 'Premium+'. */
  planName: string;
  /** Null when it has no end. */
  until: Date | null;
  /** The subscription section of the profile. */
  link: string;
};

/** An administrator has changed the plan. */
export const planChangedMail = ({ to, planName, until, link }: PlanChange): Promise<MailMessage> =>
  renderMail({
    kind: 'plan-changed',
    to,
    subject: `Your plan is now ${planName}`,
    title: `Your plan is now ${planName}`,
    lines: ['An administrator changed your plan. The change applies now, on every device.'],
    facts: [
      { label: 'Plan', value: planName },
      { label: 'Until', value: until ? dateTime(until.getTime()) : 'No end date' },
    ],
    action: { label: 'View your plan', url: link },
    because: 'the plan on your account changed.',
  });
