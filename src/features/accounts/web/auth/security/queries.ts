import { queryOptions } from '@tanstack/react-query';
import { listSessions } from '#features/accounts/contract/auth.ts';
import { listPasskeys } from '#features/accounts/contract/passkeys.ts';
import { getTwoFactor } from '#features/accounts/contract/two-factor.ts';
import { call } from '#ui/api/client.ts';

export const sessionsQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['sessions', token],
    enabled: token !== null,
    staleTime: 15_000,
    queryFn: ({ signal }) => call(listSessions, {}, signal),
  });

/** Shares the passkey card's key, so that it is fetched once. */
export const passkeysQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['passkeys', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(listPasskeys, {}, signal),
  });

/** Shares the key of its own card too. */
export const twoFactorQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['two-factor', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getTwoFactor, {}, signal),
  });
