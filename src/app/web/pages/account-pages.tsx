import { useQuery } from '@tanstack/react-query';
import { CircleCheck, KeyRound, LinkIcon, MailWarning, MailX } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { type Remaining, remainingAccessQuery } from '#features/accounts/web/auth/queries.ts';
import { ResendForm } from '#features/accounts/web/auth/resend-form.tsx';
import { RemainingAccess, RequestResetForm, ResetForm } from '#features/accounts/web/auth/reset-form.tsx';
import { BRAND } from '#shared/brand.ts';
import { MOVED } from '#shared/moved.ts';
import { PRIMARY, SECONDARY } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useSearchParams } from '#ui/search-params.ts';
import { useCountdown } from '#ui/use-countdown.ts';
import { AccountFrame, ConfirmPage, useLinkToken } from './confirm-page.tsx';
import { ConfirmSuccessPage, Redirecting } from './confirm-success-page.tsx';

const SECONDS = 10;
const DEFAULT = 'Email confirmation failed';

type LinkError = { title: string; text: string };

/** By the message of the link, in lower case. The message itself is never shown, because anyone can craft a link. */
const LINK_ERRORS: ReadonlyMap<string, LinkError> = new Map([
  [
    'confirmation token has expired',
    {
      title: 'Link Expired',
      text: 'This confirmation link expired after 24 hours. We can send you a new one.',
    },
  ],
  [
    'invalid confirmation token',
    {
      title: 'Invalid Link',
      text: 'This confirmation link is invalid or has already been used. If you used it, you can log in.',
    },
  ],
  [
    'confirmation token is required',
    {
      title: 'Missing Token',
      text: 'This link is incomplete. Please open the full link from your confirmation email.',
    },
  ],
]);
const OTHER: LinkError = {
  title: 'Confirmation Failed',
  text: 'We couldn’t confirm your email address. Please try again with a new link.',
};

function ConfirmErrorPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [message] = useState(() => params.get('error') ?? DEFAULT);
  const left = useCountdown(SECONDS, () => void navigate('/login', { replace: true }));
  const { title, text } = LINK_ERRORS.get(message.trim().toLowerCase()) ?? OTHER;
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

const HOME = '/';

/** The home page is not part of the app: the browser loads it. */
const goHome = () => location.assign(HOME);

function UnsubscribeSuccessPage() {
  const [params] = useSearchParams();
  const [email] = useState(() => params.get('email') ?? '');
  const left = useCountdown(SECONDS, goHome);
  return (
    <AccountFrame
      title="You’re unsubscribed"
      tab="Unsubscribed"
      icon={<MailX className="mb-3 size-6 text-up" aria-hidden="true" />}
    >
      <div className="grid gap-3 text-ink-2">
        <p>
          {email ? <strong className="font-medium break-all text-ink">{email}</strong> : 'You'} will no longer receive
          alerts, reminders, digests or news from {BRAND.name}. Essential account email will still arrive.
        </p>
        <p>
          Unsubscribed by mistake? Turn them back on in{' '}
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

function ResetPasswordPage() {
  const token = useLinkToken();
  const [done, setDone] = useState<Remaining | null>(null);
  if (done) return <Done {...done} />;
  if (!token) return <Invalid />;
  return (
    <AccountFrame title="Reset Your Password" tab="Reset password">
      <ResetForm token={token} onDone={setDone} />
    </AccountFrame>
  );
}

function Invalid() {
  return (
    <AccountFrame title="Invalid Reset Link" icon={<LinkIcon className="mb-3 size-6 text-warn" aria-hidden="true" />}>
      <p className="text-ink-2">This password reset link is invalid or has expired. Please request a new one.</p>
      <RequestResetForm />
      <a href="/" className={SECONDARY}>
        Go to Homepage
      </a>
    </AccountFrame>
  );
}

function Done({ remaining, endToken }: Remaining) {
  return (
    <AccountFrame
      title="Password Reset Successful"
      icon={<CircleCheck className="mb-3 size-6 text-up" aria-hidden="true" />}
    >
      <p className="text-ink-2">Every device has been signed out. Sign in with your new password.</p>
      {endToken && <RemainingAccess remaining={remaining} endToken={endToken} />}
      <a href="/?auth=login" className={PRIMARY}>
        Sign In
      </a>
    </AccountFrame>
  );
}

/**
 * The page linked from the email about a reset: what still has access to the account, and one button that revokes it.
 */
function EndAccessPage() {
  const token = useLinkToken();
  return (
    <AccountFrame
      title="Access to Your Account"
      tab="Access to your account"
      icon={<KeyRound className="mb-3 size-6 text-ink-3" aria-hidden="true" />}
    >
      {token ? <Listed token={token} /> : <p className="text-ink-2">Please open the full link from your email.</p>}
      <Link to="/app?auth=login" className={PRIMARY}>
        Sign In
      </Link>
    </AccountFrame>
  );
}

function Listed({ token }: { token: string }) {
  const query = useQuery(remainingAccessQuery(token));
  return (
    <QueryView
      query={query}
      failed="Couldn’t load what uses your account"
      loading={<div className="skel h-28" />}
      isEmpty={({ remaining }) => remaining.length === 0}
      empty={<p className="text-ink-2">Nothing else uses your account.</p>}
    >
      {({ remaining }) => <RemainingAccess remaining={remaining} endToken={token} />}
    </QueryView>
  );
}

function ResendConfirmationPage() {
  return (
    <AccountFrame title="Resend Confirmation Email">
      <p className="text-ink-2">
        Enter the email you signed up with. We’ll send a new link; the old one stops working.
      </p>
      <ResendForm />
      <Link to="/login" className={SECONDARY}>
        Back to Login
      </Link>
    </AccountFrame>
  );
}

const PAGES: Readonly<Record<string, ComponentType>> = {
  '/reset-password': ResetPasswordPage,
  '/auth/end-access': EndAccessPage,
  '/resend-confirmation': ResendConfirmationPage,
  '/auth/confirm': ConfirmPage,
  '/auth/confirm-success': ConfirmSuccessPage,
  '/auth/confirm-error': ConfirmErrorPage,
  '/unsubscribe-success': UnsubscribeSuccessPage,
};

const MOVED_TO: ReadonlyMap<string, string> = new Map(MOVED);

/** Pages opened from links in our emails, outside the shell. Any other address redirects to the app. */
export function AccountPages() {
  const { pathname } = useLocation();
  const path = pathname.replace(/\/+$/, '');
  const Page = PAGES[path];
  return Page ? <Page /> : <Navigate to={MOVED_TO.get(path) ?? '/app'} replace />;
}
