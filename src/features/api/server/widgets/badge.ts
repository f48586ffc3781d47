import { recordLine, TRACK_NAMES } from '#features/analysis/contract/brief.ts';
import type { Backtest } from '#features/analysis/contract/predictions.ts';
import { CONSENSUS } from '#features/analysis/server/predictions/service.ts';
import type { BadgeOptions } from '#features/api/contract/widgets.ts';
import { AppError } from '#kernel/errors.ts';
import { BRAND } from '#shared/brand.ts';
import { dateTime } from '#shared/format.ts';
import { standInName } from '#shared/stand-ins.ts';

import { type Drawing, escaped } from './page.ts';
import { BADGE_STYLE } from './style.ts';

const HEIGHT = 46;
const PADDING = 12;
const [LINE, SMALL] = [13, 11];
/** Advances of Arial in em. `textLength` makes the text as wide as this in any other font. */
const ADVANCES = [
  [/[ijl.,:|'()· ]/, 0.28],
  [/[mwMW@%]/, 0.87],
  [/[A-Z]/, 0.69],
] as const;

function widthOf(text: string, size: number): number {
  let em = 0;
  for (const sign of text) em += ADVANCES.find(([signs]) => signs.test(sign))?.[1] ?? 0.52;
  return Math.ceil(em * size);
}

/** The track that a badge shows; null before the first call. @throws AppError 400 for one that is not in the record */
export function trackIn(record: Backtest | null, named: string | undefined): string | null {
  const tracks = (record?.cells ?? []).map(({ provider }) => provider);
  if (named !== undefined && tracks.length > 0 && !tracks.includes(named))
    throw new AppError('bad_request', `Unknown track ${named}`);
  const usual = tracks.includes(CONSENSUS) ? CONSENSUS : (record?.headline?.provider ?? tracks[0]);
  return named ?? usual ?? null;
}

type Shown = Omit<BadgeOptions, 'track'> & { track: string | null };

/** The verdict on one track at one horizon, with its scores, as a picture. */
export function drawBadge(
  record: Pick<Backtest, 'cells' | 'timestamp'> | null,
  { horizon, track, theme, record: kind }: Shown,
  d: Drawing,
): string {
  const cell = record?.cells.find((each) => each.current && each.provider === track && each.horizon === horizon);
  const { word, rest } = recordLine(cell);
  const start = `${horizon} forecasts${kind === 'live' ? '' : ` (${kind})`}: `;
  const name = track === null ? [] : [standInName(cell?.model ?? '') ?? TRACK_NAMES[track] ?? d.nameOf(track)];
  const at = dateTime(record ? Date.parse(record.timestamp) : d.now.getTime()).replace(/:\d\d UTC$/, ' UTC');
  const about = [BRAND.name, ...name, `as of ${at}`].join(' · ');
  const demo = d.mode === 'demo' ? ' · Demo data' : '';
  const [first, second] = [widthOf(start + word + rest, LINE), widthOf(about + demo, SMALL)];
  const width = Math.max(first, second) + 2 * PADDING;
  const text = (y: number, length: number, inside: string) =>
    `x="${PADDING}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${inside}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" data-theme="${theme}">`,
    `<title>${escaped(`${start}${word}${rest} · ${about}${demo}`)}</title><style>${BADGE_STYLE}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="8"/>`,
    `<text ${text(20, first, `${start}<tspan class="word ${cell?.verdict ?? 'none'}">${word}</tspan>${rest}`)}`,
    `<text class="small" ${text(37, second, `${escaped(about)}<tspan class="warn">${demo}</tspan>`)}`,
    '</svg>',
  ].join('');
}
