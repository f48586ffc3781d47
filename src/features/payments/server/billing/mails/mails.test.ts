import { describe, expect, test } from 'vitest';
import { trialEndedMail, trialEndsMail } from '../jobs.ts';
import { graceBegunMail, paymentFailedMail, planEndedMail, planEndsMail, planStartedMail } from '../mails.ts';

const to = 'ann@example.com';
const at = new Date('2026-11-20T12:00:00Z');
const later = new Date('2026-11-23T12:00:00Z');
const link = 'https://m.example/app/subscription';
const pro = { to, plan: 'pro', link } as const;
const premium = { to, plan: 'premium', link } as const;
const units = 85_471_500n;

const MAILS = [
  [
    'payment-failed',
    paymentFailedMail({ ...pro, units, at, nextTry: later }),
    ['85.4715 USD', '23 Nov 2026, 12:00:00'],
  ],
  [
    'payment-failed',
    paymentFailedMail({ ...premium, units, at, nextTry: null }),
    ['Premium+', 'None. Please pay manually'],
  ],
  [
    'plan-started',
    planStartedMail({ ...pro, units, at, from: at, until: later, by: 'card' }),
    ['Pro is active', '85.4715 USD, by card', '23 Nov 2026, 12:00:00'],
  ],
  [
    'plan-started',
    planStartedMail({ ...pro, units, at, from: later, until: later, by: 'USDC' }),
    ['Pro is paid', 'by USDC'],
  ],
  [
    'trial-ends',
    trialEndsMail({ ...pro, end: later, days: 2 }),
    ['ends in 2 days', 'nothing is charged', 'not deleted'],
  ],
  ['trial-ended', trialEndedMail({ ...pro, end: at }), ['nothing was charged', 'not deleted']],
  ['plan-ends', planEndsMail({ ...premium, end: later, days: 7 }), ['Premium+ ends in 7 days', 'without losing a day']],
  ['plan-ends', planEndsMail({ ...pro, end: later, days: 1 }), ['Pro ends within a day']],
  [
    'grace-begun',
    graceBegunMail({ ...pro, end: at, until: later }),
    ['three-day grace period', '23 Nov 2026, 12:00:00'],
  ],
  ['plan-ended', planEndedMail({ ...premium, end: at }), ['Premium+ has ended', 'not deleted']],
] as const;

describe('emails about plans and payments', () => {
  test.each(MAILS)('%s: has the same content in HTML and text, with its link', async (kind, given, parts) => {
    const mail = await given;
    expect(mail).toMatchObject({ kind, to });
    expect(mail.subject).toMatch(/^[A-Z][^\r\n]{5,70}$/);
    for (const part of parts) {
      expect(`${mail.subject} ${mail.html}`).toContain(part);
      expect(`${mail.subject} ${mail.text}`).toContain(part);
    }
    expect(mail.text).toContain(`:\n${link}`);
    expect(mail.html.split(`href="${link}"`)).toHaveLength(3);
    for (const part of [mail.html, mail.text]) {
      expect(part).toContain('Meridian sent this to ann@example.com because ');
      expect(part).not.toMatch(/undefined|\[object/);
    }
  });
});
