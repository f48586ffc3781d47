import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { FileFormat } from '#kernel/files/table.ts';
import { writeFile } from '#kernel/files/write.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';
import { startChild } from './support/child.ts';
import { HEAD, preparedRows, toTable, writeTo } from './support/export-rows.ts';

const GOALS = { json: 0.8, xml: 0.4, xlsx: 0.3, csv: 0.25 } as const;
const CHUNK_BYTES = 1 << 16;
const MAX_GROWTH_BYTES = 20 * 2 ** 20;

/** The naive implementation: one object per row, one line per object. */
async function* plainJson(rows: number): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const batch of preparedRows(rows)) {
    for (const [id, timestamp, symbol, value, change, percent_change, source, note] of batch) {
      text += `${JSON.stringify({ id, timestamp, symbol, value, change, percent_change, source, note })}\n`;
      if (text.length < CHUNK_BYTES) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  yield Buffer.from(text);
}

async function measureRate(rows: number, path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const startedAt = performance.now();
  await writeTo(path, bytes);
  return rows / ((performance.now() - startedAt) / 1000);
}

async function measureSpeed({ ci, emit }: Context, path: string): Promise<void> {
  const rows = ci ? 100_000 : 1_000_000;
  for (const [format, atLeast] of Object.entries(GOALS) as [FileFormat, number][]) {
    const file = () =>
      writeFile({ format, fileName: 'bench', packed: false }, HEAD, [toTable(preparedRows(rows))]).bytes;
    const subject = () => measureRate(rows, path, file());
    const baseline = () => measureRate(rows, path, plainJson(rows));
    await subject();
    await baseline();
    const measured = await interleave(5, subject, baseline);
    emit({
      name: `export.${format}`,
      n: rows,
      unit: 'rows/s',
      subject: measured.subject,
      baseline: measured.baseline,
      ratio: measured.ratio,
      goal: { atLeast },
    });
  }
}

async function measureMemory({ ci, emit, note, cleanUp }: Context, path: string): Promise<void> {
  const [few, many] = ci ? [20_000, 200_000] : [100_000, 1_000_000];
  let largestGrowth = { growth: -1, few: 0, many: 0 };
  for (const format of ['csv', 'json', 'xml', 'xlsx'] as const) {
    const writer = await startChild('export-writer.ts');
    cleanUp(() => writer.stop());
    const before = await writer.call<number>('write', format, few, path);
    const after = await writer.call<number>('write', format, many, path);
    await writer.stop();
    const growth = after - before;
    note(`${format}: ${(growth / 2 ** 20).toFixed(1)} MB more for ${many} rows than for ${few}`);
    if (growth > largestGrowth.growth) largestGrowth = { growth, few: before, many: after };
  }
  emit({
    name: 'export.memory',
    n: many,
    unit: 'bytes of memory at most',
    subject: largestGrowth.many,
    baseline: largestGrowth.few,
    ratio: largestGrowth.growth,
    goal: { atMost: MAX_GROWTH_BYTES },
    slack: 0,
  });
}

async function run(context: Context): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  context.cleanUp(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  await measureSpeed(context, path);
  await measureMemory(context, path);
}

export const exportedFiles: Benchmark = {
  names: ['export.csv', 'export.json', 'export.xml', 'export.xlsx', 'export.memory'],
  run,
};
