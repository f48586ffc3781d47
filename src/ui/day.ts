import { date } from '#shared/format.ts';

/** '21 Nov 2026' */
export const dayOf = (iso: string): string => date(Date.parse(iso));
