import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, test } from 'vitest';
import type { Latency } from '#features/notifications/contract/notifications.ts';
import { latencyOf } from '#features/notifications/web/notifications/fixtures.ts';
import { LatencyTable } from '#features/notifications/web/notifications/latency-table.tsx';
import { ABOUT_LEAD, AboutFacts, AboutSection, AboutText } from '#features/site/web/legal/about-text.tsx';
import { aboutOf } from '#features/site/web/legal/fixtures.ts';

import { renderAbout, renderLanding } from '../entry-server.tsx';
import { landingOf } from './fixtures.ts';

const model = landingOf({
  latency: latencyOf([{ channel: 'push', n: 1204, p50Ms: 340, p95Ms: 2_140, p99Ms: 80_000 }]),
});
const drawn = (html: string) => new DOMParser().parseFromString(html, 'text/html').body;
const LinkTo = ({ to, children }: { to: string; children: ReactNode }) => <a href={to}>{children}</a>;

describe('/about', () => {
  test('matches About in the app; one h1, the schedule, and buttons into the app; no script', () => {
    const body = drawn(renderAbout(model));
    const facts = (
      <>
        <AboutFacts about={model.about} A={LinkTo} />
        <AboutSection id="delivery" title="Alert Delivery Speed">
          <LatencyTable latency={model.latency as Latency} />
        </AboutSection>
      </>
    );
    const { container } = render(<AboutText facts={facts} plans={model.about.plans} A={LinkTo} />);
    const inApp = container.textContent ?? '';
    expect(inApp.length).toBeGreaterThan(1500);
    expect(body.querySelector('main')?.textContent).toContain(inApp);
    expect(body.querySelector('main')?.textContent).toContain(ABOUT_LEAD);
    expect([...body.querySelectorAll('h1')].map((h1) => h1.textContent)).toEqual(['About Meridian']);
    expect(body.textContent).toContain('Weekdays 9-17 UTC: hourly');
    const buttons = [...body.querySelectorAll('main a')].filter(({ textContent }) => textContent === 'Launch App');
    expect(buttons.map((link) => link.getAttribute('href'))).toEqual(['/app']);
    expect(body.querySelectorAll('script, style')).toHaveLength(0);
  });

  test.each([
    ['the landing page', renderLanding],
    ['/about itself', renderAbout],
  ])('%s links to About, Pricing and the app', (_, renderPage) => {
    const nav = drawn(renderPage(model)).querySelector('nav[aria-label="Main"]');
    const links = [...(nav?.querySelectorAll('a') ?? [])].map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links[0]).toEqual(['About', '/about']);
    expect(links[1]).toEqual(['Pricing', '/#pricing']);
  });

  test('plan prices and trial length are those of the installation', () => {
    const other = (trialDays: number) => ({
      ...model,
      about: aboutOf({ plans: { ...aboutOf().plans, pro: 10, premium: 45.5, trialDays } }),
    });
    expect(drawn(renderAbout(other(1))).textContent).toContain(
      'Pro costs $10/month, Premium+ $45.50; each account can try Pro for 1 day without a card.',
    );
    expect(drawn(renderAbout(other(0))).textContent).toContain('Pro costs $10/month, Premium+ $45.50. Pay by card');
  });

  test('coins and sources match the landing page counts', () => {
    const other = { ...model, about: aboutOf({ counts: { coins: 320, sources: 34 } }) };
    for (const page of [renderLanding(other), renderAbout(other)]) {
      const text = drawn(page).textContent;
      expect(text).toContain('300+');
      expect(text).toContain('30+');
      expect(text).toContain('99.98%');
    }
  });
});
