import type { ReactNode } from 'react';

import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { BRAND } from '#shared/brand.ts';

import type { LinkTo } from './about-facts.tsx';
import { AboutSection } from './about-section.tsx';
import { daysText, type Plans, usd } from './plan-table.tsx';

export const ABOUT_LEAD = `${BRAND.name} is market intelligence for crypto traders and analysts: prices, on-chain and derivatives data, narratives, macro events, inflation and AI analysis on one page, each number with its source and age.`;

/** Nothing is named that is not known. */
function pricesText(plans: Plans): string {
  const { pro, premium } = PLAN_NAMES;
  if (!plans) return `See the plans page for the prices of ${pro} and ${premium}.`;
  const trial =
    plans.trialDays > 0 ? `; each account can try ${pro} for ${daysText(plans.trialDays)} without a card` : '';
  return `${pro} costs ${usd(plans.pro)}/month, ${premium} ${usd(plans.premium)}${trial}.`;
}

/** The About text, the same in public and in the app. `facts` is what the running instance adds, `plans` what it charges. */
export function AboutText({ facts, plans, A }: { facts: ReactNode; plans: Plans; A: LinkTo }) {
  return (
    <>
      {facts}
      <AboutSection id="score" title="How it keeps score">
        <ul>
          <li>
            <strong>No number without its birth certificate.</strong> Each one shows its source, when it was observed
            and fetched, and whether it was measured, computed, a default or demo data.
          </li>
          <li>
            <strong>Stale is marked stale.</strong> An outdated number is marked stale and shows its age. When a source
            fails, the page says so and another takes over.
          </li>
          <li>
            <strong>No prediction without its track record.</strong> Predictions are stored as published and graded at
            their horizon against the outcome and against simple baselines.
          </li>
          <li>
            <strong>Nothing is made up.</strong> What no source provides is shown as missing, with the reason. A
            simulated market is labeled demo data on every page.
          </li>
        </ul>
      </AboutSection>
      <AboutSection id="plans" title="Plans and payment">
        <p>
          The dashboard is open to everyone, without an account. {pricesText(plans)} Pay by card, or in USDC on Base or
          Solana from your own wallet. The <A to="/app/terms">Terms & Conditions</A> list what each plan includes, the{' '}
          <A to="/app/privacy">Privacy Policy</A> what we store about you.
        </p>
      </AboutSection>
      <AboutSection id="not-advice" title="What it is not">
        <p>
          {BRAND.name} is not an exchange, a broker or an adviser. It holds no assets and places no orders. Nothing here
          is financial advice.
        </p>
      </AboutSection>
      <AboutSection id="reach" title="Contact">
        <p>
          Questions, errors and ideas: <A to="/app/contact">write to us</A>. We reply within 24-48 hours on business
          days.
        </p>
      </AboutSection>
    </>
  );
}
