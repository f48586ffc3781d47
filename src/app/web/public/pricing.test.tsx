import { describe, expect, test } from 'vitest';
import type { Pricing } from '#features/payments/contract/billing.ts';
import { priceOf, pricingOf } from '#features/payments/web/billing/fixtures.ts';
import { OTHER_LIMITS } from '#ui/testing/limits.ts';

import { renderLanding } from '../entry-server.tsx';
import { landingOf } from './fixtures.ts';

function drawn(change: Partial<Pricing> = {}): HTMLElement {
  const html = renderLanding(landingOf({ pricing: pricingOf(change) }));
  const block = new DOMParser().parseFromString(html, 'text/html').getElementById('pricing');
  if (!block) throw new Error('no pricing block');
  return block;
}
const plans = (block: HTMLElement) => [...block.querySelectorAll('article')].map(({ textContent }) => textContent);

describe('landing page pricing block', () => {
  test('three plans with price, features, and a call to action', () => {
    const block = drawn();
    const [free, pro, premium] = plans(block);
    expect(free).toMatch(/^Free\$0\/month.*Market dashboard with live prices.*Open the dashboard$/);
    expect(pro).toMatch(
      /^Pro\$29\.99\/month.*50 custom alert thresholds.*1,000 API calls a day, for programs and AI assistantsGet Pro$/,
    );
    expect(premium).toMatch(
      /^Premium\+\$99\/month.*[Ww]ebhooks.*White-label.*Advanced analytics.*10,000 API calls a dayGet Premium\+$/,
    );
    expect([...block.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      '/app',
      '/app/subscription',
      '/app/subscription',
    ]);
    expect(block.textContent).toContain('Try Pro free for 7 days, no card required. Save 20% with 12 months upfront.');
  });

  test('no payment methods and no questions', () => {
    expect(drawn().textContent).not.toMatch(/Stripe|USDC|Payment methods|Questions/);
    expect(drawn().querySelector('details')).toBeNull();
  });

  test('prices and discounts are those of the installation', () => {
    const [, pro, premium] = plans(drawn({ pro: priceOf(10, 20), premium: priceOf(120.5), discountActive: true }));
    expect(pro).toContain('Instead of $20$10first month');
    expect(premium).toContain('$120.50/month');
  });

  test('daily limits are those of the installation', () => {
    const [, pro, premium] = plans(drawn({ limits: OTHER_LIMITS }));
    expect(pro).toContain('Data export: CSV, JSON and Excel, 7 a day');
    expect(pro).toContain('50 API calls a day, for programs');
    expect(premium).toMatch(/Unlimited API callsGet Premium\+$/);
  });

  test('without a trial and prepaid months neither is promised', () => {
    const text = drawn({ trialDays: 0, terms: [{ months: 1, discount: 0 }] }).textContent;
    expect(text).not.toMatch(/Try Pro|less when/);
  });

  test('states when it has not launched', () => {
    const block = drawn({ comingSoon: true });
    expect(block.textContent).toContain('Pro and Premium plans are coming soon! Stay tuned for updates.');
    expect(plans(block)[1]).toMatch(/Coming Soon$/);
  });
});
