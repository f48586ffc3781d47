import { type RawBuilder, sql } from 'kysely';

/** Times in ms since epoch, oldest first, and a value at each. */
export type Series = { times: Float64Array; values: Float64Array };

/** An aggregate of all rows: two doubles each. Separate rows would cost several times as much. */
export const packed = (at: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<Buffer | null> =>
  sql<Buffer | null>`string_agg(float8send(extract(epoch from ${at})::float8 * 1000) || float8send(${value}), ''::bytea order by ${at})`;

export function unpack(bytes: Buffer | null): Series {
  const count = bytes ? bytes.length / 16 : 0;
  const times = new Float64Array(count);
  const values = new Float64Array(count);
  if (bytes) {
    for (let i = 0; i < count; i++) {
      times[i] = bytes.readDoubleBE(16 * i);
      values[i] = bytes.readDoubleBE(16 * i + 8);
    }
  }
  return { times, values };
}
