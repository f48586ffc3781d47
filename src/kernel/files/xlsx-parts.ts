import { accentColour } from './logo.ts';
import type { FileHead } from './table.ts';
import { xmlText } from './text.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org';
const PARTS = `${OFFICE}/officeDocument/2006/relationships`;
const TYPES = 'application/vnd.openxmlformats-officedocument';
export const SHEET_OPENS = `${XML}<worksheet xmlns="${OFFICE}/spreadsheetml/2006/main" xmlns:r="${PARTS}">`;

/** Indices into `cellXfs` of the styles below. */
export const STYLE = { head: 1, time: 2, title: 3, brand: 4, wrapped: 5 } as const;

const font = (inside: string) => `<font>${inside}<name val="Calibri"/><family val="2"/></font>`;

/** The number format says UTC, since a cell has no time zone. */
export function stylesXml(head: FileHead): string {
  const colour = `<color rgb="FF${accentColour(head.look)}"/>`;
  const fonts = [
    font('<sz val="11"/>'),
    font('<b/><sz val="11"/>'),
    font('<b/><sz val="16"/>'),
    font(`<b/><sz val="14"/>${colour}`),
  ];
  const line = `<border><left/><right/><top/><bottom style="medium">${colour}</bottom><diagonal/></border>`;
  const xf = (of: string, inside = '') => `<xf xfId="0" fillId="0" ${of}${inside ? `>${inside}</xf>` : '/>'}`;
  const formats = [
    xf('numFmtId="0" fontId="0" borderId="0"'),
    xf('numFmtId="0" fontId="1" borderId="1" applyFont="1" applyBorder="1"'),
    xf('numFmtId="164" fontId="0" borderId="0" applyNumberFormat="1"'),
    xf('numFmtId="0" fontId="2" borderId="0" applyFont="1"'),
    xf('numFmtId="0" fontId="3" borderId="0" applyFont="1"'),
    xf('numFmtId="0" fontId="0" borderId="0" applyAlignment="1"', '<alignment vertical="top" wrapText="1"/>'),
  ];
  return (
    `${XML}<styleSheet xmlns="${OFFICE}/spreadsheetml/2006/main">` +
    `<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss&quot; UTC&quot;"/></numFmts>` +
    `<fonts count="${fonts.length}">${fonts.join('')}</fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    `<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>${line}</borders>` +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${formats.length}">${formats.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
}

const relationships = (inside: string) =>
  `${XML}<Relationships xmlns="${OFFICE}/package/2006/relationships">${inside}</Relationships>`;
const relation = (id: number, type: string, target: string) =>
  `<Relationship Id="rId${id}" Type="${type}" Target="${target}"/>`;

export const rootRelations = (): string =>
  relationships(
    relation(1, `${PARTS}/officeDocument`, 'xl/workbook.xml') +
      relation(2, `${OFFICE}/package/2006/relationships/metadata/core-properties`, 'docProps/core.xml') +
      relation(3, `${PARTS}/extended-properties`, 'docProps/app.xml'),
  );

export const workbookRelations = (sheets: number): string =>
  relationships(
    Array.from({ length: sheets }, (_, i) =>
      relation(i + 1, `${PARTS}/worksheet`, `worksheets/sheet${i + 1}.xml`),
    ).join('') + relation(sheets + 1, `${PARTS}/styles`, 'styles.xml'),
  );

export const aboutRelations = (): string => relationships(relation(1, `${PARTS}/drawing`, '../drawings/drawing1.xml'));

export const drawingRelations = (logo: string): string =>
  relationships(relation(1, `${PARTS}/image`, `../media/${logo}`));

export const workbookXml = (sheets: readonly string[]): string =>
  `${XML}<workbook xmlns="${OFFICE}/spreadsheetml/2006/main" xmlns:r="${PARTS}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>` +
  `${sheets.map((name, i) => `<sheet name="${xmlText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`;

export function contentTypes(sheets: number, logo: string | null): string {
  const override = (part: string, type: string) => `<Override PartName="${part}" ContentType="${type}"/>`;
  return (
    `${XML}<Types xmlns="${OFFICE}/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    (logo
      ? '<Default Extension="png" ContentType="image/png"/><Default Extension="jpeg" ContentType="image/jpeg"/>'
      : '') +
    override('/xl/workbook.xml', `${TYPES}.spreadsheetml.sheet.main+xml`) +
    override('/xl/styles.xml', `${TYPES}.spreadsheetml.styles+xml`) +
    Array.from({ length: sheets }, (_, i) =>
      override(`/xl/worksheets/sheet${i + 1}.xml`, `${TYPES}.spreadsheetml.worksheet+xml`),
    ).join('') +
    (logo ? override('/xl/drawings/drawing1.xml', `${TYPES}.drawing+xml`) : '') +
    override('/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml') +
    override('/docProps/app.xml', `${TYPES}.extended-properties+xml`) +
    '</Types>'
  );
}

export const coreProperties = ({ title, look, madeAt }: FileHead): string =>
  `${XML}<cp:coreProperties xmlns:cp="${OFFICE}/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
  'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
  `<dc:title>${xmlText(title)}</dc:title><dc:creator>${xmlText(look.name)}</dc:creator>` +
  `<cp:lastModifiedBy>${xmlText(look.name)}</cp:lastModifiedBy>` +
  `<dcterms:created xsi:type="dcterms:W3CDTF">${madeAt.toISOString()}</dcterms:created></cp:coreProperties>`;

export const appProperties = ({ look }: FileHead): string =>
  `${XML}<Properties xmlns="${OFFICE}/officeDocument/2006/extended-properties"><Application>${xmlText(look.name)}</Application><Company>${xmlText(look.name)}</Company></Properties>`;

const EMU_PER_PIXEL = 9525;

export function drawingXml(name: string, { width, height }: { width: number; height: number }): string {
  const size = `cx="${Math.round(width * EMU_PER_PIXEL)}" cy="${Math.round(height * EMU_PER_PIXEL)}"`;
  const main = `${OFFICE}/drawingml/2006/main`;
  return (
    `${XML}<xdr:wsDr xmlns:xdr="${OFFICE}/drawingml/2006/spreadsheetDrawing" xmlns:a="${main}" xmlns:r="${PARTS}"><xdr:oneCellAnchor>` +
    `<xdr:from><xdr:col>0</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>0</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext ${size}/>` +
    `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Logo" descr="${xmlText(name)}"/><xdr:cNvPicPr/></xdr:nvPicPr>` +
    '<xdr:blipFill><a:blip r:embed="rId1"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>' +
    `<xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr>` +
    '</xdr:pic><xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>'
  );
}
