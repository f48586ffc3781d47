import { BRAND } from '#shared/brand.ts';
import { Link } from '#ui/link.tsx';

import type { LegalSection } from './legal-text.ts';
import { ForeignScripts, type Statistics } from './privacy-statistics.tsx';

/** What is done with it, for how long, and what people can ask for. */
export const privacyUse = (statistics: Statistics): readonly LegalSection[] => [
  {
    id: 'why',
    title: 'Why we may do this',
    body: (
      <ul>
        <li>
          <strong>To give you what you asked for</strong> (performance of a contract): your account, your plan, your
          alerts, your payments, answers to your questions.
        </li>
        <li>
          <strong>To keep the service safe and working</strong> (legitimate interest): limits against guessing and
          flooding, the log of security-relevant acts, error reports, a mail at a sign-in from a new device.
        </li>
        <li>
          <strong>Because you agreed</strong> (consent): optional notifications by email, push, Telegram or webhook. You
          can withdraw it at any time, without giving a reason.
        </li>
        <li>
          <strong>Because the law requires it</strong> (legal obligation): records of payments for tax and accounting.
        </li>
      </ul>
    ),
  },
  {
    id: 'not-done',
    title: 'What we do not do',
    body: (
      <ul>
        <li>We do not sell or rent personal data, and we do not share them for advertising.</li>
        <li>
          <ForeignScripts statistics={statistics} />
        </li>
        <li>
          We send no personal data to providers of AI analysis. They are asked about the market, never about you, and
          nothing you write is used to train a model.
        </li>
        <li>We make no automated decision about you that has legal or similar effect.</li>
      </ul>
    ),
  },
  {
    id: 'receivers',
    title: 'Who else receives data',
    body: (
      <>
        <p>Only those the service depends on, each for its own part:</p>
        <ul>
          <li>the company that hosts the server and its backups, and the one that delivers our email;</li>
          <li>Stripe, if you pay by card;</li>
          {statistics && <li>{statistics}, for page statistics, as said above;</li>}
          <li>the push service of your browser’s maker, Telegram, or your own webhook, if you switched them on;</li>
          <li>
            operators of Base and Solana nodes, which we ask about our own payment addresses, and the public who can
            read those chains;
          </li>
          <li>courts and authorities, where the law compels us. We give no more than the order demands.</li>
        </ul>
        <p>
          The server, or one of these companies, may be located in another country than yours, also outside the European
          Economic Area. Where the law requires it, such transfers are based on an adequacy decision or on the standard
          contractual clauses of the European Commission. Ask us where this installation is hosted.
        </p>
      </>
    ),
  },
  {
    id: 'retention',
    title: 'How long it is kept',
    body: (
      <ul>
        <li>
          <strong>Your account and what you created in it:</strong> until you delete it. When a paid plan ends, data
          created under it are kept in case you return, and deleted with the account.
        </li>
        <li>
          <strong>Sessions:</strong> until you sign out or end them, and 30 days after their last use at the latest.
          Links in emails expire much sooner, and after one use.
        </li>
        <li>
          <strong>Mails:</strong> that an email was sent, to whom and about what is kept for 30 days; its text is
          deleted once it has been sent.
        </li>
        <li>
          <strong>Notifications:</strong> what was sent to you, by which channel and with what result is kept for 30
          days.
        </li>
        <li>
          <strong>Alerts:</strong> 400 days.
        </li>
        <li>
          <strong>Exported files:</strong> for some days after they were created, seven unless the operator has set
          another number. The record of a file and its checksum stay with the account.
        </li>
        <li>
          <strong>Error reports:</strong> 30 days.
        </li>
        <li>
          <strong>The log of security-relevant actions:</strong> entries name an account by its number and a network,
          never by its e-mail address, and stay after the account is gone, so that misuse can be traced.
        </li>
        <li>
          <strong>Payments:</strong> as long as tax and accounting law requires, commonly five to ten years.
        </li>
        <li>
          <strong>That an address has had the free trial:</strong> a keyed hash of the address and the time at which the
          trial began. It stays after the account is deleted, for one reason: so that the trial can be used only once.
          The address cannot be derived from it.
        </li>
        <li>
          <strong>Messages to support:</strong> with their picture until 90 days after the matter was settled, and at
          most two years.
        </li>
        <li>
          <strong>Backups:</strong> until they are overwritten in turn. Deleted data are never deliberately restored
          from them.
        </li>
      </ul>
    ),
  },
  {
    id: 'deletion',
    title: 'Deleting your account',
    body: (
      <p>
        You can delete your account yourself, at any time, in the Security part of your profile. We ask you to confirm
        your identity again, and confirm the deletion by email. Deletion removes your personal data at once: your
        address and password hash, sessions and devices, second factor and passkeys, alert rules, keys, exports and
        notification addresses. Payment records that the law requires are kept separately for the time stated above, and
        so is the keyed hash of an address that has had the free trial. Transfers on a public blockchain stay there, and
        the list of sent emails expires as stated above.
      </p>
    ),
  },
  {
    id: 'security',
    title: 'How it is protected',
    body: (
      <p>
        Passwords are hashed with argon2id; session tokens, links and API keys are stored as hashes; the secret of your
        authenticator app and the text of queued emails are encrypted. Pages run under a strict content policy that
        refuses every script which this policy does not name. Actions that cannot be undone require you to confirm your
        identity again. Security-relevant actions are logged, including those of administrators, and secrets are removed
        from logs. No system is perfectly secure: should your data be exposed in a way that puts you at risk, we tell
        you and the competent authority without undue delay. If you have found a vulnerability, please write to us
        before you publish it.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>Wherever you live, you can ask us</p>
        <ul>
          <li>for a copy of your personal data, in a machine-readable form;</li>
          <li>to correct what is wrong, or to complete it;</li>
          <li>to delete it, or to restrict its use for a time;</li>
          <li>to stop processing based on legitimate interests;</li>
          <li>to transfer it to someone else, where technically possible.</li>
        </ul>
        <p>
          Much of this you can do yourself in your profile: its Security part gives you everything we keep about you as
          one file. For the rest, write from the address of your account to{' '}
          <a href={`mailto:${BRAND.supportEmail}?subject=Privacy`}>{BRAND.supportEmail}</a>. We answer within one month
          and charge nothing. Asking never affects your service. If you are in the European Union or the United Kingdom,
          you may complain to the data protection authority of your country. If you are in California, you have the
          rights to know, to delete, to correct and not to be discriminated against for exercising them; we do not sell
          or share personal information.
        </p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    body: (
      <p>
        {BRAND.name} is not meant for anyone under 18, and we do not knowingly keep an account of one. If you believe
        that a child has given us data, write to us and we delete them.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    body: (
      <p>
        When the product or the law changes, this text changes with it, and the date at the top is the day it took
        effect. Material changes are announced by email and in the app at least 30 days before they take effect, unless
        the law leaves us less time. Earlier versions are available from support.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Write to <a href={`mailto:${BRAND.supportEmail}`}>{BRAND.supportEmail}</a>, or see the{' '}
        <Link to="/app/contact">contact page</Link>. The <Link to="/app/terms">Terms & Conditions</Link> contain the
        rest of our agreement with you.
      </p>
    ),
  },
];
