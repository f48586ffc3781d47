import { z } from 'zod/mini';

/** For requested dates and times: the database calendar begins with the year 1. */
export const sinceYearOne = z.regex(/^(?!0000)/, 'There is no year 0');
