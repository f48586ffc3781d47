import { createHash } from 'node:crypto';

/** Entries of JSON Lines; an invalid line is a fault. */
export function readLedger(text) {
  const faults = [];
  const entries = text.split('\n').flatMap((line, i) => {
    if (line === '') return [];
    try {
      return [JSON.parse(line)];
    } catch {
      faults.push(`Line ${i + 1} is not JSON`);
      return [];
    }
  });
  return { entries, faults };
}

/** Each hash is SHA-256 over the previous hash and the entry; numbers increase by one, times never decrease. */
export function chainFaults(entries) {
  const faults = [];
  let before = { seq: 0, hash: '0'.repeat(64), recorded_at: '' };
  for (const entry of entries) {
    const { seq, recorded_at: at, kind, body, hash } = entry;
    const text = [before.hash, seq, at, kind, body].join('\n');
    if (seq !== before.seq + 1) faults.push(`Entry ${before.seq + 1} is not there: entry ${seq} follows`);
    else if (createHash('sha256').update(text).digest('hex') !== hash)
      faults.push(`Entry ${seq}: its hash does not fit`);
    if (at < before.recorded_at) faults.push(`Entry ${seq} is older than the one before it`);
    before = entry;
  }
  return faults;
}
