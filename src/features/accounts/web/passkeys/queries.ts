import { queryOptions } from '@tanstack/react-query';
import { listPasskeys } from '#features/accounts/contract/passkeys.ts';
import { call } from '#ui/api/client.ts';

export const passkeysQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['passkeys', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(listPasskeys, {}, signal),
  });
