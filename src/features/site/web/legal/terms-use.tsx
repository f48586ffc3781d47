import { BRAND } from '#shared/brand.ts';
import { Link } from '#ui/link.tsx';

import type { LegalSection } from './legal-text.ts';

/** What the service is and how it may be used. */
export const TERMS_USE: readonly LegalSection[] = [
  {
    id: 'agreement',
    title: 'The agreement',
    body: (
      <>
        <p>
          These terms are a contract between you and the operator of this installation of {BRAND.name} (“we”). They
          apply to the website, the app, the notifications and the API. By creating an account, buying a plan or using
          the API you accept them. If you act for a company, you confirm that you may bind it. If you do not accept
          them, please do not use the service.
        </p>
        <p>
          You must be at least 18 years old and able to enter into a contract. The{' '}
          <Link to="/app/privacy">Privacy Policy</Link> explains how personal data are handled.
        </p>
      </>
    ),
  },
  {
    id: 'service',
    title: 'What the service is',
    body: (
      <p>
        {BRAND.name} collects public market data, shows them with their source and age, computes figures from them,
        publishes analyses and predictions made by rules and by AI, and alerts you when something you care about
        happens. It is information for people who make their own decisions. It is not an exchange, a broker or a wallet:
        it never holds your assets and cannot place orders.
      </p>
    ),
  },
  {
    id: 'no-advice',
    title: 'No financial advice',
    body: (
      <p>
        Nothing on {BRAND.name} is financial, investment, legal or tax advice, an offer, or a recommendation to buy,
        hold or sell anything. It is not made for your circumstances, which we do not know. Crypto assets can lose all
        of their value, quickly. Decisions and their results are yours alone. Ask a licensed adviser before you risk
        what you cannot afford to lose.
      </p>
    ),
  },
  {
    id: 'data',
    title: 'Data as is',
    body: (
      <>
        <p>
          Data are provided “as is” and “as available”. They come from third parties, can be late, wrong or missing, and
          can differ between sources. This is why every number names its source and its age, and is marked as stale when
          it is older than it should be. Where a figure is computed, a default or simulated, it says so. Look at source
          and age before you rely on a number.
        </p>
        <p>
          An installation in demo mode shows a simulated market. Its pages are marked “Demo data”, and none of their
          numbers is a real price.
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
        track record: how many were made, how many came true, and whether that is better than a simple guess. A track
        record describes the past and promises nothing. Confidence figures are the opinion of the model that gave them.
        A prediction is kept as it was published and is not rewritten once its outcome is known. Forecasts in the open
        league are those of their authors, not ours.
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
          what is done with them until you tell us that they may have been stolen.
        </p>
        <p>
          We offer two-factor sign-in and passkeys, show you every session, and write to you when a new device signs in.
          Please use them. You can end your account at any time in your profile.
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
          <li>probe for vulnerabilities in a way that harms others, or access data that are not yours;</li>
          <li>resell the data or pass them on as a feed, unless your plan or a written agreement allows it;</li>
          <li>remove source notes, demo labels or the attribution that a source requires.</li>
        </ul>
        <p>Good-faith vulnerability reports are welcome. We take no legal action over them.</p>
      </>
    ),
  },
  {
    id: 'api',
    title: 'API and its limits',
    body: (
      <p>
        API keys are included in the plans listed with them in the table below. Calls are counted per account and day in
        UTC, across all of its keys. Above the limit the API answers with status 429 and states when the limit resets; a
        limit on short bursts can apply as well. Send your key in the header meant for it and never publish it. A key
        that is seen in public, or that endangers the service, may be revoked at once. We announce changes that break
        callers at least 30 days ahead, unless security or the law leaves no time. The{' '}
        <Link to="/app/api">API reference</Link> describes every call.
      </p>
    ),
  },
  {
    id: 'third-parties',
    title: 'Third-party data and attribution',
    body: (
      <>
        <p>
          The data belong to those who publish them, under their own licences. The page{' '}
          <Link to="/app/sources">Data sources</Link> names every source of this installation with its licence and the
          attribution it requires. These licences bind you too: some forbid commercial use or passing data on, and an
          export or API answer keeps the licence of its source. When a source ends, changes its terms or fails, figures
          that rest on it may change or disappear.
        </p>
        <p>
          Text, design, figures computed by us and the record of predictions are ours or our licensors’. You may quote
          them with the name of {BRAND.name} and the time shown. What you make in your account stays yours; you let us
          store and process it as far as the service needs it.
        </p>
      </>
    ),
  },
];
