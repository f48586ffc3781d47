import type { ChartType } from '#features/analytics/contract.ts';
import type { Candle } from '#features/market/contract/market.ts';
import type { Pdf } from '#kernel/files/pdf.ts';
import type { FileHead, Table } from '#kernel/files/table.ts';
import { writeFile } from '#kernel/files/write.ts';
import { compact, price } from '#shared/format.ts';
import type { WholeTable } from './tables.ts';

/** `slots[i]` is the offset of the i-th candle from the first, in candles: gaps stay empty. */
type Chart = { type: ChartType; candles: readonly Candle[]; slots: readonly number[]; byDay: boolean };

const UP = '#15803d';
const DOWN = '#b91c1c';
const FAINT = '#6b7280';
const GRID = '#e5e7eb';
const HEIGHT = 235;
const VOLUME_HEIGHT = 40;
const AXIS = 70;
const TIMES = 6;

type Box = { left: number; top: number; width: number; low: number; high: number; step: number };

/** Levels of 1, 2 or 5 times a power of ten, about five of them. */
function levels(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, i) => (first + i) * step);
}

function chartBox(pdf: Pdf, { type, candles, slots }: Chart): Box {
  const isClose = type === 'line' || type === 'area';
  const low = Math.min(...candles.map((candle) => (isClose ? candle.close : candle.low)));
  const high = Math.max(...candles.map((candle) => (isClose ? candle.close : candle.high)));
  const pad = (high - low) * 0.05 || Math.abs(high) * 0.01 || 1;
  const width = pdf.room() - AXIS;
  return {
    left: pdf.left(),
    top: pdf.document.y,
    width,
    low: low - pad,
    high: high + pad,
    step: width / ((slots.at(-1) ?? 0) + 1),
  };
}

const toY = (box: Box, value: number) => box.top + HEIGHT * (1 - (value - box.low) / (box.high - box.low));
const toX = (box: Box, slot: number) => box.left + (slot + 0.5) * box.step;

/** The chart of a report, at full width. */
function drawChart(pdf: Pdf, chart: Chart): void {
  const { document: doc } = pdf;
  if (chart.candles.length === 0) return pdf.addText('No candles stored for this period.');
  pdf.need(HEIGHT + VOLUME_HEIGHT + 30);
  const box = chartBox(pdf, chart);
  doc.save();
  drawGrid(pdf, chart, box);
  if (chart.type === 'line' || chart.type === 'area') drawLine(pdf, chart, box);
  else drawBars(pdf, chart, box);
  drawVolume(pdf, chart, box);
  doc.restore();
  doc.y = box.top + HEIGHT + VOLUME_HEIGHT + 22;
}

function drawGrid({ document: doc, pen }: Pdf, { candles, slots, byDay }: Chart, box: Box): void {
  const ink = { size: 7, colour: FAINT };
  for (const level of levels(box.low, box.high)) {
    const y = toY(box, level);
    doc.moveTo(box.left, y).lineTo(box.left + box.width, y);
    pen.put(price(level), box.left + box.width + 6, y - 4, ink);
  }
  doc.lineWidth(0.5).strokeColor(GRID).stroke();
  const y = box.top + HEIGHT + VOLUME_HEIGHT + 6;
  const count = Math.min(TIMES, candles.length);
  for (let i = 0; i < count; i++) {
    const nth = count === 1 ? 0 : Math.round((i * (candles.length - 1)) / (count - 1));
    const at = candles[nth]?.at ?? '';
    const text = byDay ? at.slice(0, 10) : at.slice(0, 16).replace('T', ' ');
    const width = pen.widthOf(text, ink);
    const middle = toX(box, slots[nth] ?? 0) - width / 2;
    pen.put(text, Math.max(box.left, Math.min(box.left + box.width - width, middle)), y, ink);
  }
}

function drawBars({ document: doc }: Pdf, { type, candles, slots }: Chart, box: Box): void {
  const half = Math.max(0.2, box.step * 0.35);
  const line = Math.min(1, Math.max(0.25, box.step * 0.15));
  for (const isUp of [true, false]) {
    const colour = isUp ? UP : DOWN;
    const own = candles.map((candle, i) => ({ candle, x: toX(box, slots[i] ?? 0) }));
    const side = own.filter(({ candle }) => candle.close >= candle.open === isUp);
    if (side.length === 0) continue;
    for (const { candle, x } of side) {
      doc.moveTo(x, toY(box, candle.high)).lineTo(x, toY(box, candle.low));
      if (type !== 'bar') continue;
      doc.moveTo(x - half, toY(box, candle.open)).lineTo(x, toY(box, candle.open));
      doc.moveTo(x, toY(box, candle.close)).lineTo(x + half, toY(box, candle.close));
    }
    doc.lineWidth(line).strokeColor(colour).stroke();
    if (type === 'bar') continue;
    for (const { candle, x } of side) {
      const top = toY(box, Math.max(candle.open, candle.close));
      doc.rect(x - half, top, 2 * half, Math.max(0.4, toY(box, Math.min(candle.open, candle.close)) - top));
    }
    doc.fillColor(colour).fill();
  }
}

