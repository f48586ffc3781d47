import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';

import { MODEL } from '#features/analysis/server/analysis/local/analyst.ts';
import { type ReplayScore, replayAll, scoreReplay } from '#features/analysis/server/analysis/local/replay.ts';
import {
  type ReplayLedger,
  replayLedger,
  type SourcedCandles,
} from '#features/analysis/server/analysis/local/replay-ledger.ts';
import { walk } from '#features/analysis/server/predictions/scoring/testing/simulated.ts';
import { plotReplay } from './replay-plot.ts';

// Scores the built-in analyst on your own daily candles, without a server or a database.
const USAGE = `Usage: npm run replay:score -- [--json] [--ledger LEDGER.jsonl] [--plot PLOT.svg] FILE.csv …
       npm run replay:score -- [--json] --worlds 1000
Each file contains the daily candles of one coin, which is named after the file, or of several coins with a column "coin". Columns: timestamp (ms, start of the UTC day), open, high, low, close. --ledger also writes every call and outcome as a hash chain, --plot a picture of the 24h calls. --worlds scores simulated random walks of two years instead, in which there is nothing to know.`;
const DAY_MS = 86_400_000;
const COLUMNS = ['timestamp', 'open', 'high', 'low', 'close'] as const;

type SourcedCandle = SourcedCandles['candles'][number];

class InputError extends Error {}

/** Reads one file. Throws BadInput naming file and line for anything that is not a candle. */
export function readCandles(file: string, text: string): SourcedCandles[] {
  const [head = '', ...lines] = text.split(/\r?\n/);
  const names = head
    .replace(/^\uFEFF/, '')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const at = COLUMNS.map((name) => names.indexOf(name));
  const missing = COLUMNS.filter((_, i) => at[i] === -1);
  if (missing.length > 0) throw new InputError(`${file}: line 1 lacks ${missing.join(', ')}`);
  const [coinAt, sourceAt] = [names.indexOf('coin'), names.indexOf('source')];
  const coins = new Map<string, Map<number, SourcedCandle>>();
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const fields = line.split(',');
    const values = at.map((column) => (fields[column]?.trim() ? Number(fields[column]) : Number.NaN));
    const [timestamp = 0, open = 0, high = 0, low = 0, close = 0] = values;
    const location = `${file}: line ${i + 2}`;
    if (!values.every((value) => Number.isFinite(value) && value > 0))
      throw new InputError(`${location}: ${COLUMNS.join(', ')} must be numbers above zero`);
    if (high < Math.max(open, close, low) || low > Math.min(open, close))
      throw new InputError(`${location}: open and close must lie between low and high`);
    const day = Math.floor(timestamp / DAY_MS);
    const candle = { day, open, high, low, close, source: fields[sourceAt] ?? 'file' };
    const coin = fields[coinAt] ?? basename(file).replace(/\.csv$/i, '');
    const byDay = coins.get(coin) ?? new Map<number, SourcedCandle>();
    coins.set(coin, byDay);
    const existing = byDay.get(day);
    // Exchange exports repeat rows; two different rows for one day are ambiguous.
    if (existing && !isDeepStrictEqual(existing, candle))
      throw new InputError(
        `${location}: a different candle for the same day, ${new Date(day * DAY_MS).toISOString().slice(0, 10)}`,
      );
    byDay.set(day, candle);
  }
  if (coins.size === 0) throw new InputError(`${file}: contains no candles`);
  return [...coins].map(([coin, byDay]) => ({
    coin,
    candles: [...byDay.values()].toSorted((a, b) => a.day - b.day),
  }));
}

const formatNumber = (value: number | null, digits = 4) => (value === null ? '–' : value.toFixed(digits));
const percent = (value: number | null) => (value === null ? '–' : `${(100 * value).toFixed(1)}%`);

const formatInterval = ({ low, high }: { low: number | null; high: number | null }) =>
  low === null ? '' : `, 95% interval ${formatNumber(low)} to ${formatNumber(high)}`;

