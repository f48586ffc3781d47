import { useQuery } from '@tanstack/react-query';
import { LineChart } from '#features/exports/web/history/line-chart.tsx';
import type { FigurePage as PagedFigure } from '#features/site/contract/figures.ts';
import { FigureView } from '#features/site/web/figures/figure-view.tsx';
import { figureQuery, isUnknown } from '#features/site/web/figures/queries.ts';
import { bareText, PAGED_FIGURES } from '#shared/figure-pages.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { dayOf } from '#ui/day.ts';
import { Page } from '#ui/page.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { NotFoundPage } from './not-found-page.tsx';

const CARD = { id: 'figure', title: 'Value and History', className: 'min-h-[34rem]' };

/** The permalink of one figure. */
export function FigurePage({ metric = '' }: { metric?: string }) {
  const query = useQuery(figureQuery(metric));
  return isUnknown(query.error) ? <NotFoundPage /> : <Known key={metric} metric={metric} query={query} />;
}

function Known({ metric, query }: { metric: string; query: ReturnType<typeof useQuery<PagedFigure>> }) {
  const name = query.data?.name ?? PAGED_FIGURES.get(metric)?.name ?? 'Figure';
  return (
    <Page title={name} link={['Market Dashboard', '/app']}>
      <QueryView query={query} card={CARD} failed="Failed to load this figure">
        {(page) => <FigureView page={page} chart={<Past page={page} />} />}
      </QueryView>
    </Page>
  );
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const monthText = (iso: string) => dayOf(iso).replace(/^\d+ /, '');

/** Rates come monthly, metrics daily, macro series per business day, prices every four hours. */
function steps({ metric, history }: PagedFigure) {
  if (history.days === null) return { moment: monthText, gapMs: 32 * DAY_MS };
  if (metric.startsWith(COIN_PREFIX)) return { gapMs: 9 * HOUR_MS };
  return { moment: dayOf, gapMs: (metric.startsWith('macro.') ? 5 : 2) * DAY_MS };
}

function Past({ page }: { page: PagedFigure }) {
  const { metric, name, unit, history } = page;
  const points = history.points.map(({ at, value }) => ({ timestamp: at, value, unit, symbol: name }));
  return <LineChart points={points} text={(value) => bareText(metric, unit, value)} {...steps(page)} />;
}
