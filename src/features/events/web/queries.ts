import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { getAllEvents, getEventStudy, getEvents, getPastEvents, getUpcomingEvents } from '#features/events/contract.ts';
import { listReminders } from '#features/notifications/contract/notifications.ts';
import { call } from '#ui/api/client.ts';

const FRESH = { staleTime: 60_000, refetchInterval: 300_000 } as const;

export const eventsQuery = queryOptions({
  ...FRESH,
  queryKey: ['events'],
  queryFn: ({ signal }) => call(getEvents, {}, signal),
});

/** Reminders sent to the caller. */
export const remindersQuery = (token: string | null) =>
  queryOptions({
    ...FRESH,
    queryKey: ['events', 'reminders', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(listReminders, {}, signal),
  });

/** Includes ignored events; for admins. */
export const everyEventQuery = (token: string | null) =>
  queryOptions({
    ...FRESH,
    queryKey: ['events', 'every', token],
    queryFn: ({ signal }) => call(getAllEvents, {}, signal),
  });

const LISTS = { all: getAllEvents, upcoming: getUpcomingEvents, past: getPastEvents } as const;
export type AdminList = keyof typeof LISTS;

/** Each choice refetches its own list. */
export const adminEventsQuery = (token: string | null, list: AdminList) =>
  queryOptions({
    queryKey: ['events', 'admin', token, list],
    queryFn: ({ signal }) => call(LISTS[list], {}, signal),
    staleTime: 0,
  });

export type StudyKind = 'cpi' | 'pce' | 'ppi';

export const studyQuery = (kind: StudyKind) =>
  queryOptions({
    queryKey: ['event-study', kind],
    queryFn: ({ signal }) => call(getEventStudy, { query: { kind } }, signal),
    staleTime: 600_000,
  });

/** Refetches lists and card regardless of the outcome: a failed action then shows as not done. */
export function useReadAgain() {
  const queries = useQueryClient();
  return () =>
    Promise.all(['events', 'dashboard'].map((key) => queries.invalidateQueries({ queryKey: [key] }))).then(() => {});
}
