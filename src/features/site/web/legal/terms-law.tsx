import { BRAND } from '#shared/brand.ts';
import { Link } from '#ui/link.tsx';

import type { LegalSection } from './legal-text.ts';

/** Liability and termination. */
export const TERMS_LAW: readonly LegalSection[] = [
  {
    id: 'availability',
    title: 'Availability and changes',
    body: (
      <p>
        We aim for 99.9% uptime and publish the measured uptime on the <Link to="/app/about">About page</Link> and the
        status page. This is a target, not a guarantee. Alerts and other messages are sent as fast as we can, but email,
        push services, Telegram and networks can delay or lose them: do not let a position depend on a single message.
        The service evolves. If a change removes an essential part of a plan you have paid for, we notify you 30 days in
        advance and you may cancel with a refund of the unused time.
      </p>
    ),
  },
  {
    id: 'suspension',
    title: 'Suspension and end',
    body: (
      <p>
        We may limit or suspend an account that breaks these terms, endangers the service or others, or whose payment
        was reversed. Where possible, we notify you first and give you time to remedy the issue. After a serious or
        repeated breach we may end the contract. You may end it at any time by deleting your account; any remaining paid
        time then ends as well. Provisions that by their nature continue, such as the limits of liability, survive the
        end of the contract.
      </p>
    ),
  },
  {
    id: 'warranty',
    title: 'No warranty',
    body: (
      <p>
        To the extent permitted by law, the service is provided without warranties of any kind, express or implied,
        including merchantability, fitness for a particular purpose, accuracy and non-infringement. We do not promise
        that it is free of errors or interruptions, or that a number, an analysis or an alert is correct or arrives in
        time.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Limit of liability',
    body: (
      <>
        <p>
          To the extent permitted by law, we are not liable for trading losses, lost profits, lost data, or indirect,
          special or consequential damage. Our total liability arising from the service or these terms is capped at the
          amount you paid in the prior 12 months before the event that gave rise to the claim.
        </p>
        <p>
          Nothing here limits liability that cannot be limited by law, such as for intent, gross negligence or personal
          injury, or statutory consumer rights that cannot be waived.
        </p>
        <p>
          You indemnify us against third-party claims that arise from your breach of these terms or of a source’s
          license.
        </p>
      </>
    ),
  },
  {
    id: 'law',
    title: 'Governing law',
    body: (
      <p>
        These terms are governed by the laws of the State of Wyoming, United States, without regard to its rules on
        conflicts of laws. The courts of that state decide disputes, unless the law of your country gives you, as a
        consumer, the courts and the protection of the place where you live. Please contact us first; most matters can
        be settled that way.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    body: (
      <p>
        We may change these terms for good reason, such as a new feature, a new law or an omission. The date at the top
        is the day they took effect. Material changes are announced by email and in the app at least 30 days before they
        take effect. If you use the service after that day, you accept them; if you do not agree, you may cancel before.
      </p>
    ),
  },
  {
    id: 'rest',
    title: 'General provisions',
    body: (
      <p>
        If one clause is invalid, the others remain in effect. Not enforcing a right once does not waive it. You may
        transfer this contract only with our consent; we may transfer it together with the service, without affecting
        your rights. Third-party software in {BRAND.name} retains its own license.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Write to <a href={`mailto:${BRAND.supportEmail}`}>{BRAND.supportEmail}</a>, or see the{' '}
        <Link to="/app/contact">contact page</Link>. Notices to you are sent to your account’s email address.
      </p>
    ),
  },
];
