import { MailWarning } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PRIMARY, SECONDARY } from '#web/ui/form.tsx';
import { Link } from '#web/ui/link.tsx';
import { useSearchParams } from '#web/ui/search-params.ts';
import { useCountdown } from '#web/ui/use-countdown.ts';

import { AccountFrame } from './account-frame.tsx';
import { Redirecting } from './redirecting.tsx';

const SECONDS = 10;
const DEFAULT = 'Email confirmation failed';

type Told = { title: string; text: string };

/** By the message of the link, in lower case. The message itself is never shown: anyone can write an address. */
const TOLD: ReadonlyMap<string, Told> = new Map([
  [
    'confirmation token has expired',
    {
      title: 'Link Expired',
      text: 'This confirmation link is older than 24 hours. We can send you a new one.',
    },
  ],
  [
    'invalid confirmation token',
    {
      title: 'Invalid Link',
      text: 'This confirmation link is not valid, or it has already been used. If you have used it, you can log in.',
    },
  ],
  [
    'confirmation token is required',
    {
      title: 'Missing Token',
      text: 'This link is incomplete. Please open the whole link of your confirmation email.',
    },
  ],
]);
const OTHER: Told = {
  title: 'Confirmation Failed',
  text: 'Your email address could not be confirmed. Please try again with a new link.',
};

export function ConfirmErrorPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [message] = useState(() => params.get('error') ?? DEFAULT);
  const left = useCountdown(SECONDS, () => void navigate('/login', { replace: true }));
  const { title, text } = TOLD.get(message.trim().toLowerCase()) ?? OTHER;
  return (
    <AccountFrame title={title} icon={<MailWarning className="mb-3 size-6 text-warn" aria-hidden="true" />}>
      <p className="text-ink-2">{text}</p>
      <Link to="/resend-confirmation" className={PRIMARY}>
        Resend Confirmation Email
      </Link>
      <Link to="/login" className={SECONDARY}>
        Back to Login
      </Link>
      <Redirecting to="the login" seconds={SECONDS} left={left} />
    </AccountFrame>
  );
}
