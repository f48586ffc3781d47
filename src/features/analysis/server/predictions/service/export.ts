import type { Db } from '#kernel/db.ts';

import { LEVELS, type Ranges } from '../scoring/ranges.ts';
import { calledOutcome } from '../scoring/scores.ts';
import type { StoredCall } from '../store/calls.ts';
import { entriesAfter, lastEntry } from '../store/ledger.ts';
import { callsAfter } from '../store/record.ts';

const BATCH = 1000;

/** Pieces of a text, `read` one after the other until nothing follows the last key. */
async function* batches<T extends { seq: number }>(
  read: (after: number) => Promise<T[]>,
  write: (rows: readonly T[]) => string,
): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    yield write(rows);
    after = last.seq;
  }
}

/** Every entry up to the current newest, one JSON line each. */
export async function* ledgerLines(db: Db): AsyncGenerator<string> {
  const newest = (await lastEntry(db))?.seq ?? 0;
  yield* batches(
    async (after) => (await entriesAfter(db, after, BATCH)).filter(({ seq }) => seq <= newest),
    (entries) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
  );
}

type Cell = string | number | boolean | null;

/** Prefixes spreadsheet formulas with an apostrophe; numbers stay numbers. */
function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Log returns, as `band` and `log_return` are. */
const rangeColumns = (
  name: string,
  of: (call: StoredCall) => Ranges | null,
): Record<string, (call: StoredCall) => Cell> =>
  Object.fromEntries(
    LEVELS.flatMap((level) =>
      (['low', 'high'] as const).map((end) => [
        `${name}_${level}_${end}_log`,
        (call) => of(call)?.[level][end] ?? null,
      ]),
    ),
  );

const COLUMNS: Record<string, (call: StoredCall) => Cell> = {
  seq: ({ seq }) => seq,
  analysis: ({ analysis_id: id }) => id,
  provider: ({ analyst }) => analyst,
  model: ({ model }) => model,
  asset: ({ asset }) => asset,
  horizon: ({ horizon }) => horizon,
  issued_at: ({ issued_at: at }) => at,
  resolves_at: ({ resolves_at: at }) => at,
  p_up: ({ probabilities }) => probabilities.up,
  p_flat: ({ probabilities }) => probabilities.flat,
  p_down: ({ probabilities }) => probabilities.down,
  imputed: ({ imputed }) => imputed,
  called: ({ probabilities }) => calledOutcome(probabilities),
  price_usd: ({ price }) => price,
  band: ({ band }) => band,
  climatology_up: ({ climatology }) => climatology.up,
  climatology_flat: ({ climatology }) => climatology.flat,
  climatology_down: ({ climatology }) => climatology.down,
  persistence_up: ({ persistence }) => persistence.up,
  persistence_flat: ({ persistence }) => persistence.flat,
  persistence_down: ({ persistence }) => persistence.down,
  ...rangeColumns('range', ({ ranges }) => ranges),
  ...rangeColumns('trailing_year', ({ trailingRanges }) => trailingRanges),
  outcome: ({ outcome }) => outcome,
  log_return: ({ realised }) => realised,
  outcome_seq: ({ outcome_seq: seq }) => seq,
  outcome_at: ({ outcome_at: at }) => at,
};

/** Every call with its outcome, as CSV of RFC 4180. */
export async function* callsAsCsv(db: Db): AsyncGenerator<string> {
  const columns = Object.values(COLUMNS);
  yield `${Object.keys(COLUMNS).join(',')}\r\n`;
  yield* batches(
    (after) => callsAfter(db, after, BATCH),
    (calls) => calls.map((call) => `${columns.map((of) => cell(of(call))).join(',')}\r\n`).join(''),
  );
}
