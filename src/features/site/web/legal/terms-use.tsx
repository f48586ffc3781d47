import { BRAND } from '#shared/brand.ts';
import { Link } from '#ui/link.tsx';

import type { LegalSection } from './legal-text.ts';

/** The service and its permitted use. */
export const TERMS_USE: readonly LegalSection[] = [
  {
    id: 'agreement',
    title: 'The agreement',
    body: (
      <>
        <p>
          These terms are a contract between you and the operator of this installation of {BRAND.name} (“we”). They
          apply to the website, the app, the notifications and the API. By creating an account, buying a plan or using
          the API, you accept them. If you act for a company, you confirm that you are authorized to bind it. If you do
          not accept them, please do not use the service.
        </p>
        <p>
          You must be at least 18 years old and able to enter into a contract. The{' '}
          <Link to="/app/privacy">Privacy Policy</Link> explains how personal data is handled.
        </p>
      </>
    ),
  },
  {
    id: 'service',
    title: 'What the service is',
    body: (
      <p>
        {BRAND.name} collects public market data, shows it with its source and age, computes figures from it, publishes
        analyses and predictions made by rules and by AI, and alerts you when something you care about happens. It is
        information for people who make their own decisions. It is not an exchange, a broker or a wallet: it never holds
        your assets and cannot place orders.
      </p>
    ),
  },
  {
    id: 'no-advice',
    title: 'No financial advice',
    body: (
      <p>
        Nothing on {BRAND.name} is financial, investment, legal or tax advice, an offer, or a recommendation to buy,
        hold or sell anything. It does not take your circumstances into account, which we do not know. Crypto assets can
        lose all of their value, quickly. Your decisions and their results are yours alone. Consult a licensed adviser
        before you risk what you cannot afford to lose.
      </p>
    ),
  },
  {
    id: 'data',
    title: 'Data as is',
    body: (
      <>
        <p>
          Data is provided “as is” and “as available”. It comes from third parties, can be late, wrong or missing, and
          can differ between sources. This is why every number shows its source and its age, and is marked as stale when
          it is outdated. Figures that are computed, defaults or simulated are marked as such. Check source and age
          before you rely on a number.
        </p>
        <p>
          An installation in demo mode shows a simulated market. Its pages are marked “Demo data”, and none of the
          prices is real.
        </p>
      </>
    ),
  },
  {
    id: 'predictions',
    title: 'Predictions and their record',
    body: (
      <p>
        Analyses and predictions, whether made by rules or by AI, can be wrong and often are. We publish them with their
        track record: how many were made, how many were correct, and whether that beats simple baselines. A track record
        describes the past and promises nothing. Confidence figures are the opinion of the model that gave them.
        Predictions are stored as published and never rewritten once their outcome is known. Forecasts in the open
        league are their authors’, not ours.
      </p>
    ),
  },
  {
    id: 'accounts',
    title: 'Accounts and security',
    body: (
      <>
        <p>
          Use an email address of your own and keep it current: account notices are sent there. One person or company
          per account. Keep your password, second factor, backup codes and API keys to yourself. You are responsible for
          their use until you notify us that they may have been stolen.
        </p>
        <p>
          We offer two-factor sign-in and passkeys, show every session, and email you when a new device signs in. Please
          use them. You can delete your account at any time in your profile.
        </p>
      </>
    ),
  },
  {
    id: 'acceptable-use',
    title: 'Acceptable use',
    body: (
      <>
        <p>You may use the service for your own analysis and within your own company. You may not</p>
        <ul>
          <li>break the law with it, manipulate markets, or deceive others with what it shows;</li>
          <li>circumvent limits, access controls or payment, or share one account or key among many;</li>
          <li>scrape its pages instead of using the API, or flood it with requests;</li>
          <li>probe for vulnerabilities in a way that harms others, or access data that is not yours;</li>
          <li>resell or redistribute the data, unless your plan or a written agreement allows it;</li>
          <li>remove source notes, demo labels or the attribution that a source requires.</li>
        </ul>
        <p>Good-faith vulnerability reports are welcome. We will not take legal action over them.</p>
      </>
    ),
  },
  {
    id: 'api',
    title: 'API and its limits',
    body: (
      <p>
        API keys are included in the plans marked in the table below. Calls are counted per account and day in UTC,
        across all of its keys. Above the limit, the API returns status 429 with the time of the reset; burst limits may
        also apply. Send your key in the documented header and never publish it. Keys that become public or endanger the
        service may be revoked immediately. We announce breaking changes at least 30 days in advance, unless security or
        the law leaves no time. The <Link to="/app/api">API reference</Link> describes every endpoint.
      </p>
    ),
  },
  {
    id: 'third-parties',
    title: 'Third-party data and attribution',
    body: (
      <>
        <p>
          The data belongs to its publishers, under their licenses. The <Link to="/app/sources">Data Sources</Link> page
          lists every source of this installation with its license and the attribution it requires. These licenses bind
          you too: some forbid commercial use or redistribution, and exports and API responses remain under the license
          of their source. If a source fails, changes its terms or is discontinued, figures based on it may change or
          disappear.
        </p>
        <p>
          Text, design, figures we compute and the prediction record belong to us or our licensors. You may quote them
          with attribution to {BRAND.name} and the time shown. What you create in your account remains yours; you allow
          us to store and process it as needed to provide the service.
        </p>
      </>
    ),
  },
];
