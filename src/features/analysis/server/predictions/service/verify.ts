import { canonicalJson } from '#kernel/canonical-json.ts';
import type { Db } from '#kernel/db.ts';

import { GENESIS, hashOf, type LedgerEntry } from '../chain.ts';
import { callsBetween, halfSettled, type SettledCall, type StoredCall, settledBetween } from '../store/calls.ts';
import { entriesAfter, type Root, roots } from '../store/ledger.ts';

export type Verification = {
  entries: number;
  /** Hash of the newest entry; null for an empty ledger. */
  head: string | null;
  roots: number;
  /** One sentence per fault, naming the entry; empty when the ledger is intact. At most 100. */
  faults: string[];
};

/** Small enough for hashing to leave time for requests. */
const BATCH = 500;
const MOST_FAULTS = 100;

type End = Pick<LedgerEntry, 'seq' | 'hash' | 'recorded_at'>;
/** How far an intact ledger was read, and its published roots. */
export type Progress = { before: End; entries: number; roots: number };

const START: Progress = { before: { seq: 0, hash: GENESIS, recorded_at: '' }, entries: 0, roots: 0 };

/**
 * Finds entries that were changed, removed, added or no longer agree with the data used for scoring. Reads the whole
 * ledger, or what follows `since` while that end is unchanged.
 */
export async function verifyLedger(
  db: Db,
  since: Progress = START,
): Promise<{ found: Verification; progress: Progress | null }> {
  const published = await roots(db);
  const isSame = since.before.seq === 0 || (await hashAt(db, since.before.seq)) === since.before.hash;
  const from = isSame && published.length >= since.roots ? since : START;
  const check = createCheck(published, from);
  for (const root of published.slice(from.roots).filter(({ through_seq: seq }) => seq <= from.before.seq))
    check.takeRoot(root, await hashAt(db, root.through_seq));
  let last = from.before.seq;
  for (;;) {
    const batch = await entriesAfter(db, last, BATCH);
    const through = batch.at(-1)?.seq;
    if (through === undefined) break;
    const [calls, settled] = await Promise.all([callsBetween(db, last, through), settledBetween(db, last, through)]);
    check.take(batch, calls, settled);
    last = through;
  }
  return check.end(await halfSettled(db));
}

const hashAt = async (db: Db, seq: number): Promise<string | undefined> => {
  const [entry] = await entriesAfter(db, seq - 1, 1);
  return entry?.seq === seq ? entry.hash : undefined;
};

function createCheck(published: readonly Root[], from: Progress) {
  const rootAt = new Map(published.map((root) => [root.through_seq, root]));
  const faults: string[] = [];
  const note = (fault: string) => void (faults.length < MOST_FAULTS && faults.push(fault));
  let { entries, before } = from;

  function checkRoot({ through_seq: seq, hash, day }: Root, found: string | undefined): void {
    if (hash !== found) note(`Entry ${seq} does not match the hash published for ${day}`);
  }

  function checkEntry(entry: LedgerEntry): void {
    entries += 1;
    if (entry.seq !== before.seq + 1) note(missingText(before.seq + 1, entry.seq - 1));
    // After a gap the previous hash is unknown, so the entry cannot be verified.
    else if (hashOf(before.hash, entry) !== entry.hash)
      note(`Entry ${entry.seq} was modified: its hash does not match`);
    if (entry.recorded_at < before.recorded_at) note(`Entry ${entry.seq} is older than the one before it`);
    const root = rootAt.get(entry.seq);
    if (root) checkRoot(root, entry.hash);
    before = entry;
  }

  function checkCalls(batch: readonly LedgerEntry[], calls: readonly StoredCall[]): void {
    const rows = new Map(calls.map((call) => [call.seq, call]));
    for (const { seq, kind, body } of batch) {
      if (kind !== 'call') continue;
      const row = rows.get(seq);
      rows.delete(seq);
      if (!row) note(`Entry ${seq} is a call missing from the record`);
      else if (canonicalJson(callFacts(row)) !== canonicalJson(factsIn(body)))
        note(`The record of call ${seq} differs from entry ${seq}`);
    }
    for (const seq of rows.keys()) note(`The record contains call ${seq}, which is not in the ledger`);
  }

  function checkOutcomes(batch: readonly LedgerEntry[], settled: readonly SettledCall[]): void {
    const rows = new Map(settled.map((row) => [row.outcome_seq, row]));
    for (const { seq, kind, body } of batch) {
      if (kind !== 'outcome' && kind !== 'void') continue;
      const {
        call,
        outcome = 'void',
        realised = null,
      } = JSON.parse(body) as Partial<Omit<SettledCall, 'seq'>> & {
        call: number;
      };
      const row = rows.get(seq);
      rows.delete(seq);
      if (row?.seq !== call || row.outcome !== outcome || row.realised !== realised)
        note(`The record of call ${call} differs from its outcome in entry ${seq}`);
    }
    for (const { seq } of rows.values()) note(`The record has an outcome for call ${seq} that is not in the ledger`);
  }

  return {
    takeRoot: checkRoot,
    take(batch: readonly LedgerEntry[], calls: readonly StoredCall[], settled: readonly SettledCall[]): void {
      for (const entry of batch) checkEntry(entry);
      checkCalls(batch, calls);
      checkOutcomes(batch, settled);
    },
    end(half: readonly number[]): { found: Verification; progress: Progress | null } {
      const newest = Math.max(0, ...rootAt.keys());
      if (newest > before.seq) note(missingText(before.seq + 1, newest));
      for (const seq of half) note(`The record has an outcome for call ${seq} that is not in the ledger`);
      const found = { entries, head: entries > 0 ? before.hash : null, roots: published.length, faults };
      const { seq, hash, recorded_at } = before;
      const progress = { before: { seq, hash, recorded_at }, entries, roots: published.length };
      return { found, progress: faults.length > 0 ? null : progress };
    },
  };
}

const missingText = (from: number, to: number) =>
  from === to ? `Entry ${from} is missing` : `Entries ${from} to ${to} are missing`;

/** The data used for scoring, under the names of the ledger. */
const callFacts = (row: StoredCall) => ({
  analysisId: row.analysis_id,
  analyst: row.analyst,
  asset: row.asset,
  band: row.band,
  climatology: row.climatology,
  horizon: row.horizon,
  imputed: row.imputed,
  issuedAt: row.issued_at,
  model: row.model,
  persistence: row.persistence,
  price: row.price,
  probabilities: row.probabilities,
  ranges: row.ranges,
  resolvesAt: row.resolves_at,
  trailingRanges: row.trailingRanges,
});

type Facts = ReturnType<typeof callFacts>;

function factsIn(body: string): Facts {
  const { price, ...told } = JSON.parse(body) as Omit<Facts, 'price'> & { price: { usd: number } };
  const facts = { ...told, price: price.usd };
  return Object.fromEntries(FACTS.map((name) => [name, facts[name] ?? null])) as Facts;
}

const FACTS = [
  'analysisId',
  'analyst',
  'asset',
  'band',
  'climatology',
  'horizon',
  'imputed',
  'issuedAt',
  'model',
  'persistence',
  'price',
  'probabilities',
  'ranges',
  'resolvesAt',
  'trailingRanges',
] as const satisfies readonly (keyof Facts)[];
