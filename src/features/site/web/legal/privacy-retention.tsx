import { BRAND } from '#shared/brand.ts';
import { Link } from '#ui/link.tsx';

import type { LegalSection } from './legal-text.ts';
import { type Statistics, VisitorStatistics } from './privacy-statistics.tsx';

/** Keys in the browser's storage. */
const BROWSER_KEYS = [
  ['authToken', 'Your sign-in. An older name, token, is still read.'],
  ['user', 'Your account ID, email address and plan, so that the page can show them immediately.'],
  ['lastSeenAlertId', 'The latest alert you have seen, for the unread count.'],
  ['lastSeenRelease.cpi', 'The latest CPI release you were shown.'],
  ['lastSeenRelease.pce', 'The latest PCE release you were shown.'],
  ['lastSeenRelease.ppi', 'The latest PPI release you were shown.'],
  ['theme', 'Dark or light theme.'],
  ['palette', 'Colors for up and down.'],
  ['shortcuts', 'Whether single-key shortcuts are on.'],
  ['watchlist', 'The coins you have starred.'],
  ['tour', 'Whether you took or declined the tour, so that it is not offered again.'],
  ['lastVisit', 'When you last looked at the dashboard, for the line “Since your last visit”.'],
  ['newsRead', 'The latest release notes you have read.'],
] as const;

