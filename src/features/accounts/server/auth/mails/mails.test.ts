import { describe, expect, test } from 'vitest';
import { accountDeletedMail, accountDisabledMail, planChangedMail } from './account.ts';
import { alreadyRegisteredMail, confirmMail, emailChangeConfirmMail, noAccountMail, resetMail } from './links.ts';
import {
  accessAddedMail,
  emailChangeNoticeMail,
  newSignInMail,
  passkeyChangedMail,
  passwordChangedMail,
  twoFactorChangedMail,
  wrongCodesMail,
} from './security.ts';

const to = 'ann@example.com';
const at = new Date('2026-11-20T12:00:00Z');
const link = 'https://m.example/app/profile?tab=security&token=abc';
const links = { signInLink: link, resetLink: 'https://m.example/app?auth=forgot&x=1' };
const EVIL = '</p><script>alert(1)</script>\r\nBcc: eve@example.com\u202e\u0000';

const MAILS = [
  ['confirm', confirmMail({ to, link }), ['24 hours', 'works once']],
  ['already-registered', alreadyRegisteredMail({ to, ...links }), ['You already have an account']],
  ['reset', resetMail({ to, link }), ['60 minutes', 'works once']],
  ['password-changed', passwordChangedMail({ to, at, link }), ['20 Nov 2026, 12:00:00 UTC']],
  [
    'new-sign-in',
    newSignInMail({ to, device: 'Chrome on Windows', network: '203.0.113.0/24', at, link }),
    ['Chrome on Windows', '203.0.113.0/24', '20 Nov 2026, 12:00:00 UTC'],
  ],
  ['email-change-confirm', emailChangeConfirmMail({ to, link }), ['24 hours', 'Confirm that ann@example.com is yours']],
  ['email-change-notice', emailChangeNoticeMail({ to, newEmail: 'new@example.com', at, link }), ['new@example.com']],
  ['two-factor-changed', twoFactorChangedMail({ to, change: 'on', at, link }), ['Two-factor sign-in was turned on']],
  ['two-factor-changed', twoFactorChangedMail({ to, change: 'off', at, link }), ['Two-factor sign-in was turned off']],
  ['two-factor-changed', twoFactorChangedMail({ to, change: 'codes', at, link }), ['New backup codes were created']],
  ['passkey-changed', passkeyChangedMail({ to, change: 'added', name: 'Laptop', at, link }), ['added', 'Laptop']],
  ['passkey-changed', passkeyChangedMail({ to, change: 'removed', name: 'Laptop', at, link }), ['removed', 'Laptop']],
  ['plan-changed', planChangedMail({ to, planName: 'Premium+', until: at, link }), ['now Premium+', '20 Nov 2026']],
  ['plan-changed', planChangedMail({ to, planName: 'Pro', until: null, link }), ['now Pro', 'No end date']],
  [
    'account-disabled',
    accountDisabledMail({ to, at, change: 'disabled', link }),
    ['An administrator has disabled your Meridian account', '20 Nov 2026, 12:00:00 UTC'],
  ],
  ['account-enabled', accountDisabledMail({ to, at, change: 'enabled', link }), ['works again', 'Sign in as before']],
  [
    'access-added',
    accessAddedMail({ what: 'key', name: 'Bot', network: '203.0.113.0/24', to, at, link }),
    ['A new API key was created', 'Bot', '203.0.113.0/24'],
  ],
  ['access-added', accessAddedMail({ what: 'telegram', name: null, network: null, to, at, link }), ['A Telegram chat']],
  [
    'wrong-codes',
    wrongCodesMail({ to, wrong: 3, stopped: false, device: 'Chrome', network: '203.0.113.0/24', at, link }),
    ['3 wrong codes', '203.0.113.0/24'],
  ],
  [
    'wrong-codes',
    wrongCodesMail({ to, wrong: 50, stopped: true, device: 'Chrome', network: '203.0.113.0/24', at, link }),
    ['no longer accepted', 'backup code'],
  ],
  ['no-account', noAccountMail({ to, link }), ['Sign up']],
] as const;

const escaped = (text: string) => text.replaceAll('&', '&amp;');

describe('every email', () => {
  test.each(MAILS)(
    '%s: has the same content in HTML and text, with its link as a button and as text',
    async (kind, given, parts) => {
      const mail = await given;
      expect(mail).toMatchObject({ kind, to });
      expect(mail.subject).toMatch(/^[A-Z][^\r\n]{5,70}$/);
      for (const part of parts) {
        expect(`${mail.subject} ${mail.html}`).toContain(part);
        expect(`${mail.subject} ${mail.text}`).toContain(part);
      }
      expect(mail.html.split(`href="${escaped(link)}"`)).toHaveLength(3);
      expect(mail.html).toContain(`>${escaped(link)}</a>`);
      expect(mail.text.split(link)).toHaveLength(2);
      expect(mail.text).toMatch(new RegExp(`:\n${link.replaceAll(/[?.]/g, '\\$&')}`));
    },
  );

  test.each(MAILS)(
    '%s: states sender, recipient and reason; runs no scripts and loads nothing',
    async (_kind, given) => {
      const { html, text } = await given;
      for (const part of [html, text]) {
        expect(part).toContain('Meridian sent this to ann@example.com because ');
        expect(part).toContain('support@meridian.example');
      }
      expect(html).not.toMatch(/<(script|img|link|iframe|form)|url\(|onload/i);
      expect(text).not.toMatch(/<\/?\w+>|&\w+;|undefined|null|\[object/);
      expect(html).not.toMatch(/undefined|\[object/);
      expect(html).toContain('content="light dark"');
    },
  );
});

test('already-registered: also links to a password reset', async () => {
  const { html, text } = await alreadyRegisteredMail({ to, ...links });
  expect(html).toContain(`href="${escaped(links.resetLink)}"`);
  expect(text).toContain(links.resetLink);
});

test('account-deleted: needs no link and states what is retained', async () => {
  const { html, text, subject } = await accountDeletedMail({ to, at, byAdmin: false });
  expect(subject).toBe('Your account was deleted');
  for (const part of [html, text]) {
    expect(part).toContain('Payment records are kept');
    expect(part).toContain('20 Nov 2026, 12:00:00 UTC');
  }
});

describe('names from users and browsers', () => {
  test.each([
    ['a device', newSignInMail({ to, device: EVIL, network: EVIL, at, link })],
    ['an API key', accessAddedMail({ what: 'key', name: EVIL, network: null, to, at, link })],
    ['a passkey', passkeyChangedMail({ to, change: 'added', name: EVIL, at, link })],
    ['a plan', planChangedMail({ to, planName: EVIL, until: null, link })],
    ['a new address', emailChangeNoticeMail({ to, newEmail: EVIL, at, link })],
  ])('cannot break HTML, text or headers: %s', async (_what, given) => {
    const { html, text, subject } = await given;
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;');
    for (const part of [html, text, subject])
      for (const broken of ['\nBcc:', '\u202e', '\u0000']) expect(part).not.toContain(broken);
    expect(text).toContain('<script>alert(1)</script> Bcc: eve@example.com');
  });

  test('are truncated when too long for the email', async () => {
    const { text } = await passkeyChangedMail({ to, change: 'added', name: 'x'.repeat(5000), at, link });
    expect(text.length).toBeLessThan(1200);
  });

  test('a link that is not a web address is rejected', async () => {
    await expect(confirmMail({ to, link: 'javascript:alert(1)' })).rejects.toThrow(/needs a web address/);
  });
});
