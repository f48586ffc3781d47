import { useState } from 'react';

import { BRAND } from '#shared/brand.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';

const mail = (subject: string, body = '') =>
  `mailto:${BRAND.supportEmail}?subject=${encodeURIComponent(`${BRAND.name}: ${subject}`)}${body && `&body=${encodeURIComponent(body)}`}`;

/** What support asks for anyway; nothing in it says who the person is. */
const detailsOf = (version: string): [name: string, value: string][] => [
  ['Version', version],
  ['Browser', navigator.userAgent],
  ['Window', `${innerWidth} × ${innerHeight}`],
  ['Time', `${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`],
];

/** How to reach support, and what to write. */
export function ContactText({ version }: { version: string }) {
  const [details] = useState(() => detailsOf(version));
  const text = details.map(([name, value]) => `${name}: ${value}`).join('\n');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast('success', 'Copied. Paste it into your mail.'),
      () => toast('error', 'Your browser does not let us copy. Please select the lines yourself.'),
    );
  return (
    <div className="prose min-w-0">
      <section aria-labelledby="write">
        <h2 id="write">Write to us</h2>
        <p>
          <a href={mail('support', `\n\n${text}`)} className="inline-flex min-h-10 items-center text-lg font-semibold">
            {BRAND.supportEmail}
          </a>
        </p>
        <p>
          Expected reply within 24-48 hours on business days. Write in English, from the address of your account if it
          is about your account. Never send your password, a backup code or an API key: we do not ask for them.
        </p>
      </section>
      <section aria-labelledby="include">
        <h2 id="include">What helps us to help you</h2>
        <ul>
          <li>
            <strong>The request id,</strong> if an error showed one: the long number in brackets behind “Something went
            wrong on our side”. With it we find the failure at once.
          </li>
          <li>
            <strong>The page</strong> you were on, what you did, and what you expected instead.
          </li>
          <li>
            <strong>The number,</strong> its source and its time, if it looks wrong. Press it to see them.
          </li>
          <li>
            <strong>Your browser</strong> and the version, as they stand here:
          </li>
        </ul>
        <dl>
          {details.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num min-w-0">{value}</dd>
            </div>
          ))}
        </dl>
        <Button onClick={() => void copy()} className="mt-3">
          Copy these details
        </Button>
      </section>
    </div>
  );
}

const TOPICS = [
  ['Security', 'A weakness you have found: tell us before you publish it.', 'security'],
  ['Privacy', 'A copy, a correction or the end of your personal data.', 'privacy'],
  ['Payment', 'Write from the address of your account and name the day and the amount.', 'payment'],
] as const;

/** What has a subject of its own, so that it is found sooner. */
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
