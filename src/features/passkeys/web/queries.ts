import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { listPasskeys } from '../contract.ts';

export const passkeysQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['passkeys', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(listPasskeys, {}, signal),
  });