function describeScore(line: ReplayScore): string {
  const { horizon, dates, brier, brierBaseRates, brierUniform, skill, verdict, coverage80, coverage95 } = line;
  if (dates === 0) return `${horizon}: not enough history to grade a call`;
  const { intervalScore80: own, intervalScore80TrailingQuantiles: trailing, gainBaseRates: gain } = line;
  return [
    `${horizon}: ${verdict}. Brier ${formatNumber(brier)} vs ${formatNumber(brierBaseRates)} for base rates and ${formatNumber(brierUniform)} for uniform over ${dates.toLocaleString('en-US')} dates; skill ${percent(skill)}.`,
    `  80% ranges held ${percent(coverage80)}, 95% ranges ${percent(coverage95)}; interval score ${formatNumber(own)} vs ${formatNumber(trailing)} for trailing-year quantiles.`,
    ...(gain
      ? [`  Gain over base rates ${formatNumber(gain.mean)}, t ${formatNumber(gain.t, 2)}${formatInterval(gain)}.`]
      : []),
  ].join('\n');
}

function writeLedger(file: string, { entries }: ReplayLedger): void {
  const out = openSync(file, 'w');
  try {
    for (const entry of entries()) writeSync(out, `${JSON.stringify(entry)}\n`);
  } finally {
    closeSync(out);
  }
}

function writePlot(file: string, calls: Parameters<typeof plotReplay>[0]): void {
  const svg = plotReplay(calls);
  if (svg === null) throw new InputError('Too few graded 24h calls to draw');
  writeFileSync(file, svg);
}

const WALK_DAYS = 730;

/** How often a random walk appears skilled: boards with seeds 1 to `worlds`. */
export function scoreRandomWalks(walks: number) {
  let [ahead, aboveUniform] = [0, 0];
  const gaps: number[] = [];
  for (let seed = 1; seed <= walks; seed++) {
    const scores = scoreReplay(replayAll([walk('walk', seed, WALK_DAYS)]), MODEL);
    if (scores.some(({ verdict }) => verdict === 'ahead')) ahead += 1;
    if (scores.some(({ skill, brier, brierUniform }) => (skill ?? 0) > 0 && (brier ?? 0) > (brierUniform ?? 0)))
      aboveUniform += 1;
    const [day] = scores;
    if (day?.brier != null && day.brierUniform !== null) gaps.push(day.brier - day.brierUniform);
  }
  const brierLessUniform24h = gaps.reduce((sum, brierGap) => sum + brierGap, 0) / gaps.length;
  return {
    worlds: walks,
    days: WALK_DAYS,
    ahead,
    share: ahead / walks,
    skillAboveUniform: aboveUniform,
    brierLessUniform24h,
  };
}

function printRandomWalks(count: string, asJson: boolean): number {
  const walks = Number(count);
  if (!Number.isInteger(walks) || walks < 1) throw new InputError('--worlds takes a whole number from 1 on');
  const summary = scoreRandomWalks(walks);
  const { days, ahead, share, skillAboveUniform, brierLessUniform24h: brierGap } = summary;
  const text = `${walks} random walks of ${days} days: ${ahead} (${percent(share)}) have a horizon called "ahead", ${skillAboveUniform} a positive skill with a Brier score above uniform. At 24h the Brier score is ${formatNumber(brierGap)} above uniform on average.`;
  console.log(asJson ? JSON.stringify(summary) : text);
  return 0;
}

function main(): number {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: 'boolean' },
      ledger: { type: 'string' },
      plot: { type: 'string' },
      worlds: { type: 'string' },
    },
    allowPositionals: true,
  });
  if (values.worlds !== undefined) return printRandomWalks(values.worlds, values.json ?? false);
  if (positionals.length === 0) throw new InputError(USAGE);
  const coins = positionals.flatMap((file) => readCandles(file, readFileSync(file, 'utf8')));
  const duplicate = coins.find(({ coin }, i) => coins.findIndex((each) => each.coin === coin) !== i);
  if (duplicate) throw new InputError(`${duplicate.coin} appears twice`);
  const calls = replayAll(coins);
  if (values.ledger) writeLedger(values.ledger, replayLedger(coins, calls));
  if (values.plot) writePlot(values.plot, calls['24h']);
  const scores = scoreReplay(calls, MODEL);
  console.log(scores.map((line) => (values.json ? JSON.stringify(line) : describeScore(line))).join('\n'));
  return 0;
}

if (import.meta.main) {
  try {
    process.exitCode = main();
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    if (!(error instanceof InputError) && !/^E[A-Z]+$|^ERR_PARSE_ARGS/.test(code)) throw error;
    console.error((error as Error).message);
    process.exitCode = 2;
  }
}
