// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { describe, expect, test } from 'vitest';
import { PLAN_LIMITS, PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { IN_FORCE_SINCE } from '#features/site/contract/legal.ts';
import { BRAND } from '#shared/brand.ts';
import { OTHER_LIMITS } from '#ui/testing/limits.ts';
import { LegalArticle } from './legal-article.tsx';
import type { LegalText } from './legal-text.ts';
import { buildPrivacy } from './privacy.ts';
import { buildTerms } from './terms.tsx';

const CHARGED = { pro: 19.5, premium: 120, trialDays: 14, limits: OTHER_LIMITS };
const TERMS = buildTerms(CHARGED);
const PRIVACY = buildPrivacy(null);

const show = (text: LegalText) =>
  render(
    <MemoryRouter>
      <LegalArticle text={text} />
    </MemoryRouter>,
  );
/** Text with spaces between blocks, as displayed. */
const wordsOf = (element: Element): string =>
  element.innerHTML
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,;:)])/g, '$1');
const section = (name: string) => screen.getByRole('region', { name: new RegExp(`^\\d+\\. ${name}$`) });

describe.each([
  ['Privacy Policy', PRIVACY],
  ['Terms & Conditions', TERMS],
])('%s', (title, text) => {
  test('has at least 900 words of body text, excluding its contents', () => {
    const { container } = show(text);
    for (const nav of container.querySelectorAll('nav')) nav.remove();
    expect(wordsOf(container).split(' ').length).toBeGreaterThanOrEqual(900);
  });

  test('is dated, has one h1 and an anchored heading for each contents line', () => {
    const { container } = show(text);
    expect(screen.getAllByRole('heading', { level: 1 }).map((heading) => heading.textContent)).toEqual([title]);
    expect(screen.getByText('27 November 2026').getAttribute('datetime')).toBe(IN_FORCE_SINCE);
    expect(IN_FORCE_SINCE).toBe('2026-11-27');
    const links = [...container.querySelectorAll('nav a')];
    expect(links).toHaveLength(text.sections.length);
    for (const link of links) {
      const heading = container.querySelector(`h2${link.getAttribute('href')}`);
      expect(heading?.textContent?.replace(' ', ''), link.textContent ?? '').toBe(link.textContent);
    }
    const ids = [...container.querySelectorAll('[id]')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('names the product and the brand’s support address, and leaves no placeholders', () => {
    const { container } = show(text);
    expect(screen.getAllByRole('link', { name: BRAND.supportEmail })[0]?.getAttribute('href')).toMatch(
      `mailto:${BRAND.supportEmail}`,
    );
    expect(wordsOf(container)).toContain(BRAND.name);
    expect(wordsOf(container)).not.toMatch(/lorem|placeholder|TODO|TBD|coming soon|\[[^\]]*\]|undefined|null/i);
  });
});

describe('Terms & Conditions, clauses', () => {
  test.each([
    ['No financial advice', /Nothing on Meridian is financial, investment, legal or tax advice/],
    ['Data as is', /provided “as is”.* source and its age/],
    ['Predictions and their record', /track record.* promises nothing/],
    ['Accounts and security', /Keep your password, second factor, backup codes and API keys to yourself/],
    ['Acceptable use', /You may not .*circumvent limits, access controls or payment/],
    ['API and its limits', /counted per account and day in UTC.* status 429/],
    ['Third-party data and attribution', /license and the attribution it requires/],
    [
      'Free trial',
      /free of charge for 14 days, once per account and email address\. No card is required\. The trial ends automatically/,
    ],
    ['Payment and renewal', /By card through Stripe.* In USDC on Base or Solana/],
    ['Price changes', /Prices may change with 30 days notice/],
    ['Cancellation and refunds', /Cancellation takes effect at the end of the billing period/],
    ['Cancellation and refunds', /There are no refunds for partial periods/],
    ['Availability and changes', /target, not a guarantee/],
    ['Suspension and end', /We may limit or suspend an account/],
    ['Limit of liability', /liability .* is capped at the amount you paid in the prior 12 months/],
    ['Governing law', /governed by the laws of the State of Wyoming/],
    ['Changes to these terms', /announced by email and in the app at least 30 days before/],
  ])('%s: %s', (name, clause) => {
    show(TERMS);
    expect(wordsOf(section(name))).toMatch(clause);
  });

  test('the plan table matches the server’s checks', () => {
    show(TERMS);
    const table = screen.getByRole('table', { name: 'Plans, prices and limits' });
    const row = (name: string) =>
      within(within(table).getByRole('row', { name: new RegExp(`^${name} `) }))
        .getAllByRole('cell')
        .map((cell) => cell.textContent);
    const { free, pro, premium } = PLAN_LIMITS;
    const plans = [free, pro, premium];
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Plan', PLAN_NAMES.free, PLAN_NAMES.pro, PLAN_NAMES.premium]);
    expect(row('Price per month')).toEqual(['$0', '$19.50', '$120']);
    expect(row('API calls per day')).toEqual(['None', '50', 'Unlimited']);
    expect(row('Exports per day')).toEqual(['None', '7', 'Unlimited']);
    expect(row('History shown')[0]).toBe(`${free.historyDays} days`);
    for (const [name, has] of [
      ['Market alerts', plans.map(({ alerts }) => alerts)],
      ['Custom alert thresholds', plans.map(({ customAlerts }) => customAlerts)],
      ['Data export', plans.map(({ dataExport }) => dataExport)],
      ['API keys', plans.map(({ apiKeys }) => apiKeys)],
      ['Advanced export', plans.map(({ advancedExport }) => advancedExport)],
      ['Advanced analytics', plans.map(({ advancedAnalytics }) => advancedAnalytics)],
      ['Webhooks', plans.map(({ webhooks }) => webhooks)],
    ] as const)
      expect(row(name), name).toEqual(has.map((yes) => (yes ? 'Yes' : 'No')));
  });
});

test('Terms without a trial promise none, and state no price before it is known', () => {
  show(buildTerms({ ...CHARGED, trialDays: 0 }));
  expect(wordsOf(section('Free trial'))).toMatch(/There is no free trial at the moment/);
  expect(document.body.textContent).not.toMatch(/free of charge|The free trial costs nothing/);
  cleanup();
  show(buildTerms(undefined));
  expect(wordsOf(section('Free trial'))).toMatch(/free of charge for the period shown on the plans page, once/);
  expect(wordsOf(section('Plans and limits'))).toMatch(/Price per month \$0 See the plans page See the plans page/);
});

describe('Privacy Policy, required content', () => {
  test.each([
    ['What an account holds', /alert rules with the alerts they raised, exports .*API keys as hashes/],
    ['Open league', /under the name you choose.* public name is deleted and the forecasts remain without it/],
    ['When you write to us', /on our server or on a page in your browser.* does not say who you are/],
    [
      'How long it is kept',
      /Alerts: 400 days.* Exported files: seven days.* Error reports: 30 days.* Messages to support/,
    ],
    ['What is kept in your browser', /session storage .*checkout.*renewalDismissed/],
    ['If you only browse', /no cookies, no advertising, no trackers and no analytics/],
    ['What an account holds', /argon2id hash/],
    ['Where you are signed in', /device in words.* the network it came from.* Your profile shows this list/],
    ['Email and notifications', /a keyed hash of the address.* Browser push.* Telegram.* Webhooks/],
    ['Payments', /Stripe.* USDC on Base or Solana.* public, can be read by anyone and cannot be deleted/],
    ['How long it is kept', /30 days after their last use.* tax and accounting law/],
    [
      'How long it is kept',
      /keyed hash of the address .* remains after the account is deleted, only so that the trial cannot be used twice/,
    ],
    ['Deleting your account', /removes your personal data immediately.* Payment records required by law are retained/],
    ['Your rights', /copy of your personal data.* correct .* delete .* one month/],
    ['Who is responsible', /operator of this installation .* controller/],
    ['Who else receives data', /hosts the server/],
    ['Children', /not intended for anyone under 18/],
    ['Changes to this policy', /at least 30 days before/],
  ])('%s: %s', (name, words) => {
    show(PRIVACY);
    expect(wordsOf(section(name))).toMatch(words);
  });

  test('names the active page statistics, who receives what, and none while unknown', () => {
    show(buildPrivacy('stats.example'));
    expect(wordsOf(section('If you only browse'))).toMatch(
      /counts visits with a script from stats\.example.* IP address/,
    );
    expect(wordsOf(section('What we do not do'))).toMatch(/only third-party script we load is that of stats\.example/);
    expect(wordsOf(section('Who else receives data'))).toMatch(/stats\.example, for page statistics/);
    expect(document.body.textContent).not.toMatch(/no analytics|without being tracked/);
    cleanup();
    show(buildPrivacy(undefined));
    expect(wordsOf(section('If you only browse'))).toMatch(/it is named here/);
    expect(document.body.textContent).not.toMatch(/no analytics/);
  });

  test('names every key that the product stores in the browser', () => {
    show(PRIVACY);
    const names = [...section('What is kept in your browser').querySelectorAll('code')].map((code) => code.textContent);
    expect(names).toEqual([
      'authToken',
      'user',
      'lastSeenAlertId',
      'lastSeenRelease.cpi',
      'lastSeenRelease.pce',
      'lastSeenRelease.ppi',
      'theme',
      'palette',
      'shortcuts',
      'watchlist',
      'tour',
      'lastVisit',
      'newsRead',
    ]);
  });
});
