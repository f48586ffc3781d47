import PdfDocument from 'pdfkit';

import { BRAND } from '#shared/brand.ts';
import { grouped } from '#shared/format.ts';
import { accentColour, fitWithin, logoSize } from './logo.ts';
import { createPen, drawTable, FAINT, type Ink, type Pen } from './pdf-table.ts';
import type { FileHead, Table, WrittenFile } from './table.ts';
import { CHUNK, minuteText, plainText } from './text.ts';

type Tables = Iterable<Table> | AsyncIterable<Table>;

/** More is not readable; the other formats hold everything. */
export const PDF_ROWS = 10_000;
const MARGIN = 40;
const FOOTER_HEIGHT = 30;
const LOGO_BOX = { width: 160, height: 36 };
const MARK = 24;

/** The drawing surface: `document.y` is the current position on the page. */
export type Sheet = {
  document: PDFKit.PDFDocument;
  pen: Pen;
  colour: string;
  left: () => number;
  /** Width between the margins. */
  room: () => number;
  fits: (height: number) => boolean;
  newPage: () => void;
  /** Starts a new page unless this much height is left. */
  need: (height: number) => void;
};

export type Pdf = Sheet & {
  /** Up to 10,000 rows of all tables together; the file states what is left out. */
  addTable: (table: Table) => Promise<WrittenFile>;
  /** A paragraph over the whole width. */
  addText: (text: string, ink?: Ink) => void;
  end: () => void;
  /** About 64 kB at a time, without backpressure. */
  bytes: AsyncIterable<Uint8Array>;
};

async function* collectChunks(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    waiting.push(part);
    size += part.length;
    if (size < CHUNK) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

function drawBrand({ document: doc, pen, colour }: Sheet, { look }: FileHead): void {
  let x = MARGIN;
  const size = logoSize(look);
  if (size && look.logo) {
    const { width, height } = fitWithin(size, LOGO_BOX);
    doc.image(Buffer.from(look.logo.bytes), x, MARGIN, { width, height });
    x += width + 10;
  } else if (look.name === BRAND.name) {
    doc.save().translate(MARGIN, MARGIN);
    doc.roundedRect(0, 0, MARK, MARK, 6).fill(colour);
    doc.path(BRAND.mark.line).lineWidth(2).strokeColor('#ffffff').stroke();
    doc.circle(BRAND.mark.dot.x, BRAND.mark.dot.y, BRAND.mark.dot.r).fill('#ffffff').restore();
    x += MARK + 10;
  }
  pen.put(look.name, x, MARGIN + 4, { size: 14, bold: true });
  doc.y = MARGIN + Math.max(MARK, size ? fitWithin(size, LOGO_BOX).height : 0) + 8;
  doc
    .moveTo(MARGIN, doc.y)
    .lineTo(doc.page.width - MARGIN, doc.y)
    .lineWidth(1.5)
    .strokeColor(colour)
    .stroke();
  doc.y += 12;
}

/** A4 landscape, in the user's branding. Import this module only when a PDF is made: its library is large. */
export function openPdf(head: FileHead): Pdf {
  const { look } = head;
  const doc = new PdfDocument({
    size: 'A4',
    layout: 'landscape',
    margin: MARGIN,
    autoFirstPage: false,
    lang: 'en',
    info: {
      Title: head.title.toWellFormed(),
      Author: look.name.toWellFormed(),
      Creator: look.name.toWellFormed(),
      Producer: look.name.toWellFormed(),
      CreationDate: head.madeAt,
    },
  });
  const pen = createPen(doc);
  let pages = 0;
  const end = () => doc.page.height - MARGIN - FOOTER_HEIGHT;
  const sheet: Sheet = {
    document: doc,
    pen,
    colour: `#${accentColour(look)}`,
    left: () => MARGIN,
    room: () => doc.page.width - 2 * MARGIN,
    fits: (height) => doc.y + height <= end(),
    newPage: () => void doc.addPage(),
    need(height) {
      if (doc.y + height > end()) doc.addPage();
    },
  };
  doc.on('pageAdded', () => {
    pages++;
    const foot = doc.page.height - MARGIN - 8;
    const ink = { size: 7, colour: FAINT };
    const right = `Page ${pages}`;
    const demo = head.dataMode === 'demo' ? ' · Demo data' : '';
    const left = pen.linesOf(
      `${look.name} · ${head.title} · ${minuteText(head.madeAt)}${demo}`,
      sheet.room() - 60,
      ink,
    );
    pen.put(left[0] ?? '', MARGIN, foot, ink);
    pen.put(right, doc.page.width - MARGIN - pen.widthOf(right, ink), foot, ink);
    doc.font('regular').fontSize(9).fillColor('#111827');
    doc.x = MARGIN;
    doc.y = MARGIN;
  });

  const addText = (text: string, ink: Ink = {}): void => {
    const step = (ink.size ?? 9) * 1.35;
    for (const line of pen.linesOf(text, sheet.room(), ink)) {
      sheet.need(step);
      const y = doc.y;
      pen.put(line, MARGIN, y, ink);
      doc.y = y + step;
    }
  };

  doc.addPage();
  drawBrand(sheet, head);
  addText(head.title, { size: 16, bold: true });
  addText(`${minuteText(head.madeAt)}${head.dataMode === 'demo' ? ' · Demo data' : ''}`, { size: 8, colour: FAINT });
  doc.y += 4;
  for (const note of head.notes) addText(note, { size: 8 });
  for (const [key, value] of Object.entries(head.metadata ?? {}))
    addText(`${key}: ${plainText(value)}`, { size: 7, colour: FAINT });

  let left = PDF_ROWS;
  return {
    ...sheet,
    addText,
    async addTable(table) {
      const { rows, more } = await drawTable(sheet, table, left);
      left -= rows;
      doc.y += 6;
      if (more)
        addText(
          `Limited to ${grouped(PDF_ROWS)} rows; ${table.title} has more. CSV, JSON, XML and XLSX contain all rows.`,
          { size: 8, bold: true },
        );
      return { rows };
    },
    end() {
      if (pen.replaced()) addText('□ marks a character missing from this file’s font.', { size: 8 });
      doc.end();
    },
    bytes: collectChunks(doc),
  };
}

export async function* pdfChunks(
  head: FileHead,
  tables: Tables,
  written: Map<string, WrittenFile>,
): AsyncGenerator<Uint8Array> {
  const pdf = openPdf(head);
  const draw = async () => {
    for await (const table of tables) written.set(table.name, await pdf.addTable(table));
    pdf.end();
  };
  const drawing = draw().catch((error: unknown) => {
    pdf.document.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  yield* pdf.bytes;
  await drawing;
}
