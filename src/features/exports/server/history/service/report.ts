import type { HistoryRecord, HistoryType } from '#features/exports/contract/history.ts';
import { changeInUnit, TYPE_NAMES, unitText, valueText } from '#features/exports/contract/history-names.ts';
import type { Branding } from '#kernel/files/table.ts';
import { BRAND } from '#shared/brand.ts';
import { ago, dateTime, percent } from '#shared/format.ts';

import type { HistoryContext } from '../context.ts';
import { type HistoryQuery, type Range, readAll, readPage } from './read.ts';
import type { Asked } from './sources.ts';

const [WIDTH, HEIGHT, LEFT, BELOW] = [680, 200, 70, 20];
const COLUMNS = 340;

type Point = Pick<HistoryRecord, 'timestamp' | 'value'>;

/** The lowest and highest value per pixel column, so that no peak is lost. */
function downsample(points: readonly Point[]): Point[] {
  if (points.length <= 2 * COLUMNS) return [...points];
  const size = points.length / COLUMNS;
  return Array.from({ length: COLUMNS }, (_, i) => {
    const part = points.slice(Math.floor(i * size), Math.floor((i + 1) * size));
    const low = part.reduce((a, b) => (b.value < a.value ? b : a));
    const high = part.reduce((a, b) => (b.value > a.value ? b : a));
    return low.timestamp < high.timestamp ? [low, high] : [high, low];
  }).flat();
}

