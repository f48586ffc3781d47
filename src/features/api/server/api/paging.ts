import { AppError } from '#kernel/errors.ts';

const FORM = /^([a-z-]{1,20}) (\d{1,15})(?: ([\x21-\x7e]{1,120}))?$/;

export type Place = { number: number; key: string };

/** `list` names what it is a place in: a cursor of another list is refused. */
export function cursorAt(list: string, number: number, key = ''): string {
  return Buffer.from(key === '' ? `${list} ${number}` : `${list} ${number} ${key}`).toString('base64url');
}

export function placeIn(list: string, cursor: string): Place {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, name, number, key = ''] = FORM.exec(text) ?? [];
  const place = { number: Number(number), key };
  if (name !== list || cursorAt(list, place.number, key) !== cursor)
    throw new AppError('bad_request', 'Invalid cursor for this list');
  return place;
}

/** A page of a list in memory: it goes on after the row it ended with, or at its place when that row is gone. */
export function pageOf<T>(
  list: string,
  rows: readonly T[],
  keyOf: (row: T) => string | number,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): { rows: T[]; nextCursor: string | null } {
  let from = 0;
  if (cursor !== undefined) {
    const { number, key } = placeIn(list, cursor);
    const found = rows.findIndex((row) => `${keyOf(row)}` === key);
    from = found < 0 ? number : found + 1;
  }
  const end = from + limit;
  const page = rows.slice(from, end);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: last !== undefined && end < rows.length ? cursorAt(list, end, `${keyOf(last)}`) : null,
  };
}
