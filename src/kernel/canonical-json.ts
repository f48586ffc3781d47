import { createHash } from 'node:crypto';

/**
 * The same text for the same value, whatever the order of its keys: the input of every hash. Refuses what JSON would
 * silently change.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} has no place in JSON`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each)).join(',')}]`;
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    throw new TypeError(`${typeof value} has no place in JSON`);
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`);
  return `{${fields.join(',')}}`;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
