import { date, dateTime } from '#shared/format.ts';

/** '21 Nov 2026' */
export const dayText = (iso: string): string => date(Date.parse(iso));

/** '14:03:12 UTC' */
export const clockText = (iso: string): string => dateTime(Date.parse(iso)).split(', ')[1] ?? '';
