import { z } from 'zod/mini';

/** Of days and moments that are asked for: the calendar of the database begins with the year 1. */
export const sinceYearOne = z.regex(/^(?!0000)/, 'There is no year 0');
