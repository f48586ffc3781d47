import { MailX } from 'lucide-react';
import { useState } from 'react';

import { BRAND } from '#shared/brand.ts';
import { PRIMARY } from '#web/ui/form.tsx';
import { Link } from '#web/ui/link.tsx';
import { useSearchParams } from '#web/ui/search-params.ts';
import { useCountdown } from '#web/ui/use-countdown.ts';

import { AccountFrame } from './account-frame.tsx';
import { Redirecting } from './redirecting.tsx';

const SECONDS = 10;
const HOME = '/';

/** The home page is no page of the app: the browser loads it. */
const goHome = () => location.assign(HOME);

export function UnsubscribeSuccessPage() {
  const [params] = useSearchParams();
  const [email] = useState(() => params.get('email') ?? '');
  const left = useCountdown(SECONDS, goHome);
  return (
    <AccountFrame
      title="You are unsubscribed"
      tab="Unsubscribed"
      icon={<MailX className="mb-3 size-6 text-up" aria-hidden="true" />}
    >
      <div className="grid gap-3 text-ink-2">
        <p>
          No more alerts, reminders, digests and news of {BRAND.name} are mailed to{' '}
          {email ? <strong className="font-medium break-all text-ink">{email}</strong> : 'you'}. Mails about your
          account itself still come.
        </p>
        <p>
          Was it a mistake? Switch them on again in{' '}
          <Link to="/settings" className="font-medium text-accent underline underline-offset-2">
            your notification settings
          </Link>
          .
        </p>
      </div>
      <button type="button" className={PRIMARY} onClick={goHome}>
        Go to Homepage
      </button>
      <Redirecting to="the homepage" seconds={SECONDS} left={left} />
    </AccountFrame>
  );
}
