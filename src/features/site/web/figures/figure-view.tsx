import type { ReactNode } from 'react';
import type { FigurePage, FigureSource } from '#features/site/contract/figures.ts';
import { BRAND } from '#shared/brand.ts';
import { bareText, figureText } from '#shared/figure-pages.ts';
import { COIN_PREFIX, type FigureOrigin, hasOrigin } from '#shared/figures.ts';
import { age, percent } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Change } from '#ui/change.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { cx } from '#ui/cx.ts';
import { OriginLines } from '#ui/figure-details.tsx';
import { TEXT_LINK } from '#ui/form.tsx';
import { Fresh } from '#ui/fresh.tsx';
import { Link } from '#ui/link.tsx';
import { Meaning } from '#ui/meaning.tsx';
import { useNow } from '#ui/now.ts';
import { Empty } from '#ui/states.tsx';
import { useOrigin } from '#ui/use-browser.ts';

const HEADS = { percent: 'Difference', points: 'Difference', share: 'Share' } as const;

/** Digits in which sources still differ. */
const metricDecimals = (metric: string) => (metric.startsWith('funding.') ? 4 : 3);

function distanceText(page: FigurePage, distance: number): string {
  if (page.comparison === 'share') return `${distance.toFixed(1)}%`;
  const text = percent(distance, metricDecimals(page.metric));
  return page.comparison === 'points' ? text.replace('%', ' pts') : text;
}

/** How far sources disagree, in one sentence. */
function disagreement(page: FigurePage): string {
  const { sources, comparison, metric } = page;
  const origin = page.meta['value'];
  if (comparison === 'share')
    return `The figure is the sum over ${sources.length === 1 ? '1 venue' : `${sources.length} venues`}. The share is what each adds.`;
  const distances = sources.flatMap(({ difference }) => (difference === null ? [] : [difference]));
  if (sources.length > 1 && distances.length < 2)
    return 'Only one source is up to date, so there is nothing to compare it with.';
  if (distances.length > 1) {
    const spread = distanceText(page, Math.max(...distances) - Math.min(...distances)).replace('+', '');
    const mean = metric.startsWith('funding.') ? ' The figure is their mean, weighted by open interest.' : '';
    return `Sources that are up to date differ by up to ${spread}.${mean}`;
  }
  const source = sources[0]?.source ?? '';
  const from = hasOrigin(origin) && origin.venues?.length ? ` from ${origin.venues.join(', ')}` : '';
  const how = source === BRAND.name ? `computed by ${source}${from}` : source;
  return `Single source: ${how}. There is no second value to compare it with.`;
}

