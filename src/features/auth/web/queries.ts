import { queryOptions } from '@tanstack/react-query';

import { completeTwoFactor } from '#features/two-factor/contract.ts';
import { call, type Reply } from '#web/api/client.ts';

import {
  forgotPassword,
  getSignInOptions,
  getUser,
  login,
  register,
  resendConfirmation,
  resetPassword,
} from '../contract.ts';

export type LoginReply = Reply<typeof login>;

/** The same for everyone; an administrator may close the doors at any time. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  staleTime: 60_000,
  queryFn: ({ signal }) => call(getSignInOptions, {}, signal),
});

/** Whose token this browser keeps. */
export const userQuery = (token: string | null) =>
  queryOptions({ queryKey: ['user', token], retry: false, queryFn: ({ signal }) => call(getUser, {}, signal) });

export type Credentials = { email: string; password: string };

export const signIn = (body: Credentials, signal: AbortSignal): Promise<LoginReply> => call(login, { body }, signal);

export const signUp = (body: Credentials, signal: AbortSignal): Promise<LoginReply> => call(register, { body }, signal);

export const proveSecondFactor = (body: { challenge: string; code: string }, signal: AbortSignal) =>
  call(completeTwoFactor, { body }, signal);

export const askForReset = (email: string, signal: AbortSignal) => call(forgotPassword, { body: { email } }, signal);

export const askForConfirmation = (email: string, signal: AbortSignal) =>
  call(resendConfirmation, { body: { email } }, signal);

export const choosePassword = (body: { token: string; newPassword: string }, signal: AbortSignal) =>
  call(resetPassword, { body }, signal);
