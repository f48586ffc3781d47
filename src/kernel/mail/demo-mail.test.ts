import { describe, expect, test } from 'vitest';

import { fileProduct } from '#tests/support/for-file.ts';

import { renderMail } from './layout.ts';

const LINK = 'https://m.example/auth/confirm?token=s3cr3t&x=1';

describe('GET /demo-mail/:token', () => {
  const s = fileProduct({ mode: 'demo' });

  async function post(more: { subject?: string; line?: string } = {}): Promise<string> {
    const { subject = 'Confirm your email address', line = 'One step is left.' } = more;
    const action = { label: 'Confirm', url: LINK };
    const content = { kind: 'confirm', to: 'ann@example.com', subject, title: 'Confirm', lines: [line], action };
    const letter = await renderMail({ ...content, because: 'somebody signed up.' });
    const { demoMail } = await s.product.mail.enqueue(s.product.market.ctx.db, letter);
    return demoMail ?? '';
  }

  test('200: states that nothing was sent, names the recipient, and shows the email with its link', async () => {
    const page = await s.get(await post());
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const part of [
      'Demo email: nothing was sent',
      'ann@example.com',
      'Confirm your email address',
      'One step is left',
    ])
      expect(page.body).toContain(part);
    expect(page.body).toContain(`href="${LINK.replace('&', '&amp;')}"`);
    expect(page.body.match(/<body/g)).toHaveLength(1);
  });

  test('200: runs nothing, loads nothing, leaks no address to other sites and is not indexed', async () => {
    const { headers, body } = await s.get(await post());
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; style-src-attr 'unsafe-inline'; /);
    expect(policy).toMatch(/form-action 'none'; frame-ancestors 'none'$/);
    expect(policy).not.toMatch(/script|https?:|\*/);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect(body).not.toMatch(/<script/i);
  });

  test('200: text typed into an email stays text', async () => {
    const evil = '</body><script>alert(1)</script><img src=x onerror=alert(1)>';
    const { body } = await s.get(await post({ subject: evil, line: evil }));
    expect(body).not.toMatch(/<script|<img|<\/body>.*<\/body>/s);
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('200 for 24 hours, then 404 with a clear message', async () => {
    const address = await post();
    s.advance(24 * 3_600_000 - 1000);
    expect((await s.get(address)).statusCode).toBe(200);
    s.advance(1000);
    const gone = await s.get(address);
    expect(gone.statusCode).toBe(404);
    expect(gone.body).toContain('Demo emails are shown for 24 hours');
  });

  test.each([
    ['a token nobody was given', '/demo-mail/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['the number of a mail', '/demo-mail/1'],
    ['a token that is far too long', `/demo-mail/${'A'.repeat(90)}`],
  ])('404: %s', async (_what, address) => {
    const page = await s.get(address);
    expect(page.statusCode).toBe(404);
    expect(page.body).not.toContain('ann@example.com');
  });
});