/** The value of each source, and its distance from the figure. */
function SourcesCard({ page }: { page: FigurePage }) {
  const { sources, comparison } = page;
  const isListed = sources.length > 1 || comparison === 'share';
  return (
    <Card id="figure-sources" title="How Sources Compare">
      <p className="px-4 pb-3 text-sm text-ink-2">{disagreement(page)}</p>
      {isListed && (
        <table className="num w-full text-left text-sm">
          <thead>
            <tr className="label h-8 *:px-2 *:font-medium">
              <th scope="col" className="!pl-4">
                Source
              </th>
              <th scope="col" className="text-right">
                Value
              </th>
              <th scope="col" className="text-right">
                {HEADS[comparison]}
              </th>
              <th scope="col" className="!pr-4 text-right">
                Age
              </th>
            </tr>
          </thead>
          <tbody>
            {sources.map((source) => (
              <SourceRow key={source.source} page={page} source={source} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function SourceRow({ page, source }: { page: FigurePage; source: FigureSource }) {
  const now = useNow();
  const { value, difference, isShown, meta } = source;
  const isStale = now > Date.parse(meta.staleAfter);
  return (
    <tr className="h-9 *:border-t *:border-line *:px-2">
      <th scope="row" className="!pl-4 font-medium">
        {source.source} {isShown && <Badge tone="accent">Shown</Badge>}
      </th>
      <td className="text-right whitespace-nowrap">{bareText(page.metric, page.unit, value)}</td>
      <td className="text-right whitespace-nowrap text-ink-2">
        {difference === null || isShown ? '–' : distanceText(page, difference)}
      </td>
      <td className={cx('!pr-4 text-right whitespace-nowrap', isStale ? 'font-medium text-warn' : 'text-ink-3')}>
        {isStale && 'Stale, '}
        {age(now - Date.parse(meta.observedAt))}
      </td>
    </tr>
  );
}

type Props = {
  page: FigurePage;
  /** History as a line; requested when there are at least two points. */
  chart: ReactNode;
};

/** One figure with its full provenance. */
export function FigureView({ page, chart }: Props) {
  const meta = page.meta['value'];
  return (
    <>
      <Head page={page} />
      {page.note && <p className="mb-3 rounded-ctl bg-warn/10 px-3 py-1.5 text-sm">{page.note}</p>}
      <div className="grid grid-cols-1 gap-3 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 content-start gap-3">
          <History page={page} chart={chart} />
          {page.sources.length > 0 && <SourcesCard page={page} />}
        </div>
        <div className="grid min-w-0 content-start gap-3">
          {hasOrigin(meta) && <Origin meta={meta} />}
          <Card id="figure-meaning" title="What It Means">
            <div className="grid gap-2 px-4 pb-4 text-sm text-ink-2">
              <Meaning of={page} />
            </div>
          </Card>
        </div>
      </div>
    </>
  );
}

function Head({ page }: { page: FigurePage }) {
  const { metric, unit, value, change_24h: change, name } = page;
  const meta = page.meta['value'];
  return (
    <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <p className="num flex flex-wrap items-baseline gap-x-3 gap-y-1">
          {value === null ? (
            <span className="text-2xl font-semibold tracking-[-0.025em] text-ink-3">Not available</span>
          ) : (
            <span className="text-[44px] leading-none font-semibold tracking-[-0.035em]">
              {figureText(metric, unit, value)}
            </span>
          )}
          {change !== null && (
            <span className="text-sm text-ink-3">
              <Change value={change} className="text-base" />
              {page.comparison === 'points' && ' points'} 24h
            </span>
          )}
        </p>
        <p className="mt-2 min-h-5">
          {hasOrigin(meta) ? (
            <Fresh
              observedAt={Date.parse(meta.observedAt)}
              staleAfter={Date.parse(meta.staleAfter)}
              source={meta.venues?.length ? `${meta.venues.length} sources` : meta.source}
            />
          ) : (
            <span className="text-sm text-ink-2">{meta?.reason}</span>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {metric.startsWith(COIN_PREFIX) && (
          <Link to={`/app/custom-alerts?coin=${metric.slice(COIN_PREFIX.length)}`} className={`${TEXT_LINK} text-sm`}>
            Set alert
          </Link>
        )}
        <a href={`/app/figures/${metric}/card.png`} target="_blank" rel="noopener" className={`${TEXT_LINK} text-sm`}>
          Preview image
        </a>
        <CopyButton text={`${useOrigin()}/app/figures/${metric}`} what="Link" label={`Copy link to ${name}`}>
          Copy link
        </CopyButton>
      </div>
    </div>
  );
}

const Origin = ({ meta }: { meta: FigureOrigin }) => (
  <Card id="figure-origin" title="Where It Comes From">
    <dl className="num grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 px-4 pb-4 text-sm">
      <OriginLines meta={meta} />
    </dl>
  </Card>
);

const NO_HISTORY: Record<FigurePage['history']['state'], readonly [title: string, note: string]> = {
  complete: ['No history yet', 'The chart appears once values of two days are stored.'],
  loading: ['History is being collected', 'The chart appears automatically once it is ready.'],
  unavailable: ['No history available', 'No source has provided it.'],
  not_stored: ['No history is stored', 'This figure is computed from current data each time it is read.'],
};

function History({ page: { history }, chart }: Props) {
  const { points, series, days, state, source } = history;
  const [title, note] = NO_HISTORY[state];
  return (
    <Card
      id="figure-history"
      title={state === 'not_stored' ? 'History' : days === null ? 'Last 24 Months' : `Last ${days} Days`}
      className="min-h-[17rem]"
      note={source && <span className="label">{source}</span>}
      action={
        series && (
          <Link
            to={`/app/history?${new URLSearchParams(series.type === 'CRYPTO_PRICE' ? { symbol: series.symbol } : series).toString()}`}
            className="inline-flex h-8 items-center rounded-ctl px-2.5 text-sm font-medium text-accent hover:bg-raised"
          >
            All stored values
          </Link>
        )
      }
    >
      {points.length > 1 ? chart : <Empty title={title} note={note} />}
    </Card>
  );
}
