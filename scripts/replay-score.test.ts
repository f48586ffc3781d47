import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readCandles } from './replay-score.ts';

const HEAD = 'timestamp,open,high,low,close,volume,turnover,date';
const DAY_MS = 86_400_000;
const row = (day: number, [open, high, low, close]: number[]) =>
  `${day * DAY_MS},${open},${high},${low},${close},1,1,2024-01-01`;

/** A swinging price, with more volatile weeks. */
function file(days: number): string {
  const price = (i: number) => 100 + 10 * Math.sin(i / 3) * (1 + Math.sin(i / 40)) + 3 * Math.sin(i * 1.7);
  const rows = Array.from({ length: days }, (_, i) => {
    const [open, close] = [price(i), price(i + 1)];
    return row(19_000 + i, [open, Math.max(open, close) + 1, Math.min(open, close) - 1, close]);
  });
  return `${[HEAD, ...rows].join('\n')}\n`;
}

describe('a candle file', () => {
  test('is read by column names with days in any order and repeated rows counted once; the file name gives the coin', () => {
    const [{ coin, candles } = { coin: '', candles: [] }] = readCandles(
      '/x/BTCUSDT.csv',
      `${HEAD}\n${row(2, [1, 3, 1, 2])}\r\n${row(1, [2, 2, 2, 2])}\n${row(2, [1, 3, 1, 2])}\n`,
    );
    expect(coin).toBe('BTCUSDT');
    expect(candles).toEqual([
      { day: 1, open: 2, high: 2, low: 2, close: 2, source: 'file' },
      { day: 2, open: 1, high: 3, low: 1, close: 2, source: 'file' },
    ]);
  });

  test('with a "coin" column holds several coins, each with its source', () => {
    const candle = { open: 1, high: 1, low: 1, close: 1 };
    expect(
      readCandles(
        'x.csv',
        'coin,timestamp,open,high,low,close,source\nBTC,86400000,1,1,1,1,OKX\nETH,172800000,1,1,1,1,Kraken\n',
      ),
    ).toEqual([
      { coin: 'BTC', candles: [{ day: 1, ...candle, source: 'OKX' }] },
      { coin: 'ETH', candles: [{ day: 2, ...candle, source: 'Kraken' }] },
    ]);
  });

  test.each([
    ['time,open\n', 'a.csv: line 1 lacks timestamp, high, low, close'],
    [`${HEAD}\n`, 'a.csv: contains no candles'],
    [`${HEAD}\n${row(1, [1, 2, 0, 1])}`, 'a.csv: line 2: timestamp, open, high, low, close must be numbers above zero'],
    [
      `${HEAD}\n${row(1, [1, 1, 1, 1])}\n1,,2,3,4`,
      'a.csv: line 3: timestamp, open, high, low, close must be numbers above zero',
    ],
    [`${HEAD}\n${row(1, [1, 2, 1.5, 2])}`, 'a.csv: line 2: open and close must lie between low and high'],
    [
      `${HEAD}\n${row(1, [1, 1, 1, 1])}\n${row(1, [1, 2, 1, 1])}`,
      'a.csv: line 3: a different candle for the same day, 1970-01-02',
    ],
  ])('rejects %j with its location', (text, message) => {
    expect(() => readCandles('a.csv', text)).toThrow(message);
  });
});

describe('the command', () => {
  let folder: string;
  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string; error: string }>((done) => {
      execFile(process.execPath, ['scripts/replay-score.ts', ...args], (failure, out, error) =>
        done({ code: failure ? Number(failure.code) : 0, out, error }),
      );
    });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-replay-'));
    await writeFile(join(folder, 'BTCUSDT.csv'), file(480));
    await writeFile(join(folder, 'NEW.csv'), file(30));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('prints one object per horizon with --json, otherwise sentences', async () => {
    const [json, text] = await Promise.all([
      run('--json', join(folder, 'BTCUSDT.csv')),
      run('--plot', join(folder, 'plot.svg'), join(folder, 'BTCUSDT.csv')),
    ]);
    expect([json.error, json.code]).toEqual(['', 0]);
    const lines = json.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { [name: string]: unknown });
    expect(lines.map(({ horizon }) => horizon)).toEqual(['24h', '7d', '28d', '180d']);
    expect(Object.keys(lines[0] ?? {})).toEqual(
      'horizon,track,dates,brier,brierBaseRates,brierUniform,skill,verdict,coverage80,coverage95,intervalScore80,intervalScore80TrailingQuantiles,gainBaseRates'.split(
        ',',
      ),
    );
    expect(lines[0]?.['dates']).toBeGreaterThan(100);
    const plot = await readFile(join(folder, 'plot.svg'), 'utf8');
    expect(plot.match(/<circle/g)).toHaveLength(10 + 3 * new Set(plot.match(/>20\d\d</g)).size);
    expect(plot).not.toContain('NaN');
    expect(text.out).toMatch(/^24h: (ahead|behind|no evidence)\. Brier 0\.\d{4} vs 0\.\d{4} for base rates/);
  });

  test('reports what is missing and exits with 2', async () => {
    expect(await run()).toMatchObject({ code: 2, error: expect.stringContaining('Usage: npm run replay:score') });
    const gone = await run(join(folder, 'none.csv'));
    expect([gone.code, gone.error]).toEqual([2, expect.stringContaining('no such file')]);
    const few = await run('--plot', join(folder, 'few.svg'), join(folder, 'NEW.csv'));
    expect([few.code, few.error]).toEqual([2, 'Too few graded 24h calls to draw\n']);
    expect((await run(join(folder, 'BTCUSDT.csv'), join(folder, 'BTCUSDT.csv'))).error).toBe('BTCUSDT appears twice\n');
    expect(await run('--worlds', '0')).toMatchObject({ code: 2, error: expect.stringContaining('whole number') });
  });

  test('counts how often a random walk without signal looks like skill', async () => {
    const { code, out } = await run('--json', '--worlds', '2');
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { worlds: 2, days: 730, ahead: 0, share: 0, skillAboveUniform: 0, brierLessUniform24h: expect.any(Number) },
    ]);
  });
});
