import { AppError } from '#server/platform/errors.ts';

/** The last row of a page. Those after it are older, or of the same moment and a later symbol. */
export type Place = { atMs: number; symbol: string };

const FORM = /^(\d{1,15}) (\S{1,40})$/;
const LATEST_MS = 8.64e15;

export const cursorOf = ({ atMs, symbol }: Place): string => Buffer.from(`${atMs} ${symbol}`).toString('base64url');

export function placeOf(cursor: string): Place {
  const [, at, symbol] = FORM.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const place = { atMs: Number(at), symbol: symbol ?? '' };
  if (at === undefined || place.atMs > LATEST_MS || cursorOf(place) !== cursor)
    throw new AppError('bad_request', 'The cursor is none of this list');
  return place;
}
