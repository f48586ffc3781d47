import type { Connection } from '../db.ts';
import { replicaFailure } from './failures.ts';

/** Builds a whole response from the first server; after a replica failure, again from the next. */
export async function fromFirst<T>(
  [first, ...others]: readonly Connection[],
  make: (connection: Connection) => Promise<T>,
  left: (error: unknown) => void = () => undefined,
): Promise<T> {
  try {
    return await make(first as Connection);
  } catch (error) {
    if (others.length === 0 || replicaFailure(error) === undefined) throw error;
    left(error);
    return fromFirst(others, make, left);
  }
}
