import type { HistoryRecord, HistoryType } from '#features/history/contract.ts';
import { changeInUnit, TYPE_NAMES, unitText, valueText } from '#features/history/names.ts';
import type { Look } from '#server/platform/files/table.ts';
import { BRAND } from '#shared/brand.ts';
import { ago, dateTime, percent } from '#shared/format.ts';
import type { HistoryContext } from '../context.ts';
import { type Question, type Range, readAll, readPage } from './read.ts';
import { chartOf } from './report-chart.ts';
import { REPORT_CSS } from './report-css.ts';
import type { Asked } from './sources.ts';

const ROWS = 50;
/** What the chart is drawn from, newest first. */
const CHART_ROWS = 5000;
const BATCH = 1000;

type Asking = { type: HistoryType; asked: Asked; range: Range & { asked: Question }; look: Look };

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

const minute = (iso: string): string => dateTime(Date.parse(iso)).replace(/:\d\d UTC$/, ' UTC');

/** A page of A4 that needs nothing else: brand, range, chart, the newest rows, where they are from. */
export async function* historyReport(
  ctx: HistoryContext,
  { type, asked, range, look }: Asking,
): AsyncGenerator<string> {
  const { records, next } = await readPage(ctx, asked, range, null, ROWS);
  const title = `${TYPE_NAMES[type]}, historical data`;
  yield `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · ${escape(look.name)}</title><style>${REPORT_CSS}${coloursOf(look)}</style></head><body>${head(ctx, title, range, look)}`;
  if (records.length === 0) {
    yield '<p class="none">Nothing is stored in this range.</p></body></html>';
    return;
  }
  yield await drawn(ctx, asked, range, records);
  yield table(records, next !== null);
  yield `${origins(ctx, records)}</body></html>`;
}

function head({ now, mode }: HistoryContext, title: string, { from, to, asked }: Asking['range'], look: Look): string {
  const span = `${asked.from ? minute(from.toISOString()) : 'The beginning'} to ${minute(to.toISOString())}`;
  const demo = mode === 'demo' ? '<p class="demo">Demo data: a simulated market, no real prices.</p>' : '';
  return `<header><p class="brand">${markOf(look)}${escape(look.name)}</p><h1>${title}</h1><p>${asked.symbol ? `${escape(asked.symbol.toUpperCase())} · ` : ''}${span}</p><p>Made on ${minute(now().toISOString())}</p>${demo}</header>`;
}

/** Our own colour is drawn darker on paper. */
const coloursOf = ({ colour }: Look): string =>
  colour === BRAND.accent ? '' : `.brand { color: ${colour} !important; } .line { stroke: ${colour}; }`;

/** The person's logo; ours only under our name. */
function markOf({ name, logo }: Look): string {
  if (logo)
    return `<img src="data:image/${logo.type};base64,${Buffer.from(logo.bytes).toString('base64')}" alt="" height="28">`;
  if (name !== BRAND.name) return '';
  const { line, dot } = BRAND.mark;
  return `<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="${line}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/><circle cx="${dot.x}" cy="${dot.y}" r="${dot.r}" fill="currentColor"/></svg>`;
}

/** The series of the newest row, from all of the range that is not too much for a line. */
async function drawn(
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
  return `<figure>${chartOf(points.toReversed(), unit)}<figcaption>${caption}</figcaption></figure>`;
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
    ? `<p class="note">The newest ${ROWS} rows of the range. A CSV, JSON or Excel export holds all of them.</p>`
    : '';
  return `<table><thead>${head}</thead><tbody>${records.map(row).join('')}</tbody></table>${note}`;
}

/** Each series with its source, the age of its newest value when this was made, and how it came to be. */
function origins({ now }: HistoryContext, records: readonly HistoryRecord[]): string {
  const newest = new Map<string, HistoryRecord>();
  for (const record of records) {
    const key = `${record.symbol} ${record.source} ${record.method}`;
    if (!newest.has(key)) newest.set(key, record);
  }
  const lines = [...newest.values()].map(({ symbol, source, method, timestamp, fetchedAt }) => {
    const age = ago(now().getTime() - Date.parse(timestamp)).toLowerCase();
    return `<li>${escape(symbol)}: ${escape(source)}, ${method}; newest value of ${minute(timestamp)} (${age}), fetched ${minute(fetchedAt)}</li>`;
  });
  return `<footer><h2>Sources</h2><ul>${lines.join('')}</ul><p>Changes are reckoned from the next older value of the same symbol. All times UTC. No investment advice.</p></footer>`;
}
