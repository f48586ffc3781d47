import type { FigurePage, FigureSource } from '#features/site/contract/figures.ts';
import { BRAND } from '#shared/brand.ts';
import { bareText } from '#shared/figure-pages.ts';
import { hasOrigin } from '#shared/figures.ts';
import { age, percent } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { useNow } from '#ui/now.ts';

const HEADS = { percent: 'Difference', points: 'Difference', share: 'Share' } as const;

/** Digits in which sources still differ. */
const decimalsOf = (metric: string) => (metric.startsWith('funding.') ? 4 : 3);

function distanceText(page: FigurePage, distance: number): string {
  if (page.comparison === 'share') return `${distance.toFixed(1)}%`;
  const text = percent(distance, decimalsOf(page.metric));
  return page.comparison === 'points' ? text.replace('%', ' pts') : text;
}

/** How far sources disagree, in one sentence. */
export function disagreement(page: FigurePage): string {
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

/** What each source gives, and how far it is from the figure. */
export function SourcesCard({ page }: { page: FigurePage }) {
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
