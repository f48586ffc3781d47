import { queryOptions } from '@tanstack/react-query';
import {
  confirmEmail,
  endRemainingAccess,
  exchangeToken,
  forgotPassword,
  getRemainingAccess,
  getSignInOptions,
  getUser,
  login,
  logout,
  register,
  resendConfirmation,
  resetPassword,
} from '#features/accounts/contract/auth.ts';
import { completeTwoFactor } from '#features/accounts/contract/two-factor.ts';
import { CallError, call, callTagged, type Reply } from '#ui/api/client.ts';
import { tokenNow } from '#ui/session.ts';

export type LoginReply = Reply<typeof login>;

/** The same for everyone; an administrator may close sign-ups at any time. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  staleTime: 60_000,
  queryFn: ({ signal }) => call(getSignInOptions, {}, signal),
});

export type Credentials = { email: string; password: string };

export const signIn = (body: Credentials, signal: AbortSignal): Promise<LoginReply> => call(login, { body }, signal);

export const signUp = (body: Credentials, signal: AbortSignal): Promise<LoginReply> => call(register, { body }, signal);

export const proveSecondFactor = (body: { challenge: string; code: string }, signal: AbortSignal) =>
  call(completeTwoFactor, { body }, signal);

export const askForReset = (email: string, signal: AbortSignal) => call(forgotPassword, { body: { email } }, signal);

export const askForConfirmation = (email: string, signal: AbortSignal) =>
  call(resendConfirmation, { body: { email } }, signal);

export type Remaining = Pick<Reply<typeof resetPassword>, 'remaining' | 'endToken'>;

export const choosePassword = (body: { token: string; newPassword: string }, signal: AbortSignal) =>
  call(resetPassword, { body }, signal);

/** For a request with side effects: sent once, regardless of rerenders, and again only when the user retries. */
const ONCE = { retry: false, staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false };

export const confirmQuery = (token: string) =>
  queryOptions({ ...ONCE, queryKey: ['confirm', token], queryFn: () => call(confirmEmail, { body: { token } }) });

export type Exchanged = Reply<typeof exchangeToken> & {
  /** Address of another account signed in to this browser. */
  other: string | null;
};

const signedInUser = () =>
  call(getUser, {}).catch((error: unknown) => {
    if (error instanceof CallError && error.status === 401) return null;
    throw error;
  });

/** Exchanges a confirmation token; the browser's state is unchanged. */
export const exchangeQuery = (token: string) =>
  queryOptions({
    ...ONCE,
    queryKey: ['exchange', token],
    async queryFn(): Promise<Exchanged> {
      const present = tokenNow() === null ? null : await signedInUser();
      const signedIn = await call(exchangeToken, { body: { token } });
      return { ...signedIn, other: present && present.id !== signedIn.user.id ? present.email : null };
    },
  });

/** Ends a session that this browser does not use. */
export const endUnused = (token: string) => callTagged(logout, {}, undefined, null, token).catch(() => undefined);

export const remainingAccessQuery = (token: string) =>
  queryOptions({
    queryKey: ['remaining-access', token],
    retry: false,
    queryFn: ({ signal }) => call(getRemainingAccess, { body: { token } }, signal),
  });

export const endAccess = (token: string, signal: AbortSignal) => call(endRemainingAccess, { body: { token } }, signal);