/** Personal data collected, and its origin. */
export const privacyRetention = (statistics: Statistics): readonly LegalSection[] => [
  {
    id: 'who',
    title: 'Who is responsible',
    body: (
      <>
        <p>
          {BRAND.name} is software that its operator runs on a server of their choice. The operator of this installation
          decides why and how personal data is processed here and is the controller under data protection law. In this
          policy, “we” means that operator.
        </p>
        <p>
          Questions and requests about your data go to{' '}
          <a href={`mailto:${BRAND.supportEmail}?subject=Privacy`}>{BRAND.supportEmail}</a>.
        </p>
      </>
    ),
  },
  {
    id: 'visitors',
    title: 'If you only browse',
    body: (
      <>
        <p>
          The dashboard needs no account. Like any web page, it sends us your IP address, the URL of the page and your
          browser’s identification. We use them to respond and to limit excessive requests. The software does not record
          which pages you open and builds no profile. A web server or network in front of it may keep a short technical
          log.
        </p>
        <VisitorStatistics statistics={statistics} />
        <p>
          When something fails on one of our pages, your browser sends us what failed, where in our code, on which page,
          and the browser type. Addresses, tokens and your account are left out, and the report is deleted 30 days after
          it last occurred.
        </p>
        <p>
          Prices are fetched by our server, so market data providers never learn who views them. The status page shows
          the state of the service and nothing about people.
        </p>
      </>
    ),
  },
  {
    id: 'account',
    title: 'What an account holds',
    body: (
      <>
        <ul>
          <li>Your email address, whether it is confirmed, and a new address until you confirm it.</li>
          <li>Your password as an argon2id hash. The password itself is never stored, and no one here can read it.</li>
          <li>
            The date your account was created, its plan and your notification settings, including time zone and quiet
            hours.
          </li>
          <li>
            If you enable them: the secret of your authenticator app, encrypted; backup codes as hashes; passkeys as
            public keys with the name you gave them.
          </li>
          <li>
            What you create: alert rules with the alerts they raised, exports with their schedules, a name, color and
            logo for exported files, webhooks, and API keys as hashes with their name, permissions, creation date, last
            use and number of calls; the number of API calls per day, not which ones.
          </li>
        </ul>
        <p>We do not ask for a name, a date of birth or a phone number.</p>
      </>
    ),
  },
  {
    id: 'sessions',
    title: 'Where you are signed in',
    body: (
      <p>
        Each sign-in is stored as a session with the device in words, such as “Chrome on Windows”, the network it came
        from, when it started and when it was last used. The network is only the first part of an IP address (/24 for
        IPv4, /48 for IPv6), not your full address. Your profile shows this list, and you can end each session or all of
        them. We remember the devices you have used so that we can notify you when a new one signs in. Session tokens
        are stored as hashes, so that a copy of our database cannot be used to sign in.
      </p>
    ),
  },
  {
    id: 'browser',
    title: 'What is kept in your browser',
    body: (
      <>
        <p>
          We set no cookies. The following entries are stored in your browser’s local storage, where only this site can
          read them. They are needed for features you use or hold your choices.
        </p>
        <dl>
          {BROWSER_KEYS.map(([name, meaning]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <p>
          Until you close the tab, session storage also holds the purchase you started (checkout) and whether you closed
          a renewal reminder (renewalDismissed).
        </p>
        <p>
          While you are signed in, your browser also runs our service worker, which shows push messages. It stores
          nothing.
        </p>
        <p>
          Signing out removes authToken, token, user and lastSeenAlertId. Clearing the site’s data in your browser
          removes all of them.
        </p>
      </>
    ),
  },
  {
    id: 'messages',
    title: 'Email and notifications',
    body: (
      <>
        <p>
          Some emails are essential to the account: confirming an address, a new password, a sign-in from a new device,
          the end of a trial, a payment, the deletion of the account. They cannot be turned off while the account
          exists. Emails about alerts and events are sent only if you want them, and each has an unsubscribe link that
          takes effect immediately.
        </p>
        <p>
          When your mail server rejects your address, we keep a keyed hash of the address, the server’s reply and the
          time, so that we stop emailing alerts there. The record is deleted when an email is delivered again, after a
          year, or with your account.
        </p>
        <p>Other channels are optional and off until you turn them on. You can turn them off at any time:</p>
        <ul>
          <li>
            <strong>Browser push.</strong> We store the address and keys that your browser gives us, and its type, until
            you turn push off, sign out there or the browser ends the subscription. Messages are encrypted and delivered
            by your browser vendor’s push service.
          </li>
          <li>
            <strong>Telegram.</strong> We store the ID of the chat you linked with a code, until you disconnect it, link
            another one or delete your account. Codes are deleted once used or expired. Telegram delivers the messages
            under its own terms.
          </li>
          <li>
            <strong>Webhooks.</strong> We store the URL you enter, encrypted, and send your alerts to it. The result of
            each call is stored for 30 days.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'league',
    title: 'Open league',
    body: (
      <p>
        Forecasts you submit to the <Link to="/app/track-record/league">open league</Link> are public, under the name
        you choose. They are recorded in the public ledger and cannot be changed or deleted. The ledger contains a
        number instead of your name, and never your email address. When you delete your account, your public name is
        deleted and the forecasts remain without it. While an account is disabled, its page is not shown.
      </p>
    ),
  },
  {
    id: 'payments',
    title: 'Payments',
    body: (
      <>
        <p>
          <strong>By card.</strong> You pay on Stripe’s checkout page. Stripe receives your card number, name and
          billing address; they never reach our server. We store the plan, the amount, the dates and Stripe’s reference
          numbers.
        </p>
        <p>
          <strong>In USDC on Base or Solana.</strong> We store the payment address or reference created for you, the
          amount, the network, and incoming transfers with their sender and transaction. Transfers on a blockchain are
          public, can be read by anyone and cannot be deleted, by us or by you. The chain does not contain your name or
          email address; only we know which account a transfer belongs to.
        </p>
      </>
    ),
  },
  {
    id: 'support',
    title: 'When you write to us',
    body: (
      <p>
        We store your message, the name and address you give, the account you were signed in to and any screenshot you
        attach, to answer you and to refer to it if the problem returns. An email confirms that we received it. When
        something fails, on our server or on a page in your browser, an error report is stored with what failed, where,
        and technical details. It does not say who you are, and passwords, tokens and keys are removed from it. The{' '}
        <Link to="/app/contact">contact page</Link> lists what to include.
      </p>
    ),
  },
];
