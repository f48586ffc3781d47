import { isFailing, troubleOf } from '#features/market/web/market/quote.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { clockTime } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';

const MOST_NAMED = 3;

function summary(sources: Dashboard['sources']): { text: string; tone: string } {
  const failing = sources.filter(isFailing);
  const [first] = failing;
  if (first && failing.length === 1) return { text: troubleOf(first), tone: 'bg-warn' };
  if (first)
    return {
      text:
        failing.length > MOST_NAMED
          ? `${failing.length} of ${sources.length} feeds failing`
          : `${failing.length} feeds failing: ${failing.map(({ name }) => name).join(', ')}`,
      tone: 'bg-warn',
    };
  const working = sources.filter(({ state }) => state === 'ok').length;
  if (working === 0) return { text: 'Waiting for first data', tone: 'bg-line-strong' };
  return { text: working === 1 ? 'Feed healthy' : `All ${working} feeds healthy`, tone: 'bg-up' };
}

type Props = { data: Dashboard | undefined; lost: string | null; onOpen: () => void };

/** While nothing is known of the server, nothing is said of its feeds. */
export function FeedHealth({ data, lost, onOpen }: Props) {
  const { text, tone } = lost === null ? summary(data?.sources ?? []) : { text: lost, tone: 'bg-warn' };
  return (
    <div className="mt-auto shrink-0 pt-4">
      <Link
        to="/app/sources"
        onClick={onOpen}
        className="block min-h-[3.875rem] rounded-[10px] border border-line p-3 hover:border-line-strong"
      >
        <p className="flex items-baseline gap-2 text-xs font-medium">
          <span className={cx('size-1.5 shrink-0 -translate-y-px rounded-full', tone)} aria-hidden="true" />
          {text}
        </p>
        {lost === null && data?.nextCollectionTime && (
          <p className="label num mt-0.5">Next collection {clockTime(Date.parse(data.nextCollectionTime))}</p>
        )}
      </Link>
    </div>
  );
}
