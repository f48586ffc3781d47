import { useQuery } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { userQuery } from '#features/auth/web/queries.ts';
import { CallError } from '#web/api/client.ts';
import { forgetSession, startSession, tokenNow, useToken } from '#web/session.ts';
import { PRIMARY } from '#web/ui/form.tsx';
import { Link } from '#web/ui/link.tsx';
import { useSearchParams } from '#web/ui/search-params.ts';
import { useCountdown } from '#web/ui/use-countdown.ts';

import { AccountFrame } from './account-frame.tsx';
import { Redirecting } from './redirecting.tsx';

const SECONDS = 5;
const MISSING = '/auth/confirm-error?error=Confirmation+token+is+required';
const INVALID = '/auth/confirm-error?error=Invalid+confirmation+token';

export function ConfirmSuccessPage() {
  const [params] = useSearchParams();
  const [link] = useState(() => ({ token: params.get('token'), email: params.get('email') }));
  if (!link.token && !link.email && !tokenNow()) return <Navigate to={MISSING} replace />;
  return <Confirmed {...link} />;
}

/** Keeps the token of the link as the login token and takes it out of the address bar. */
function useLinkToken(token: string | null): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!search) return;
    if (token) startSession(token);
    void navigate(pathname, { replace: true });
  }, [token, pathname, search, navigate]);
}

/** Whose token it is. A token that the server refuses leaves this browser again. */
function useUser(token: string | null) {
  const kept = useToken();
  const { data, error } = useQuery({ ...userQuery(token), enabled: token !== null && kept === token });
  const refused = error instanceof CallError && error.status === 401;
  useEffect(() => {
    if (token && data) startSession(token, data);
    if (refused) forgetSession();
  }, [token, data, refused]);
  return { user: data, out: token === null || refused, failed: error !== null };
}

function Confirmed({ token, email }: { token: string | null; email: string | null }) {
  const navigate = useNavigate();
  useLinkToken(token);
  const [ours] = useState(() => token ?? tokenNow());
  const { user, out, failed } = useUser(ours);
  const to = out ? '/app?auth=login' : '/app';
  const left = useCountdown(SECONDS, () => void navigate(to, { replace: true }));
  // Of an address that a made-up link names nothing is known.
  if (token && out) return <Navigate to={INVALID} replace />;
  const address = token ? (user?.email ?? email) : email;
  return (
    <AccountFrame
      title="Email Confirmed!"
      tab="Email confirmed"
      icon={<MailCheck className="mb-3 size-6 text-up" aria-hidden="true" />}
    >
      <div className="grid gap-1 text-ink-2">
        <p>
          {address ? <strong className="font-medium break-all text-ink">{address}</strong> : 'Your email address'} is
          confirmed.
        </p>
        <output>{sayings(user !== undefined, out, failed)}</output>
      </div>
      <Link to={to} replace className={PRIMARY}>
        {out ? 'Sign In' : 'Go to App'}
      </Link>
      <Redirecting to="the app" seconds={SECONDS} left={left} />
    </AccountFrame>
  );
}

function sayings(known: boolean, out: boolean, failed: boolean): string {
  if (known) return 'You are logged in.';
  if (out) return 'Please sign in to go on.';
  return failed ? 'Your account could not be read just now.' : 'Logging you in…';
}
