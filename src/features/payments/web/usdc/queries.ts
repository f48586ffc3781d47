import { queryOptions } from '@tanstack/react-query';
import { getPayment, type Payment } from '#features/payments/contract/usdc.ts';
import { call } from '#ui/api/client.ts';

/** The stream says at once when money has come; this is for when it is away. */
const POLL_MS = 10_000;

const isOver = ({ status }: Payment): boolean => status === 'settled';

/** A payment as it stands. When the stream says that payments changed, all that begins with 'billing' is read anew. */
export const paymentQuery = (asked: Payment) =>
  queryOptions({
    queryKey: ['billing', 'payment', asked.paymentId],
    queryFn: ({ signal }) => call(getPayment, { params: { id: asked.paymentId } }, signal),
    initialData: asked,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isOver(data) ? false : POLL_MS),
  });
