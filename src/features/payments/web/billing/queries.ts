import { queryOptions } from '@tanstack/react-query';
import { getBilling, getRenewalInfo } from '#features/payments/contract/billing.ts';
import { call } from '#ui/api/client.ts';

/** Balance, card subscription and history of the signed-in account. */
export const billingQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['billing', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getBilling, {}, signal),
  });

export const renewalQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['billing', token, 'renewal'],
    enabled: token !== null,
    queryFn: async ({ signal }) => {
      try {
        return await call(getRenewalInfo, {}, signal);
      } catch (error) {
        // oxlint-disable-next-line no-console -- that it failed is only logged; who asked for it sees it in the dialog
        if (!signal.aborted) console.warn('Renewal options could not be loaded', error);
        throw error;
      }
    },
  });
