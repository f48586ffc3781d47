import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FigurePage } from '#features/site/contract/figures.ts';
import {
  type CurrentFigure,
  figureHistory,
  findFigure,
  type HistoryDeps,
} from '#features/site/server/figures/service.ts';
import type { BackgroundThread } from '#kernel/background-thread.ts';
import { BRAND } from '#shared/brand.ts';
import { figureText } from '#shared/figure-pages.ts';
import { hasOrigin } from '#shared/figures.ts';
import { age, dateTime, percent } from '#shared/format.ts';
import type { FigureCard } from '#shared/picture/figure-card.ts';
import type { Letters } from '#shared/picture/letters.ts';
import { type DataMode, METHOD_WORDS } from '#shared/provenance.ts';
import { CLIENT_DIR } from './build.ts';
import { FIGURE_PAGE, type PageName } from './page-names.ts';
import { createPictureCache, MARK, toDirection } from './share-card.ts';

const DRAWING = new URL('../../../shared/picture/figure-card.ts', import.meta.url).href;
const MAX_DESCRIPTION_LENGTH = 155;

const minute = (iso: string) => dateTime(Date.parse(iso)).replace(/:\d\d UTC$/, ' UTC');
const valueText = ({ metric, unit, value }: CurrentFigure) => (value === null ? null : figureText(metric, unit, value));

function truncate(text: string): string {
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text;
  return `${text.slice(0, MAX_DESCRIPTION_LENGTH - 1).replace(/\s+\S*$/, '')}…`;
}

const sourcesText = ({ sources, meta: { value: meta } }: CurrentFigure): string => {
  const venues = hasOrigin(meta) && meta.venues?.length ? sources.map(({ source }) => source) : [];
  return venues.length > 0 ? venues.join(', ') : hasOrigin(meta) ? meta.source : '';
};

/** Preview of a link to a figure. The title has the value, the description its source and time. */
export function figureHead(figure: CurrentFigure): PageName & { canonical: string } {
  const { name, meaning } = figure;
  const { value: meta } = figure.meta;
  const text = valueText(figure);
  const origin =
    hasOrigin(meta) && text !== null
      ? `As of ${minute(meta.observedAt)} from ${meta.source}, ${meta.method}.`
      : `Not available: ${meta && !hasOrigin(meta) ? meta.reason : ''}.`;
  return {
    title: `${name}${text === null ? '' : `: ${text}`} · ${BRAND.name}`,
    description: truncate(`${origin} ${meaning}`),
    canonical: FIGURE_PAGE.replace(':metric', figure.metric),
  };
}

/** Equally spaced, with null for a missing value between two others. */
function withGaps(points: FigurePage['history']['points']): (number | null)[] {
  const times = points.map(({ at }) => Date.parse(at));
  const distances = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  const step = Math.min(...distances);
  return points.flatMap(({ value }, i) => {
    const missing = i === 0 ? 0 : Math.round((distances[i - 1] ?? step) / step) - 1;
    return [...Array.from({ length: missing }, () => null), value];
  });
}

type CardFacts = { history: FigurePage['history']; mode: DataMode; now: Date };

export function buildFigureCard(figure: CurrentFigure, { history, mode, now }: CardFacts): FigureCard {
  const { value: meta } = figure.meta;
  const { change_24h: change, comparison } = figure;
  const isBorn = hasOrigin(meta);
  const ageMs = isBorn ? now.getTime() - Date.parse(meta.observedAt) : 0;
  const isStale = !isBorn || now.getTime() > Date.parse(meta.staleAfter);
  const unit = comparison === 'points' ? ' points' : '%';
  return {
    name: BRAND.name,
    mark: MARK,
    accent: BRAND.accent,
    demo: mode === 'demo',
    title: figure.name,
    value: valueText(figure) ?? 'Not available',
    change:
      change === null ? null : { text: percent(change).replace('%', `${unit} 24h`), direction: toDirection(change) },
    isStale,
    origin: isBorn ? [`Source: ${sourcesText(figure)}`, METHOD_WORDS[meta.method]] : [meta?.reason ?? ''],
    seen: isBorn
      ? [
          `Observed ${minute(meta.observedAt)}`,
          `${isStale ? 'Stale, age' : 'Age'} at render time: ${age(ageMs).replace(' ago', '')}`,
        ]
      : [],
    points: withGaps(history.points),
    span: history.days === null ? 'Last 24 months' : `Last ${history.days} days`,
  };
}

type Deps = {
  figures: HistoryDeps;
  mode: DataMode;
  thread: BackgroundThread;
  letters: Letters;
  now: () => Date;
  onError: (error: unknown) => void;
};

/** The preview image of a figure. */
export function mountFigureCards(
  app: FastifyInstance,
  { figures, mode, thread, letters, now, onError }: Deps,
  unknown: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  const send = createPictureCache(now);

  async function draw(figure: CurrentFigure): Promise<Uint8Array> {
    try {
      const history = await figureHistory(figures, figure.metric, null);
      const card = buildFigureCard(figure, { history, mode, now: now() });
      return (await thread.call<{ bytes: Uint8Array }>(DRAWING, 'drawFigureCard', card, letters)).bytes;
    } catch (error) {
      onError(error);
      return readFile(join(CLIENT_DIR, 'card.png'));
    }
  }

  app.get(`${FIGURE_PAGE}/card.png`, async (request, reply) => {
    const { metric } = request.params as { metric: string };
    const figure = await findFigure(figures, metric);
    if (!figure) return unknown(request, reply);
    return send(request, reply, metric, () => draw(figure));
  });
}
