import { useMemo } from 'react';

import { BRAND } from '#shared/brand.ts';
import { Button } from '#ui/button.tsx';
import { toast } from '#ui/toast.ts';
import { useHydrated } from '#ui/use-hydrated.tsx';

const mail = (subject: string, body = '') =>
  `mailto:${BRAND.supportEmail}?subject=${encodeURIComponent(`${BRAND.name}: ${subject}`)}${body && `&body=${encodeURIComponent(body)}`}`;

/** Details support asks for anyway; none of them identifies the user. */
const listDetails = (version: string): [name: string, value: string][] => [
  ['Version', version],
  ['Browser', navigator.userAgent],
  ['Window', `${innerWidth} × ${innerHeight}`],
  ['Time', `${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`],
];

/** Known only in the browser; the server's markup reserves their space. */
function useDetails(version: string): [string, string][] {
  const isHydrated = useHydrated();
  return useMemo(
    () => (isHydrated ? listDetails(version) : ['Version', 'Browser', 'Window', 'Time'].map((name) => [name, '–'])),
    [isHydrated, version],
  );
}

const detailsText = (details: readonly [string, string][]) =>
  details.map(([name, value]) => `${name}: ${value}`).join('\n');

/** Response time, and the contact without the form. */
export function ContactNotes({ version }: { version: string }) {
  const details = detailsText(useDetails(version));
  return (
    <div className="grid gap-2 px-4 pb-4 text-sm text-ink-2">
      <p>
        Expected reply within 24-48 hours on business days. Write in English, from the address of your account if it is
        about your account.
      </p>
      <p>Never send your password, a backup code or an API key: we do not ask for them.</p>
      <p>
        By email:{' '}
        <a
          href={mail('support', `\n\n${details}`)}
          className="inline-flex min-h-6 items-center font-medium break-all text-accent hover:underline"
        >
          {BRAND.supportEmail}
        </a>
      </p>
    </div>
  );
}

/** What to write, with the details support asks for anyway. */
export function ContactText({ version }: { version: string }) {
  const details = useDetails(version);
  const text = detailsText(details);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast('success', 'Copied. Paste it into your message.'),
      () => toast('error', 'Your browser blocks copying. Please select the lines manually.'),
    );
  return (
    <div className="grid gap-3 px-4 pb-4 text-sm text-ink-2">
      <ul className="grid gap-2">
        <li>
          <strong className="font-medium text-ink">The request id,</strong> if the error showed one: the long code in
          brackets after “Something went wrong on our side”. It lets us find the failure immediately.
        </li>
        <li>
          <strong className="font-medium text-ink">The page</strong> you were on, what you did, and what you expected
          instead.
        </li>
        <li>
          <strong className="font-medium text-ink">The number,</strong> its source and time, if it looks wrong. Select
          the number to see them.
        </li>
        <li>
          <strong className="font-medium text-ink">Your browser</strong> and the version, as shown here:
        </li>
      </ul>
      <dl className="grid gap-1">
        {details.map(([name, value]) => (
          <div key={name} className="flex gap-2">
            <dt className="w-14 shrink-0 text-ink-3">{name}</dt>
            <dd className="num min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <div>
        <Button onClick={() => void copy()} className="max-sm:h-10">
          Copy these details
        </Button>
      </div>
    </div>
  );
}

const TOPICS = [
  ['Security', 'Found a vulnerability? Please tell us before you publish it.', 'security'],
  ['Privacy', 'Access to, correction or deletion of your personal data.', 'privacy'],
  ['Payment', 'Write from your account’s address and include the date and the amount.', 'payment'],
] as const;

/** Topics with their own subject line, so that they are found faster. */
export function ContactTopics() {
  return (
    <ul className="px-4 pb-2.5 text-sm">
      {TOPICS.map(([name, words, subject]) => (
        <li key={name} className="py-1.5">
          <a href={mail(subject)} className="inline-flex min-h-6 items-center font-medium text-accent hover:underline">
            {name}
          </a>
          <p className="text-ink-2">{words}</p>
        </li>
      ))}
    </ul>
  );
}