/** Interrupted where candles are missing. */
function drawLine({ document: doc, colour }: Pdf, { type, candles, slots }: Chart, box: Box): void {
  const runs: { x: number; y: number }[][] = [];
  for (const [i, { close }] of candles.entries()) {
    const slot = slots[i] ?? 0;
    if (i === 0 || slot - (slots[i - 1] ?? 0) > 1) runs.push([]);
    runs.at(-1)?.push({ x: toX(box, slot), y: toY(box, close) });
  }
  for (const run of runs) {
    const trace = () => {
      for (const [i, { x, y }] of run.entries()) {
        if (i === 0) doc.moveTo(x, y);
        else doc.lineTo(x, y);
      }
    };
    const [first, last] = [run[0], run.at(-1)];
    if (!first || !last) continue;
    if (run.length === 1) {
      doc.circle(first.x, first.y, 1).fillColor(colour).fill();
      continue;
    }
    if (type === 'area') {
      trace();
      doc
        .lineTo(last.x, box.top + HEIGHT)
        .lineTo(first.x, box.top + HEIGHT)
        .closePath();
      doc.fillColor(colour, 0.18).fill();
    }
    trace();
    doc.lineWidth(1.2).strokeColor(colour, 1).stroke();
  }
}

function drawVolume({ document: doc, pen }: Pdf, { candles, slots }: Chart, box: Box): void {
  const most = Math.max(0, ...candles.map(({ volume }) => volume ?? 0));
  if (most === 0) return;
  const bottom = box.top + HEIGHT + VOLUME_HEIGHT;
  const half = Math.max(0.2, box.step * 0.35);
  for (const [i, { volume }] of candles.entries()) {
    if (!volume) continue;
    const height = (volume / most) * (VOLUME_HEIGHT - 6);
    doc.rect(toX(box, slots[i] ?? 0) - half, bottom - height, 2 * half, height);
  }
  doc.fillColor('#9ca3af', 0.6).fill();
  doc.fillOpacity(1);
  pen.put(`${compact(most)} volume`, box.left + box.width + 6, bottom - VOLUME_HEIGHT + 2, { size: 7, colour: FAINT });
}

export type ReportOrder = {
  format: 'pdf' | 'csv' | 'json';
  fileName: string;
  head: FileHead;
  chartTitle: string;
  chart: Chart;
  tables: WholeTable[];
};
export type Report = { fileName: string; mime: string; bytes: Uint8Array };

async function* batch(rows: WholeTable['rows']): AsyncGenerator<WholeTable['rows']> {
  yield rows;
}

const asTable = ({ rows, ...table }: WholeTable): Table => ({ ...table, rows: batch(rows) });

async function whole(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}

/** Rounds figures for readers: seven digits. */
const readable = ({ rows, ...table }: WholeTable): WholeTable => ({
  ...table,
  rows: rows.map((row) =>
    row.map((cell) => (typeof cell !== 'number' || Math.abs(cell) >= 1e7 ? cell : Number(cell.toPrecision(7)))),
  ),
});

/** Creates the file of a report; runs in its own thread. */
export async function makeReport({ format, fileName, head, chartTitle, chart, tables }: ReportOrder): Promise<Report> {
  if (format !== 'pdf') {
    const file = writeFile({ format, fileName, packed: false }, head, tables.map(asTable));
    return { fileName: file.fileName, mime: file.mime, bytes: await whole(file.bytes) };
  }
  // Drawing needs a large library, the other formats do not.
  const { openPdf } = await import('#kernel/files/pdf.ts');
  const pdf = openPdf(head);
  const bytes = whole(pdf.bytes);
  pdf.addText(chartTitle, { size: 11, bold: true });
  drawChart(pdf, chart);
  for (const table of tables) await pdf.addTable(asTable(readable(table)));
  pdf.end();
  return { fileName: `${fileName}.pdf`, mime: 'application/pdf', bytes: await bytes };
}
