import { z } from 'zod/mini';

const MAX_FIELDS_LENGTH = 2000;
const MAX_CURSOR_LENGTH = 300;

/** Field names: dots separate nested names, commas separate fields. Source and age of each field are included. */
export const fields = z.optional(
  z
    .string('must be given once, separated by commas')
    .check(
      z.minLength(1, 'Specify at least one field'),
      z.maxLength(MAX_FIELDS_LENGTH, `must have at most ${MAX_FIELDS_LENGTH} characters`),
    ),
);
const moment = z.optional(z.iso.datetime('must be an ISO 8601 time such as 2026-11-20T12:00:00Z'));
const format = z.optional(z.enum(['json', 'csv'], 'must be json or csv'));
const cursor = z.optional(
  z.string('must be given once').check(z.maxLength(MAX_CURSOR_LENGTH, 'Invalid cursor for this list')),
);
const limit = (most: number, usual: number) => {
  const words = `must be a whole number from 1 to ${most}`;
  return z._default(z.coerce.number(words).check(z.int(words), z.minimum(1, words), z.maximum(most, words)), usual);
};

export const plain = z.object({ fields });
export const atMoment = z.object({ fields, asOf: moment });
/** One page of a list. */
export const page = (most: number, usual: number) => z.object({ limit: limit(most, usual), cursor, fields, format });
export const pageAt = (most: number, usual: number) => z.extend(page(most, usual), { asOf: moment });
