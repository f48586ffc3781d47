import { BRAND } from '#shared/brand.ts';
import { Link } from '#ui/link.tsx';

import type { LegalSection } from './legal-text.ts';
import { type Statistics, VisitorStatistics } from './privacy-statistics.tsx';

/** Names as they stand in the browser's storage. */
const BROWSER_KEYS = [
  ['authToken', 'Your sign-in. An older name, token, is still read.'],
  ['user', 'Your number, address and plan, so that the page knows you at once.'],
  ['lastSeenAlertId', 'The newest alert you have seen, for the unread count.'],
  ['lastSeenRelease.cpi', 'The newest release of consumer prices you were shown.'],
  ['lastSeenRelease.pce', 'The newest release of the PCE price index you were shown.'],
  ['lastSeenRelease.ppi', 'The newest release of producer prices you were shown.'],
  ['theme', 'Dark or light.'],
  ['palette', 'Colours of up and down.'],
  ['shortcuts', 'Whether single keys act.'],
  ['watchlist', 'The coins you have starred.'],
  ['tour', 'That you took the tour or declined it, so that it is not offered again.'],
  ['lastVisit', 'When you last looked at the dashboard, for the line “Since your last visit”.'],
  ['newsRead', 'The version whose news you have read.'],
] as const;

/** What is known about people and where it comes from. */
export const privacyKept = (statistics: Statistics): readonly LegalSection[] => [
  {
    id: 'who',
    title: 'Who is responsible',
    body: (
      <>
        <p>
          {BRAND.name} is software that its operator runs on a server of their choice. The operator of this installation
          decides why and how personal data are handled here and is the controller in the sense of data protection law.
          In this policy “we” means that operator.
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
          The dashboard needs no account. Reading it sends us what every web page needs: your network address, the
          address of the page, and what your browser says about itself. We use it to answer, and to limit requests that
          come too often. The software keeps no list of the pages you open and builds no profile. A web server or
          network in front of it may keep a short technical log of its own.
        </p>
        <VisitorStatistics statistics={statistics} />
        <p>
          When something fails on one of our pages, your browser sends us what failed, where in our code and on which
          page, with the type of your browser. Addresses, tokens and your account are left out, and the report is
          deleted 30 days after it last occurred.
        </p>
        <p>
          Prices are fetched by our server, so the providers of market data never learn who is reading them. The status
          page shows the state of the service and nothing about people.
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
          <li>
            Your password as an argon2id hash. The password itself is never stored, and nobody here can read it back.
          </li>
          <li>
            When the account was created, its plan and your notification settings, with your time zone and quiet hours.
          </li>
          <li>
            If you switch it on: the secret of your authenticator app, stored encrypted; backup codes as hashes;
            passkeys as public keys with the name you gave them.
          </li>
          <li>
            What you create: alert rules with the alerts they raised, exports with their schedules, a name, colour and
            logo for exported files, webhooks, and API keys as hashes with their name, permissions, creation and last
            use, and number of calls; how many API calls your account made per day, not which ones.
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
        Each sign-in is kept as a session with its device in words, such as “Chrome on Windows”, the network it came
        from, when it began and when it was last used. The network is the first part of an address only (a /24 of IPv4,
        a /48 of IPv6), not your full address. Your profile shows this list, and you can end each session or all of
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
          We set no cookies. The following names are kept in your browser’s local storage, where only this site can read
          them. They are needed for what you asked for, or are choices you made.
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
          Until you close the tab, your browser also keeps in its session storage the purchase you started (checkout),
          and that you closed a renewal reminder (renewalDismissed).
        </p>
        <p>
          While you are signed in, your browser also keeps a small program of ours, a service worker, which shows push
          messages. It stores nothing.
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
          the end of a trial, a payment, the end of the account. They cannot be switched off while the account exists.
          Emails about alerts and events are sent only if you want them, and each carries an unsubscribe link that works
          at once.
        </p>
        <p>
          When your mail server rejects your address, we keep a keyed hash of the address, the server’s reply and the
          time, so that no more alerts are emailed there. It is deleted when an email gets through again, after a year,
          or with your account.
        </p>
        <p>Other channels are optional, off until you switch them on, and stop when you switch them off:</p>
        <ul>
          <li>
            <strong>Browser push.</strong> We store the address and keys that your browser gives us, and its type, until
            you switch push off, sign out there or the browser ends it. Messages pass encrypted through the push service
            of your browser’s maker.
          </li>
          <li>
            <strong>Telegram.</strong> We store the number of the chat that you linked with a code, until you disconnect
            it, link another one or delete your account. Codes are deleted once they are used or have expired. Telegram
            carries the messages under its own terms.
          </li>
          <li>
            <strong>Webhooks.</strong> We store the address you enter, encrypted, and call it with the contents of your
            alerts. The result of each call is kept for 30 days.
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
        you choose. They are entered in the public ledger and cannot be changed or deleted. The ledger contains a number
        instead of your name, and never your email address. When you delete your account, your public name is deleted
        and the forecasts remain without it. While an account is disabled, its page is not shown.
      </p>
    ),
  },
  {
    id: 'payments',
    title: 'Payments',
    body: (
      <>
        <p>
          <strong>By card.</strong> You pay on a page of Stripe. Stripe receives your card number, name and billing
          address; they never reach our server. We receive and keep the plan, the amount, the dates and Stripe’s
          reference numbers.
        </p>
        <p>
          <strong>In USDC on Base or Solana.</strong> We keep the payment address or reference made for you, the amount,
          the network, and the transfers that arrived with their sender and transaction. Transfers on a blockchain are
          public, can be read by anyone and cannot be deleted, by us or by you. The chain does not carry your name or
          e-mail address; which account a transfer belongs to is known to us only.
        </p>
      </>
    ),
  },
  {
    id: 'support',
    title: 'When you write to us',
    body: (
      <p>
        We keep your message, the name and address you give, which account you were signed in to and any picture you
        attach, in order to answer and to refer to it if the problem returns; an email confirms that we received it.
        When something fails, on our server or on a page in your browser, an error report is stored with what failed,
        where, and technical details. It does not say who you are, and passwords, tokens and keys are removed from it.
        The <Link to="/app/contact">contact page</Link> lists what helps us to help you.
      </p>
    ),
  },
];
