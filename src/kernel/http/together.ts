import { SourceError } from './source-error.ts';

/** Several questions to one source: one that fails costs only its own part. Throws when none is answered. */
export async function togetherOf<T>(calls: Promise<T[]>[]): Promise<T[]> {
  const results = await Promise.allSettled(calls);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const bug = failures.find((failure) => !(failure instanceof SourceError));
  if (bug !== undefined) throw bug;
  if (failures.length > 0 && failures.length === results.length) throw failures[0];
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}
