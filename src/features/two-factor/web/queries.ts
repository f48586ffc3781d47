import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { getTwoFactor } from '../contract.ts';

export const twoFactorQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['two-factor', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getTwoFactor, {}, signal),
  });
