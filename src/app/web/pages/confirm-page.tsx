import { useQuery } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { confirmQuery } from '#features/accounts/web/auth/queries.ts';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { BRAND } from '#shared/brand.ts';
import { CallError } from '#ui/api/client.ts';
import { FormError, PRIMARY } from '#ui/form.tsx';
import { Logo } from '#ui/logo.tsx';
import { useSearchParams } from '#ui/search-params.ts';
import { useTitle } from '#ui/use-title.ts';

type Props = {
  title: string;
  /** The title of the tab, when it differs from `title`. */
  tab?: string;
  icon?: ReactNode;
  children: ReactNode;
};

/** A separate page outside the shell, with one thing to read or to fill in. */
export function AccountFrame({ title, tab = title, icon, children }: Props) {
  useTitle(tab);
  const demo = useQuery(dashboardQuery).data?.dataMode === 'demo';
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-14 shrink-0 items-center gap-3 px-4 sm:px-6">
        <a href="/" aria-label={`${BRAND.name}, home`} className="flex items-center gap-2.5 rounded-chip">
          <Logo className="size-6" />
          <span className="text-lg font-semibold tracking-[-0.02em]">{BRAND.name}</span>
        </a>
        {demo && (
          <span className="inline-flex h-7 items-center rounded-chip border border-warn/40 bg-warn/10 px-2 text-2xs font-semibold text-warn">
            Demo data
          </span>
        )}
      </header>
      <main id="main" className="grid flex-1 place-items-center px-3 pb-14">
        <div className="card grid w-[min(26rem,calc(100vw-1.5rem))] gap-4 p-5 sm:p-6">
          <div>
            {icon}
            <h1 className="text-xl font-semibold tracking-[-0.02em]">{title}</h1>
          </div>
          {children}
        </div>
      </main>
    </div>
  );
}

/** The token of the link stays in this page only, not in the address bar or the history. */
export function useLinkToken(): string | null {
  const [params] = useSearchParams();
  const [token] = useState(() => params.get('token'));
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (token && search) void navigate(pathname, { replace: true });
  }, [token, pathname, search, navigate]);
  return token;
}

export const confirmErrorPage = (message: string): string => `/auth/confirm-error?error=${encodeURIComponent(message)}`;

/** Opened from an email link. It confirms by a call, so that a mail scanner that opens the link confirms nothing. */
export function ConfirmPage() {
  const token = useLinkToken();
  if (!token) return <Navigate to={confirmErrorPage('Confirmation token is required')} replace />;
  return <Confirm token={token} />;
}

function Confirm({ token }: { token: string }) {
  const { data, error, refetch, isFetching } = useQuery(confirmQuery(token));
  if (data?.token) {
    const search = new URLSearchParams({ token: data.token, email: data.email });
    return <Navigate to={`/auth/confirm-success?${search.toString()}`} replace />;
  }
  // There is nothing to exchange: the server's response is passed on as state.
  if (data) return <Navigate to="/auth/confirm-success" replace state={{ confirmed: data.email }} />;
  if (isRefusal(error)) return <Navigate to={confirmErrorPage(error.message)} replace />;
  return (
    <Waiting
      busy={isFetching}
      text="Confirming your email address…"
      failed="Couldn’t confirm your email address"
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

/** The server has rejected the token; any other error may be temporary. */
export const isRefusal = (error: Error | null): error is CallError =>
  error instanceof CallError && error.status >= 400 && error.status < 500 && error.code !== 'rate_limited';

type WaitingProps = { busy: boolean; text: string; failed: string; error: Error | null; onRetry: () => void };

export function Waiting({ busy, text, failed, error, onRetry }: WaitingProps): ReactNode {
  return (
    <AccountFrame
      title="Email Confirmation"
      tab="Email confirmation"
      icon={<MailCheck className="mb-3 size-6 text-ink-3" aria-hidden="true" />}
    >
      {busy || !error ? (
        <output className="text-ink-2">{text}</output>
      ) : (
        <>
          <FormError failure={{ message: failed, detail: error.message }} />
          <button type="button" className={PRIMARY} onClick={onRetry}>
            Retry
          </button>
        </>
      )}
    </AccountFrame>
  );
}
