import { queryOptions } from '@tanstack/react-query';
import { listSessions } from '#features/auth/contract.ts';
import { listPasskeys } from '#features/passkeys/contract.ts';
import { call } from '#web/api/client.ts';

export const sessionsQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['sessions', token],
    enabled: token !== null,
    staleTime: 15_000,
    queryFn: ({ signal }) => call(listSessions, {}, signal),
  });

/** Under the key of the passkeys' own card: asked for once. */
export const passkeysQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['passkeys', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(listPasskeys, {}, signal),
  });
