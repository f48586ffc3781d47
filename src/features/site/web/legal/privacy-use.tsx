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
          <strong>Because you agreed</strong> (consent): optional notifications by e-mail, push, Telegram or webhook.
          You can withdraw it at any time, without giving a reason.
        </li>
        <li>
          <strong>Because the law says so</strong> (legal obligation): records of payments for tax and accounting.
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
        <p>Only those without whom the service could not be given, each for its own part:</p>
        <ul>
          <li>the company that hosts the server and its backups, and the one that carries our mail;</li>
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
          The server, or one of these companies, may stand in another country than yours, also outside the European
          Economic Area. Where the law asks for it, such transfers rest on an adequacy decision or on the standard
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
          <strong>Your account and what you made in it:</strong> until you delete it. When a paid plan ends, data made
          under it are kept for when you come back, and go with the account.
        </li>
        <li>
          <strong>Sessions:</strong> until you sign out or end them, and 30 days after their last use at the latest.
          Links in mails end much sooner, and after one use.
        </li>
        <li>
          <strong>Mails:</strong> that a mail was sent, to whom and about what is kept for 30 days; its text is dropped
          once it was sent.
        </li>
        <li>
          <strong>Notifications:</strong> what was sent to you, by which channel and how it went is kept for 30 days.
        </li>
        <li>
          <strong>Alerts:</strong> 400 days.
        </li>
        <li>
          <strong>Exported files:</strong> for some days after they were made, seven where the operator has not set
          another number. That a file was made, and its checksum, stays with the account.
        </li>
        <li>
          <strong>Error reports:</strong> 30 days.
        </li>
        <li>
          <strong>The log of security-relevant acts:</strong> entries name an account by its number and a network, never
          by its e-mail address, and stay after the account is gone, so that misuse can be traced.
        </li>
        <li>
          <strong>Payments:</strong> as long as tax and accounting law demands, commonly five to ten years.
        </li>
        <li>
          <strong>That an address has had the free trial:</strong> a keyed hash of the address and the time at which the
          trial began. It stays after the account is gone, for one reason: so that the trial can be had once. The
          address cannot be read from it.
        </li>
        <li>
          <strong>Messages to support:</strong> with their picture until 90 days after the matter was settled, and at
          most two years.
        </li>
        <li>
          <strong>Backups:</strong> until they are overwritten in their turn. Nothing deleted is brought back from them
          on purpose.
        </li>
      </ul>
    ),
  },
  {
    id: 'deletion',
    title: 'Deleting your account',
    body: (
      <p>
        You can delete your account yourself, at any time, in the Security part of your profile. We ask for a fresh
        proof that it is you, and confirm it by mail. Deletion removes your personal data at once: your address and
        password hash, sessions and devices, second factor and passkeys, alert rules, keys, exports and notification
        addresses. What the law needs of payments is kept, apart from everything else, for the time stated above, and so
        is the keyed hash of an address that has had the free trial. Transfers on a public blockchain stay there, and
        the list of sent mails runs out as stated above.
      </p>
    ),
  },
  {
    id: 'security',
    title: 'How it is protected',
    body: (
      <p>
        Passwords are hashed with argon2id; session tokens, links and API keys are stored as hashes; the secret of your
        authenticator app and the text of waiting mails are encrypted. Pages run under a strict content policy that
        refuses every script which this policy does not name. Acts that cannot be undone ask for a fresh proof.
        Security-relevant acts are logged, those of administrators too, and logs are cleaned of secrets. No system is
        beyond all danger: should your data be exposed in a way that puts you at risk, we tell you and the authority in
        charge without undue delay. If you have found a weakness, please write to us before you publish it.
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
          <li>for a copy of your personal data, in a form that machines can read;</li>
          <li>to correct what is wrong, or to complete it;</li>
          <li>to delete it, or to use it no further for a while;</li>
          <li>to stop what we do on grounds of a legitimate interest;</li>
          <li>to hand it to somebody else, where that is technically possible.</li>
        </ul>
        <p>
          Much of this you can do yourself in your profile: its Security part gives you everything we keep about you as
          one file. For the rest, write from the address of your account to{' '}
          <a href={`mailto:${BRAND.supportEmail}?subject=Privacy`}>{BRAND.supportEmail}</a>. We answer within one month
          and charge nothing. Asking never costs you any part of the service. If you are in the European Union or the
          United Kingdom, you may complain to the data protection authority of your country. If you are in California,
          you have the rights to know, to delete, to correct and not to be treated worse for it; we do not sell or share
          personal information.
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
        When the product or the law changes, this text changes with it, and the date at its top says since when. A
        change that matters to you is announced by mail and in the app at least 30 days before it takes effect, unless
        the law leaves us less time. Earlier versions can be had from support.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Write to <a href={`mailto:${BRAND.supportEmail}`}>{BRAND.supportEmail}</a>, or see the{' '}
        <Link to="/app/contact">contact page</Link>. The <Link to="/app/terms">Terms & Conditions</Link> say what else
        holds between you and us.
      </p>
    ),
  },
];
