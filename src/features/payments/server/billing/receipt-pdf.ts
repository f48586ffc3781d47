import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { BRAND } from '#shared/brand.ts';
import { dateTime } from '#shared/format.ts';

import type { Receipt } from './prices.ts';

const MARGIN = 56;
const RIGHT = 595.28 - MARGIN;
const MARK = 24;
const GAP = 12;
const FACT = { width: 100 };
const INK = '#111827';
const FAINT = '#6b7280';
/** Characters outside the standard PDF fonts. */
const UNDRAWN = /[^\u0020-\u007e\u00a0-\u00ff–—‘’“”•…€™]/gu;

const drawable = (text: string) => text.toWellFormed().replaceAll(UNDRAWN, '?');

type Paper = { receipt: Receipt; to: string; seller: readonly string[] };

/** An A4 page with selectable text. The library is loaded with the first receipt. */
export async function receiptPdf({ receipt, to, seller }: Paper): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit');
  const doc = new PdfDocument({
    size: 'A4',
    margin: MARGIN,
    info: {
      Title: `Receipt ${drawable(receipt.number)}`,
      Author: BRAND.name,
      Creator: BRAND.name,
      Producer: BRAND.name,
      CreationDate: receipt.at,
    },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const whole = new Promise<void>((resolve) => doc.on('end', () => resolve()));

  const line = (text: string, { size = 10, color = INK, bold = false, width = RIGHT - MARGIN } = {}) =>
    doc
      .font(bold ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(size)
      .fillColor(color)
      .text(drawable(text), MARGIN, doc.y, { width });
  /** `width` is that of the left side; either side may wrap. */
  const pair = (left: string, right: string, { bold = false, width = 380 } = {}) => {
    const top = doc.y;
    line(left, { bold, width: width - GAP });
    const below = doc.y;
    doc.text(drawable(right), MARGIN + width, top, { align: 'right', width: RIGHT - MARGIN - width });
    doc.y = Math.max(below, doc.y) + 6;
  };
  const rule = () => {
    doc.moveTo(MARGIN, doc.y).lineTo(RIGHT, doc.y).lineWidth(0.5).strokeColor('#d1d5db').stroke();
    doc.y += 10;
  };

  doc.save().translate(MARGIN, MARGIN);
  doc.roundedRect(0, 0, MARK, MARK, 6).fill(BRAND.accent);
  doc.path(BRAND.mark.line).lineWidth(2).strokeColor('#ffffff').stroke();
  doc.circle(BRAND.mark.dot.x, BRAND.mark.dot.y, BRAND.mark.dot.r).fill('#ffffff').restore();
  doc
    .font('Helvetica-Bold')
    .fontSize(16)
    .fillColor(INK)
    .text(BRAND.name, MARGIN + MARK + 10, MARGIN + 5);
  doc.y = MARGIN + 60;
  line('Receipt', { size: 22, bold: true });
  doc.y += 10;
  pair('Number', receipt.number, FACT);
  pair('Date', dateTime(receipt.at.getTime()), FACT);
  pair('Billed to', to, FACT);
  pair('Paid by', receipt.paidBy, FACT);
  doc.y += 14;
  rule();
  pair('Item', 'Amount (USD)', { bold: true });
  rule();
  for (const [what, usd] of receipt.lines) pair(what, usd);
  rule();
  pair('Total paid', `${receipt.total} USD`, { bold: true });
  doc.y += 20;
  line('Sold by', { bold: true });
  for (const each of seller) line(each);
  line(BRAND.supportEmail);
  doc.y += 20;
  line(
    `${PLAN_NAMES.pro} and ${PLAN_NAMES.premium} are prepaid. This receipt was generated electronically and is valid without a signature.`,
    {
      size: 8,
      color: FAINT,
    },
  );
  doc.end();
  await whole;
  return Buffer.concat(parts);
}
