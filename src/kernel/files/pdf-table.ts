import { setImmediate } from 'node:timers/promises';

import type { Sheet } from './pdf.ts';
import { FAINT, type Ink, type Pen } from './pdf-text.ts';
import type { Cell, Column, Table } from './table.ts';

const BODY: Ink = { size: 7.5 };
const HEAD: Ink = { size: 7.5, bold: true };
const LINE = 9.5;
const PAD = 4;
const MOST_LINES = 40;
const SAMPLE = 100;
const NARROWEST = 34;
const BREATH = 200;
/** A table that needs less than this share of the page is not stretched over it, but later rows may be wider. */
const SPARSE = 0.6;
const SLACK = 1.4;

const titleOf = ({ title, unit, type }: Column) =>
  unit ? `${title} (${unit})` : type === 'time' ? `${title} (UTC)` : title;

function cellText(cell: Cell | undefined, { type }: Column): string {
  if (cell === null || cell === undefined || (typeof cell === 'number' && !Number.isFinite(cell))) return '–';
  if (type === 'time' && typeof cell === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(cell))
    return cell.slice(0, 19).replace('T', ' ');
  return String(cell);
}

type Rows = readonly (readonly Cell[])[];

/** As wide as the first rows need, narrowed from the widest down until all fit. */
function columnWidths(columns: readonly Column[], sample: Rows, room: number, pen: Pen): number[] {
  const wanted = columns.map((column, i) => {
    let most = Math.min(120, pen.widthOf(titleOf(column), HEAD));
    for (const row of sample) most = Math.max(most, pen.widthOf(cellText(row[i], column), BODY));
    return Math.max(NARROWEST, most + 2 * PAD + 1);
  });
  const sum = wanted.reduce((a, b) => a + b, 0);
  if (sum <= room) return wanted;
  let low = 0;
  let high = room;
  for (let i = 0; i < 40; i++) {
    const cap = (low + high) / 2;
    if (wanted.reduce((total, width) => total + Math.min(width, cap), 0) > room) high = cap;
    else low = cap;
  }
  return wanted.map((width) => Math.min(width, low));
}

/** Draws at most `most` rows under a head that every page repeats; true when there were more. */
export async function drawTable(sheet: Sheet, table: Table, most: number): Promise<{ rows: number; more: boolean }> {
  const { document: doc, pen } = sheet;
  const { columns } = table;
  let widths: number[] | undefined;
  let rows = 0;

  const drawRow = (lines: string[][], ink: Ink, from: readonly number[]): number => {
    const top = doc.y + 2;
    let x = sheet.left();
    columns.forEach((column, i) => {
      const width = from[i] as number;
      lines[i]?.forEach((line, n) => {
        const right = column.type === 'number' ? width - PAD - pen.widthOf(line, ink) : PAD;
        if (line) pen.put(line, x + Math.max(PAD, right), top + n * LINE, ink);
      });
      x += width;
    });
    return top + Math.max(1, ...lines.map((each) => each.length)) * LINE + 2;
  };
  const broken = (texts: string[], ink: Ink, from: readonly number[]) =>
    texts.map((text, i) => {
      const lines = pen.linesOf(text, Math.max(8, (from[i] as number) - 2 * PAD), ink);
      return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), '…'] : lines;
    });
  const rule = (y: number, colour: string, thick: number, from: readonly number[]) => {
    const right = sheet.left() + from.reduce((a, b) => a + b, 0);
    doc.moveTo(sheet.left(), y).lineTo(right, y).lineWidth(thick).strokeColor(colour).stroke();
  };
  const drawHead = (from: readonly number[]) => {
    doc.y = drawRow(broken(columns.map(titleOf), HEAD, from), HEAD, from);
    rule(doc.y, sheet.colour, 1, from);
    doc.y += 1;
  };

  const start = (sample: Rows): number[] => {
    const room = sheet.room();
    const upright = columnWidths(columns, sample, room, pen);
    const sum = upright.reduce((a, b) => a + b, 0);
    sheet.need(80);
    pen.put(table.title, sheet.left(), doc.y + 8, { size: 12, bold: true });
    doc.y += 26;
    const scale = sum < room * SPARSE ? SLACK : room / sum;
    const scaled = upright.map((width) => width * scale);
    drawHead(scaled);
    return scaled;
  };

  for await (const batch of table.rows) {
    widths ??= start(batch.slice(0, SAMPLE));
    for (const row of batch) {
      if (rows >= most) return { rows, more: true };
      if (doc.destroyed) return { rows, more: false };
      const lines = broken(
        columns.map((column, i) => cellText(row[i], column)),
        BODY,
        widths,
      );
      const height = Math.max(...lines.map((each) => each.length), 1) * LINE + 4;
      if (!sheet.fits(height)) {
        sheet.newPage();
        drawHead(widths);
      }
      doc.y = drawRow(lines, BODY, widths);
      rule(doc.y, '#e5e7eb', 0.4, widths);
      rows++;
      if (rows % BREATH === 0) await setImmediate();
    }
  }
  if (!widths) {
    start([]);
    pen.put('No rows', sheet.left() + PAD, doc.y + 2, { size: 7.5, colour: FAINT });
    doc.y += LINE + 4;
  }
  return { rows, more: false };
}
