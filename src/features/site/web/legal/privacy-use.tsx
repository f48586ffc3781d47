import { BRAND } from '#shared/brand.ts';
import { Link } from '#ui/link.tsx';

import type { LegalSection } from './legal-text.ts';
import { ForeignScripts, type Statistics } from './privacy-statistics.tsx';

/** Use and retention of the data, and the users' rights. */
export const privacyUse = (statistics: Statistics): readonly LegalSection[] => [
  {
    id: 'why',
    title: 'Legal bases',
    body: (
      <ul>
        <li>
          <strong>To give you what you asked for</strong> (performance of a contract): your account, your plan, your
          alerts, your payments, answers to your questions.
        </li>
        <li>
          <strong>To keep the service safe and working</strong> (legitimate interest): limits against guessing and
          flooding, the log of security-relevant actions, error reports, emails about sign-ins from new devices.
        </li>
        <li>
          <strong>Because you agreed</strong> (consent): optional notifications by email, push, Telegram or webhook. You
          can withdraw it at any time, without giving a reason.
        </li>
        <li>
          <strong>Because the law requires it</strong> (legal obligation): payment records for tax and accounting.
        </li>
      </ul>
    ),
  },
  {
    id: 'not-done',
    title: 'What we do not do',
    body: (
      <ul>
        <li>We do not sell or rent personal data or share it for advertising.</li>
        <li>
          <ForeignScripts statistics={statistics} />
        </li>
        <li>
          We send no personal data to providers of AI analysis. Their models are asked about the market, never about
          you, and nothing you write is used to train a model.
        </li>
        <li>We make no automated decisions about you with legal or similarly significant effects.</li>
      </ul>
    ),
  },
  {
    id: 'receivers',
    title: 'Who else receives data',
    body: (
      <>
        <p>Only those the service depends on, each for its own purpose:</p>
        <ul>
          <li>the company that hosts the server and its backups, and the one that delivers our email;</li>
          <li>Stripe, if you pay by card;</li>
          {statistics && <li>{statistics}, for page statistics, as described above;</li>}
          <li>your browser vendor’s push service, Telegram, or your own webhook, if you turned them on;</li>
          <li>
            operators of Base and Solana nodes, which we query about our own payment addresses, and anyone who reads
            those chains;
          </li>
          <li>courts and authorities, where required by law, and then no more than the order demands.</li>
        </ul>
        <p>
          The server, or one of these companies, may be located in another country, including outside the European
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
          created under it is kept in case you return, and deleted with the account.
        </li>
        <li>
          <strong>Sessions:</strong> until you sign out or end them, and no longer than 30 days after their last use.
          Links in emails expire much sooner and work once.
        </li>
        <li>
          <strong>Emails:</strong> recipient, subject and time for 30 days; the text is deleted once the email has been
          sent.
        </li>
        <li>
          <strong>Notifications:</strong> content, channel and result for 30 days.
        </li>
        <li>
          <strong>Alerts:</strong> 400 days.
        </li>
        <li>
          <strong>Exported files:</strong> seven days after creation, unless the operator has set a different period.
          The record of a file and its checksum remain with the account.
        </li>
        <li>
          <strong>Error reports:</strong> 30 days.
        </li>
        <li>
          <strong>The log of security-relevant actions:</strong> entries contain the account ID and a network, never the
          email address, and remain after the account is deleted, so that misuse can be traced.
        </li>
        <li>
          <strong>Payments:</strong> as long as tax and accounting law requires, commonly five to ten years.
        </li>
        <li>
          <strong>Use of the free trial:</strong> a keyed hash of the address and the start of the trial. It remains
          after the account is deleted, only so that the trial cannot be used twice. The address cannot be derived from
          it.
        </li>
        <li>
          <strong>Messages to support:</strong> including screenshots, until 90 days after they are settled, and at most
          two years.
        </li>
        <li>
          <strong>Backups:</strong> until they are overwritten in rotation. Deleted data is never deliberately restored
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
        You can delete your account yourself, at any time, in the Security section of your profile. We ask you to
        confirm your identity again, and confirm the deletion by email. Deletion removes your personal data immediately:
        your address and password hash, sessions and devices, second factor and passkeys, alert rules, keys, exports and
        notification addresses. Payment records required by law are retained separately for the period stated above, as
        is the keyed hash of an address that used the free trial. Transfers on a public blockchain remain there, and the
        list of sent emails expires as stated above.
      </p>
    ),
  },
  {
    id: 'security',
    title: 'How it is protected',
    body: (
      <p>
        Passwords are hashed with argon2id; session tokens, links and API keys are stored as hashes; the secret of your
        authenticator app and the text of queued emails are encrypted. Pages use a strict content security policy that
        blocks every script this policy does not name. Actions that cannot be undone require you to confirm your
        identity again. Security-relevant actions are logged, including those of administrators, and secrets are removed
        from logs. No system is perfectly secure: if your data is exposed in a way that puts you at risk, we notify you
        and the competent authority without undue delay. If you have found a vulnerability, please write to us before
        you publish it.
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
          You can do much of this yourself: the Security section of your profile provides everything we store about you
          as one file. For anything else, write from your account’s address to{' '}
          <a href={`mailto:${BRAND.supportEmail}?subject=Privacy`}>{BRAND.supportEmail}</a>. We reply within one month,
          free of charge. A request never affects your service. If you are in the European Union or the United Kingdom,
          you may complain to the data protection authority of your country. If you are in California, you have the
          right to know, delete and correct your data and not to be discriminated against for exercising these rights;
          we do not sell or share personal information.
        </p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    body: (
      <p>
        {BRAND.name} is not intended for anyone under 18, and we do not knowingly keep accounts of minors. If you
        believe that a child has given us data, contact us and we will delete it.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    body: (
      <p>
        We update this policy when the product or the law changes. The date at the top is the day it took effect.
        Material changes are announced by email and in the app at least 30 days before they take effect, unless the law
        leaves us less time. Earlier versions are available from support.
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