/** A line chart with its lowest and highest value labelled; `points` oldest first, at least two. */
function chartSvg(points: readonly Point[], unit: string): string {
  const shown = downsample(points);
  const values = points.map(({ value }) => value);
  const [low, high] = values.reduce(([min, max], value) => [Math.min(min, value), Math.max(max, value)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number]);
  const times = [points[0], points.at(-1)].map((point) => Date.parse(point?.timestamp ?? ''));
  const [first = 0, last = 0] = times;
  const x = (at: string) => LEFT + ((Date.parse(at) - first) / (last - first || 1)) * (WIDTH - LEFT - 4);
  const y = (value: number) => 8 + (1 - (value - low) / (high - low || 1)) * (HEIGHT - BELOW - 16);
  const line = shown.map(({ timestamp, value }) => `${x(timestamp).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const label = (value: number) =>
    `<text x="${LEFT - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${valueText(value, unit)}</text><line x1="${LEFT}" x2="${WIDTH}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" class="rule"/>`;
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="From ${valueText(low, unit)} to ${valueText(high, unit)}">${label(high)}${low === high ? '' : label(low)}<polyline points="${line}" class="line"/><text x="${LEFT}" y="${HEIGHT - 4}">${day(first)}</text><text x="${WIDTH - 2}" y="${HEIGHT - 4}" text-anchor="end">${day(last)}</text></svg>`;
}

/** Black on white, on A4; no external resources. */
const REPORT_CSS = `
@page { size: A4; margin: 16mm 15mm; }
* { box-sizing: border-box; }
body { max-width: 180mm; margin: 0 auto; padding: 8mm 0; background: #fff; color: #14181f; font: 10pt/1.45 "Geist", "Segoe UI", Arial, sans-serif; font-variant-numeric: tabular-nums; }
header { border-bottom: 1px solid #c9d0d9; padding-bottom: 4mm; margin-bottom: 5mm; }
header p { margin: 0; color: #4a5361; }
.brand { display: flex; align-items: center; gap: 2mm; color: #0f4fb8 !important; font-weight: 600; }
h1 { font-size: 17pt; line-height: 1.2; margin: 3mm 0 1mm; letter-spacing: -0.02em; }
h2 { font-size: 10pt; margin: 0 0 1mm; }
.demo { display: inline-block; margin-top: 2mm !important; padding: .5mm 2mm; border: 1px solid #8a5a00; color: #8a5a00 !important; font-weight: 600; }
figure { margin: 0 0 5mm; break-inside: avoid; }
figure svg { width: 100%; height: auto; }
figure text { font-size: 10px; fill: #4a5361; }
.line { fill: none; stroke: #0f4fb8; stroke-width: 1.5; stroke-linejoin: round; }
.rule { stroke: #dfe4ea; }
figcaption, .note, footer { color: #4a5361; font-size: 8.5pt; }
table { width: 100%; border-collapse: collapse; font-size: 8.5pt; }
thead { display: table-header-group; }
th { text-align: left; font-weight: 600; color: #4a5361; }
th, td { padding: 1mm 1.5mm; border-bottom: 1px solid #dfe4ea; white-space: nowrap; }
th:nth-child(n+3):nth-child(-n+5), td:nth-child(n+3):nth-child(-n+5) { text-align: right; }
tr, footer { break-inside: avoid; }
footer { margin-top: 6mm; border-top: 1px solid #c9d0d9; padding-top: 3mm; }
footer ul { margin: 0 0 2mm; padding-left: 4mm; }
@media print { body { padding: 0; max-width: none; } }
`;

const ROWS = 50;
/** Rows used for the chart, newest first. */
const CHART_ROWS = 5000;
const BATCH = 1000;

type Asking = { type: HistoryType; asked: Asked; range: Range & { asked: HistoryQuery }; look: Branding };

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

const minute = (iso: string): string => dateTime(Date.parse(iso)).replace(/:\d\d UTC$/, ' UTC');

/** A self-contained A4 page: brand, range, chart, the newest rows, their sources. */
export async function* historyReport(
  ctx: HistoryContext,
  { type, asked, range, look }: Asking,
): AsyncGenerator<string> {
  const { records, next } = await readPage(ctx, asked, range, null, ROWS);
  const title = `${TYPE_NAMES[type]}, historical data`;
  yield `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · ${escape(look.name)}</title><style>${REPORT_CSS}${colourStyles(look)}</style></head><body>${head(ctx, title, range, look)}`;
  if (records.length === 0) {
    yield '<p class="none">No data stored for this range.</p></body></html>';
    return;
  }
  yield await renderChart(ctx, asked, range, records);
  yield table(records, next !== null);
  yield `${origins(ctx, records)}</body></html>`;
}

function head(
  { now, mode }: HistoryContext,
  title: string,
  { from, to, asked }: Asking['range'],
  look: Branding,
): string {
  const span = `${asked.from ? minute(from.toISOString()) : 'Start of data'} to ${minute(to.toISOString())}`;
  const demo = mode === 'demo' ? '<p class="demo">Demo data: simulated market, no real prices.</p>' : '';
  return `<header><p class="brand">${logoHtml(look)}${escape(look.name)}</p><h1>${title}</h1><p>${asked.symbol ? `${escape(asked.symbol.toUpperCase())} · ` : ''}${span}</p><p>Generated ${minute(now().toISOString())}</p>${demo}</header>`;
}

/** The default colour is printed darker. */
const colourStyles = ({ colour }: Branding): string =>
  colour === BRAND.accent ? '' : `.brand { color: ${colour} !important; } .line { stroke: ${colour}; }`;

/** The user's logo; the default mark only with the default name. */
function logoHtml({ name, logo }: Branding): string {
  if (logo)
    return `<img src="data:image/${logo.type};base64,${Buffer.from(logo.bytes).toString('base64')}" alt="" height="28">`;
  if (name !== BRAND.name) return '';
  const { line, dot } = BRAND.mark;
  return `<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="${line}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/><circle cx="${dot.x}" cy="${dot.y}" r="${dot.r}" fill="currentColor"/></svg>`;
}

/** The series of the newest row, over as much of the range as a line chart can show. */
async function renderChart(
  ctx: HistoryContext,
  asked: Asked,
  range: Range,
  records: readonly HistoryRecord[],
): Promise<string> {
  const { symbol, unit } = records[0] as HistoryRecord;
  const alone = { ...asked, series: asked.series.filter((series) => series.symbol === symbol) } as Asked;
  const points: HistoryRecord[] = [];
  for await (const batch of readAll(ctx, alone, range, BATCH)) {
    points.push(...batch);
    if (points.length >= CHART_ROWS) break;
  }
  const [newest, oldest] = [points[0], points.at(-1)];
  if (!newest || !oldest || points.length < 2) return '';
  const name = `${escape(symbol)}${unitText(unit) ? `, ${escape(unitText(unit))}` : ''}`;
  const caption = `${name}: ${valueText(oldest.value, unit)} on ${minute(oldest.timestamp)}, ${valueText(newest.value, unit)} on ${minute(newest.timestamp)}`;
  return `<figure>${chartSvg(points.toReversed(), unit)}<figcaption>${caption}</figcaption></figure>`;
}

function row({ timestamp, symbol, value, unit, change, change_percent: share, source }: HistoryRecord): string {
  const cells = [
    minute(timestamp),
    symbol,
    `${valueText(value, unit)}${unitText(unit) ? ` ${unitText(unit)}` : ''}`,
    change === null ? '–' : changeInUnit(change, unit),
    share === null ? '–' : percent(share),
    source,
  ];
  return `<tr>${cells.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`;
}

function table(records: readonly HistoryRecord[], isCut: boolean): string {
  const names = ['Time', 'Symbol', 'Value', 'Change', '% change', 'Source'];
  const head = `<tr>${names.map((name) => `<th scope="col">${name}</th>`).join('')}</tr>`;
  const note = isCut
    ? `<p class="note">Latest ${ROWS} rows of the range. Export as CSV, JSON or Excel for all rows.</p>`
    : '';
  return `<table><thead>${head}</thead><tbody>${records.map(row).join('')}</tbody></table>${note}`;
}

/** Each series with its source, the age of its newest value at creation, and how it was derived. */
function origins({ now }: HistoryContext, records: readonly HistoryRecord[]): string {
  const newest = new Map<string, HistoryRecord>();
  for (const record of records) {
    const key = `${record.symbol} ${record.source} ${record.method}`;
    if (!newest.has(key)) newest.set(key, record);
  }
  const lines = [...newest.values()].map(({ symbol, source, method, timestamp, fetchedAt }) => {
    const age = ago(now().getTime() - Date.parse(timestamp)).toLowerCase();
    return `<li>${escape(symbol)}: ${escape(source)}, ${method}; latest value ${minute(timestamp)} (${age}), fetched ${minute(fetchedAt)}</li>`;
  });
  return `<footer><h2>Sources</h2><ul>${lines.join('')}</ul><p>Changes are relative to the previous value of the same symbol. All times UTC. Not investment advice.</p></footer>`;
}
