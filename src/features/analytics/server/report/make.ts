import type { FileHead, Table } from '#kernel/files/table.ts';
import { writeFile } from '#kernel/files/write.ts';

import { type Chart, drawChart } from './draw-chart.ts';
import type { WholeTable } from './tables.ts';

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

/** As people read figures: seven digits. */
const readable = ({ rows, ...table }: WholeTable): WholeTable => ({
  ...table,
  rows: rows.map((row) =>
    row.map((cell) => (typeof cell !== 'number' || Math.abs(cell) >= 1e7 ? cell : Number(cell.toPrecision(7)))),
  ),
});

/** Makes the file of a report; called in a thread of its own. */
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
