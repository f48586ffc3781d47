import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { LineChart } from '#features/exports/web/history/line-chart.tsx';
import type { FigurePage as Page } from '#features/site/contract/figures.ts';
import { FigureView } from '#features/site/web/figures/figure-view.tsx';
import { figureQuery, isUnknown } from '#features/site/web/figures/queries.ts';
import { bareText, PAGED_FIGURES } from '#shared/figure-pages.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { dayOf } from '#ui/day.ts';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useArrival } from '#ui/use-arrival.ts';
import { useTitle } from '#ui/use-title.ts';
import { NotFoundPage } from './not-found-page.tsx';

const CARD = { id: 'figure', title: 'Value and History', className: 'min-h-[34rem]' };

/** The permalink of one figure. */
export function FigurePage() {
  const { metric = '' } = useParams();
  const query = useQuery(figureQuery(metric));
  return isUnknown(query.error) ? <NotFoundPage /> : <Known key={metric} metric={metric} query={query} />;
}

function Known({ metric, query }: { metric: string; query: ReturnType<typeof useQuery<Page>> }) {
  const name = query.data?.name ?? PAGED_FIGURES.get(metric)?.name ?? 'Price';
  useTitle(name);
  useArrival();
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <Link to="/app" className={`${TEXT_LINK} inline-flex min-h-9 items-center text-sm`}>
        Market Dashboard
      </Link>
      <h1 className="mb-2 text-xl font-semibold tracking-[-0.02em] [overflow-wrap:anywhere]">{name}</h1>
      <QueryView query={query} card={CARD} failed="Failed to load this figure">
        {(page) => <FigureView page={page} chart={<Past page={page} />} />}
      </QueryView>
    </div>
  );
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const monthText = (iso: string) => dayOf(iso).replace(/^\d+ /, '');

/** Rates come monthly, metrics daily, prices every four hours. */
function steps({ metric, history }: Page) {
  if (history.days === null) return { moment: monthText, gapMs: 32 * DAY_MS };
  return metric.startsWith(COIN_PREFIX) ? { gapMs: 9 * HOUR_MS } : { moment: dayOf, gapMs: 2 * DAY_MS };
}

function Past({ page }: { page: Page }) {
  const { metric, name, unit, history } = page;
  const points = history.points.map(({ at, value }) => ({ timestamp: at, value, unit, symbol: name }));
  return <LineChart points={points} text={(value) => bareText(metric, unit, value)} {...steps(page)} />;
}
