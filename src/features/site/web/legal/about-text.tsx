import type { ComponentType, ReactNode } from 'react';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { About } from '#features/site/contract/legal.ts';
import { BRAND } from '#shared/brand.ts';
import { atLeast, uptimeText } from '#shared/coverage.ts';
import { daysText, type Plans, usd } from './plan-table.tsx';

type Props = { id: string; title: string; children: ReactNode };

/** A heading with its text beside it, or below it on a narrow screen. */
export function AboutSection({ id, title, children }: Props) {
  return (
    <section
      aria-labelledby={id}
      className="mt-6 grid grid-cols-1 gap-2 border-t border-line pt-5 md:grid-cols-[1fr_2fr]"
    >
      <h2 id={id} className="text-lg font-semibold tracking-[-0.01em]">
        {title}
      </h2>
      <div className="prose">{children}</div>
    </section>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Renders a link: the app navigates, a public page loads. */
type LinkTo = ComponentType<{ to: string; children: ReactNode }>;

/** Counts and measurements of the running instance. */
export function AboutFacts({ about, A }: { about: About; A: LinkTo }) {
  const { counts, schedule, sources, uptime, dataMode } = about;
  const { figure, words } = uptimeText(uptime);
  const figures = [
    [atLeast(counts.coins), 'cryptocurrencies'],
    [atLeast(counts.sources), 'data sources'],
    ['24/7', 'collection'],
    [figure, words],
  ] as const;
  return (
    <>
      <dl className="card mt-6 grid grid-cols-2 gap-x-4 px-4 py-1.5 sm:grid-cols-4">
        {figures.map(([value, what]) => (
          <div key={what} className="flex flex-col-reverse justify-end py-2.5">
            <dt className="text-sm text-ink-3">{what}</dt>
            <dd className="num text-xl font-semibold tracking-[-0.02em]">{value}</dd>
          </div>
        ))}
      </dl>
      {dataMode === 'demo' && (
        <p className="mt-3 text-sm font-medium text-warn">
          Demo data: this instance shows a simulated market. The built-in sandbox replaces every source.
        </p>
      )}
      <AboutSection id="schedule" title="When data is collected">
        <p>Data is collected automatically around the clock, on this schedule (UTC).</p>
        <dl className="num">
          <Line name="Live prices">An update {schedule.prices}, from exchange streams and tickers</Line>
          <Line name="Price list">Every coin with market cap and volume, {schedule.listing}</Line>
          <Line name="Full collection">
            With AI analysis:
            <ul>
              {schedule.full.map(({ when, rhythm }) => (
                <li key={when + rhythm}>
                  {when}: {rhythm}
                </li>
              ))}
            </ul>
          </Line>
          <Line name="Slow series">Macro and on-chain data, {schedule.slow} or when they are released</Line>
        </dl>
      </AboutSection>
      <AboutSection id="sources" title="Where the data comes from">
        <p>
          From crypto price services and exchanges, a stock and macro data service, central bank economic data, the
          blockchains themselves, and AI analysis providers. This server is set up for {counts.sources} sources. See
          their status, licenses and attribution on the <A to="/app/sources">Data Sources</A> page.
        </p>
        <dl>
          {sources.map(({ id, name, gives }) => (
            <Line key={id} name={name}>
              {gives}
            </Line>
          ))}
        </dl>
      </AboutSection>
    </>
  );
}

export const ABOUT_LEAD = `${BRAND.name} is market intelligence for crypto traders and analysts: prices, on-chain and derivatives data, narratives, macro events, inflation and AI analysis on one page, each number with its source and age.`;

/** Unknown prices are not mentioned. */
function pricesText(plans: Plans): string {
  const { pro, premium } = PLAN_NAMES;
  if (!plans) return `See the plans page for the prices of ${pro} and ${premium}.`;
  const trial =
    plans.trialDays > 0 ? `; each account can try ${pro} for ${daysText(plans.trialDays)} without a card` : '';
  return `${pro} costs ${usd(plans.pro)}/month, ${premium} ${usd(plans.premium)}${trial}.`;
}

/**
 * The About text, identical in public and in the app. `facts` are those of the running instance, `plans` its prices.
 */
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
