import { SourceError } from '#server/platform/http/source-error.ts';

import type { Observation } from '../types.ts';

/** Several questions to one source: one that fails costs only its own part. Throws when none is answered. */
export async function gather(parts: Promise<Observation[]>[]): Promise<Observation[]> {
  const results = await Promise.allSettled(parts);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const bug = failures.find((failure) => !(failure instanceof SourceError));
  if (bug !== undefined) throw bug;
  if (failures.length === results.length) throw failures[0];
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}
