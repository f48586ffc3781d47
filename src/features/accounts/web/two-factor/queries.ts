import { queryOptions } from '@tanstack/react-query';
import { getTwoFactor } from '#features/accounts/contract/two-factor.ts';
import { call } from '#ui/api/client.ts';

export const twoFactorQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['two-factor', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getTwoFactor, {}, signal),
  });
