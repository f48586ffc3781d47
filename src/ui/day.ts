import { dateTime } from '#shared/format.ts';

/** '21 Nov 2026' */
export const dayOf = (iso: string): string => dateTime(Date.parse(iso)).split(',')[0] ?? '';
