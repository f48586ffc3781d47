import { queryOptions } from '@tanstack/react-query';
import { getBooks, listPayments, listSuspense } from '#features/payments/contract/books.ts';
import { call } from '#ui/api/client.ts';

export const booksQuery = (token: string | null) =>
  queryOptions({ queryKey: ['admin-books', token], queryFn: ({ signal }) => call(getBooks, {}, signal) });

export const paymentsQuery = (token: string | null, q: string, before: string | null) =>
  queryOptions({
    queryKey: ['admin-payments', token, q, before],
    queryFn: ({ signal }) =>
      call(listPayments, { query: { ...(q ? { q } : {}), ...(before === null ? {} : { before }) } }, signal),
  });

export const suspenseQuery = (token: string | null) =>
  queryOptions({ queryKey: ['admin-suspense', token], queryFn: ({ signal }) => call(listSuspense, {}, signal) });
