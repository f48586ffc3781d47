import { type QueryClient, queryOptions } from '@tanstack/react-query';

import { getSignInOptions } from '#features/accounts/contract/auth.ts';
import {
  countUsers,
  getMail,
  getUserDetail,
  listAudit,
  listMail,
  listUsers,
  MOST_USERS,
} from '#features/operations/contract/admin.ts';
import { call, type Reply } from '#ui/api/client.ts';
import { provenCall } from '#ui/api/proof.ts';
import { analysesQuery, collectionsQuery } from '../collections/queries.ts';
import type { AuditFilter } from './audit-tab.tsx';

export type MailList = Reply<typeof listMail>;

export const usersQuery = (token: string | null, q: string) =>
  queryOptions({
    queryKey: ['admin-users', token, q],
    queryFn: ({ signal }) => call(listUsers, { query: q ? { q } : {} }, signal),
  });

/** Age after which the check below reloads a tab's data. */
const LOADED_MS = 60_000;

/** The three requests of the dashboard except that of the open tab, which reports its own failure. */
export const loadsQuery = (queries: QueryClient, token: string | null, open: string) =>
  queryOptions({
    queryKey: ['admin-loads', token, open],
    gcTime: 0,
    queryFn: async () => {
      const fresh = { staleTime: LOADED_MS };
      const loads = {
        collections: () => queries.fetchQuery({ ...collectionsQuery(token, null, ''), ...fresh }),
        ai: () => queries.fetchQuery({ ...analysesQuery(token, '', null), ...fresh }),
        users: () => queries.fetchQuery({ ...usersQuery(token, ''), ...fresh }),
      };
      await Promise.all(Object.entries(loads).flatMap(([tab, load]) => (tab === open ? [] : [load()])));
      return true;
    },
  });

/** Fetched only when the list is incomplete. */
export const userCountQuery = (token: string | null, q: string, listed: number | undefined) =>
  queryOptions({
    queryKey: ['admin-user-count', token, q],
    enabled: listed === MOST_USERS,
    queryFn: ({ signal }) => call(countUsers, { query: q ? { q } : {} }, signal),
  });

export const userDetailQuery = (token: string | null, id: string) =>
  queryOptions({
    queryKey: ['admin-user', token, id],
    queryFn: ({ signal }) => call(getUserDetail, { params: { id } }, signal),
  });

/** Refetches an account and the lists it appears in. */
export async function refreshUser(queries: QueryClient, id: number): Promise<void> {
  void queries.invalidateQueries({ queryKey: ['admin-users'] });
  void queries.invalidateQueries({ queryKey: ['admin-audit'] });
  const isUserQuery = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    queryKey[0] === 'admin-user' && queryKey[2] === String(id);
  await queries.invalidateQueries({ predicate: isUserQuery });
}

/** A page of the log is not refetched, like one of emails. */
export const auditQuery = (token: string | null, filter: AuditFilter, before: number | null) =>
  queryOptions({
    queryKey: ['admin-audit', token, filter, before],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => {
      const params = Object.entries({ ...filter, before: before === null ? '' : String(before) });
      return call(listAudit, { query: Object.fromEntries(params.filter(([, value]) => value !== '')) }, signal);
    },
  });

/** A page of the list is not refetched: new email would shift its entries. */
export const mailQuery = (token: string | null, q: string, before: number | null) =>
  queryOptions({
    queryKey: ['admin-mail', token, q, before],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) =>
      call(
        listMail,
        { query: { ...(q ? { q } : {}), ...(before === null ? {} : { before: String(before) }) } },
        signal,
      ),
  });

export const oneMailQuery = (token: string | null, id: number) =>
  queryOptions({
    queryKey: ['admin-one-mail', token, id],
    retry: false,
    queryFn: ({ signal }) => provenCall(getMail, { params: { id: String(id) } }, signal),
  });

/** The sign-in dialog caches the same under this key, for as long. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  staleTime: 60_000,
  queryFn: ({ signal }) => call(getSignInOptions, {}, signal),
});
