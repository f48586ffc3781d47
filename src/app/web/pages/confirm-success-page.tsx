import { useQuery } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { type Exchanged, endUnused, exchangeQuery } from '#features/accounts/web/auth/queries.ts';
import { PRIMARY, SECONDARY } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { startSession, useToken } from '#ui/session.ts';
import { useCountdown } from '#ui/use-countdown.ts';
import { AccountFrame, confirmErrorPage, isRefusal, useLinkToken, Waiting } from './confirm-page.tsx';

type Props = { to: string; seconds: number; left: number };

/** Announced once to screen readers, counted down visually. */
export function Redirecting({ to, seconds, left }: Props) {
  return (
    <p className="text-center text-sm text-ink-3">
      <output className="sr-only">{`You will be redirected to ${to} in ${seconds} seconds.`}</output>
      <span aria-hidden="true" className="num">{`Redirecting to ${to} in ${left} s`}</span>
    </p>
  );
}

const SECONDS = 5;

/** The result confirmed by the server, stored in history state: no link can forge it. */
function useConfirmed(): string | null {
  const { state } = useLocation() as { state: { confirmed?: unknown } | null };
  return typeof state?.confirmed === 'string' ? state.confirmed : null;
}

export function ConfirmSuccessPage() {
  const confirmed = useConfirmed();
  const token = useLinkToken();
  if (confirmed !== null) return <Confirmed email={confirmed} />;
  if (token) return <Exchange token={token} />;
  return <Navigate to={confirmErrorPage('Confirmation token is required')} replace />;
}

/** Nothing is stored or shown before the server has accepted the token of the link. */
function Exchange({ token }: { token: string }) {
  const { data, error, refetch, isFetching } = useQuery(exchangeQuery(token));
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const enter = (exchanged: Exchanged) => {
    startSession(exchanged.token, exchanged.user);
    void navigate(pathname, { replace: true, state: { confirmed: exchanged.user.email } });
  };
  const stay = (exchanged: Exchanged) => {
    void endUnused(exchanged.token);
    void navigate('/app', { replace: true });
  };
  const enterAtOnce = useEffectEvent(enter);
  useEffect(() => {
    if (data && data.other === null) enterAtOnce(data);
  }, [data]);
  if (isRefusal(error)) return <Navigate to={confirmErrorPage('Invalid confirmation token')} replace />;
  if (data && data.other !== null)
    return <Choice email={data.user.email} other={data.other} onEnter={() => enter(data)} onStay={() => stay(data)} />;
  return (
    <Waiting
      busy={isFetching}
      text="Logging you in…"
      failed="Couldn’t log you in"
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

type ChoiceProps = { email: string; other: string; onEnter: () => void; onStay: () => void };

/** The session of another account is replaced only with the user's consent. */
function Choice({ email, other, onEnter, onStay }: ChoiceProps) {
  return (
    <AccountFrame
      title="Email Confirmed!"
      tab="Email confirmed"
      icon={<MailCheck className="mb-3 size-6 text-up" aria-hidden="true" />}
    >
      <div className="grid gap-1 text-ink-2">
        <p>
          <Address email={email} /> is confirmed.
        </p>
        <p>
          You are signed in as <Address email={other} /> in this browser. Which account would you like to use?
        </p>
      </div>
      <button type="button" className={PRIMARY} onClick={onEnter}>
        Use the confirmed account
      </button>
      <button type="button" className={SECONDARY} onClick={onStay}>
        Stay signed in
      </button>
    </AccountFrame>
  );
}

const Address = ({ email }: { email: string }) => <strong className="font-medium break-all text-ink">{email}</strong>;

function Confirmed({ email }: { email: string }) {
  const navigate = useNavigate();
  const signedIn = useToken() !== null;
  const to = signedIn ? '/app' : '/app?auth=login';
  const left = useCountdown(SECONDS, () => void navigate(to, { replace: true }));
  return (
    <AccountFrame
      title="Email Confirmed!"
      tab="Email confirmed"
      icon={<MailCheck className="mb-3 size-6 text-up" aria-hidden="true" />}
    >
      <div className="grid gap-1 text-ink-2">
        <p>
          <Address email={email} /> is confirmed.
        </p>
        <output>{signedIn ? 'You are logged in.' : 'Please sign in to continue.'}</output>
      </div>
      <Link to={to} replace className={PRIMARY}>
        {signedIn ? 'Go to App' : 'Sign In'}
      </Link>
      <Redirecting to="the app" seconds={SECONDS} left={left} />
    </AccountFrame>
  );
}
