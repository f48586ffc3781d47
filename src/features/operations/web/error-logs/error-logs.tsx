import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import {
  type ErrorLog,
  type ErrorType,
  LONGEST_SEARCH,
  listErrors,
  type Tally,
} from '#features/operations/contract/error-logs.ts';
import { grouped } from '#shared/format.ts';
import { type ChangeFilter, useAddressFilter } from '#ui/address-filter.ts';
import { CallError, call, type Reply } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Page } from '#ui/page.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { writeTexts } from '#ui/search-params.ts';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { useHydrated } from '#ui/use-hydrated.tsx';
import { ErrorRow, SHOWN_TYPES, TYPE_WORDS, times } from './error-row.tsx';

type Asked = { type: ErrorType | null; q: string };

const FOLLOW_MS = 30_000;

/** Refetched twice per minute while the page is visible. */
const errorsQuery = (token: string | null, { type, q }: Asked) =>
  infiniteQueryOptions({
    queryKey: ['error-logs', token, type, q],
    enabled: token !== null,
    queryFn: ({ pageParam, signal }) =>
      call(
        listErrors,
        { query: { ...(type ? { type } : {}), ...(q ? { q } : {}), ...(pageParam ? { before: pageParam } : {}) } },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: FOLLOW_MS,
  });

type Counts = Reply<typeof listErrors>['counts'];

/** Errors and occurrences per type. */
function TypeTiles({ counts }: { counts: Counts | undefined }) {
  return (
    <dl aria-label="Errors by type" className="mb-3 grid grid-cols-2 gap-3 md:grid-cols-4">
      {SHOWN_TYPES.map((type) => (
        <Tile key={type} name={TYPE_WORDS[type].many} tally={counts?.[type]} />
      ))}
    </dl>
  );
}

function Tile({ name, tally }: { name: string; tally: Tally | undefined }) {
  return (
    <div className="card px-4 py-3">
      <dt className="text-sm font-medium text-ink-2">{name}</dt>
      <dd className="num">
        <span className="text-2xl font-semibold tracking-[-0.025em]">{tally ? grouped(tally.errors) : '–'}</span>{' '}
        <span className="label">{tally && tally.times > 0 ? `seen ${times(tally.times)}` : ''}</span>
      </dd>
    </div>
  );
}

const FAILED = 'Failed to load error logs. Please try again.';

function parse(params: URLSearchParams): Asked {
  const type = SHOWN_TYPES.find((each) => each === params.get('type')) ?? null;
  return { type, q: (params.get('q') ?? '').slice(0, LONGEST_SEARCH) };
}

const write = (params: URLSearchParams, { type, q }: Asked) => writeTexts(params, { type, q });

/** An error may move to another page between requests. */
const onceEach = (errors: readonly ErrorLog[]): ErrorLog[] => [
  ...new Map(errors.map((error) => [error.id, error])).values(),
];

type Props = {
  /** Shown to signed-out users and to non-administrators: the server decides which. */
  signedOut: ReactNode;
  forbidden: ReactNode;
};

/** Grouped errors, for administrators. */
export function ErrorLogs({ signedOut, forbidden }: Props) {
  const token = useToken();
  const isHydrated = useHydrated();
  const [asked, change] = useAddressFilter(parse, write);
  const query = useInfiniteQuery(errorsQuery(token, asked));
  const status = query.error instanceof CallError ? query.error.status : null;
  if ((token === null && isHydrated) || status === 401) return signedOut;
  if (status === 403) return forbidden;
  const counts = query.data?.pages[0]?.counts;
  return (
    <Page
      title="Error Logs"
      lead="Identical errors are grouped with a count. Resolved errors reopen if they recur and are removed after 30 days without activity."
    >
      <TypeTiles counts={counts} />
      <Filter asked={asked} counts={counts} change={change} busy={query.isFetching} onRefresh={query.refetch} />
      <section aria-label="Errors" className="card flex min-h-96 flex-col">
        <QueryView
          query={query}
          failed={FAILED}
          loading={<Loading />}
          isEmpty={({ pages }) => pages[0]?.errors.length === 0}
          empty={<Empty title="No Errors Found" note={emptyNote(asked, counts)} />}
        >
          {({ pages }) => <List errors={onceEach(pages.flatMap(({ errors }) => errors))} query={query} />}
        </QueryView>
      </section>
    </Page>
  );
}

function emptyNote({ type, q }: Asked, counts: Counts | undefined): string {
  if (q) return 'No errors match your search.';
  return type && counts && counts.all.errors > 0
    ? `No ${TYPE_WORDS[type].many} errors; other types have some.`
    : 'Errors appear here.';
}

type FilterProps = {
  asked: Asked;
  counts: Counts | undefined;
  change: ChangeFilter<Asked>;
  busy: boolean;
  onRefresh: () => unknown;
};

function Filter({ asked, counts, change, busy, onRefresh }: FilterProps) {
  return (
    <div role="search" className="card mb-3 flex flex-wrap items-center gap-2 p-3">
      <SearchBox
        label="Search errors"
        placeholder="Search errors..."
        value={asked.q}
        longest={LONGEST_SEARCH}
        onSearch={(q) => change({ q })}
      />
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Type</legend>
        {([null, ...SHOWN_TYPES] as const).map((type) => (
          <Button
            key={type ?? 'all'}
            className="max-sm:h-10"
            aria-pressed={type === asked.type}
            onClick={() => change({ type })}
          >
            {type === null ? 'All' : TYPE_WORDS[type].many}
            <span className="num min-w-4 text-ink-3">{counts && grouped(counts[type ?? 'all'].errors)}</span>
          </Button>
        ))}
      </fieldset>
      <Button className="ml-auto max-sm:h-10" aria-disabled={busy} onClick={() => !busy && onRefresh()}>
        <RotateCw className={cx('size-3.5', busy && 'animate-spin')} aria-hidden="true" />
        Refresh
      </Button>
    </div>
  );
}

type ListProps = {
  errors: readonly ErrorLog[];
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; isRefetchError: boolean; fetchNextPage: () => unknown };
};

function List({ errors, query }: ListProps) {
  const queries = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const onResolved = async () => {
    await queries.invalidateQueries({ queryKey: ['error-logs'] });
    // Its row, which had the focus, is gone.
    list.current?.focus();
  };
  return (
    <>
      {query.isRefetchError && (
        <p role="alert" className="border-b border-line px-4 py-2 text-sm text-down">
          Couldn’t refresh the list. It may be out of date.
        </p>
      )}
      <ul ref={list} tabIndex={-1} className="outline-none">
        {errors.map((error) => (
          <ErrorRow key={error.id} error={error} onResolved={onResolved} />
        ))}
      </ul>
      {query.hasNextPage && (
        <div className="border-t border-line px-4 py-3 text-center">
          <Button
            className="max-sm:h-10"
            aria-disabled={query.isFetchingNextPage}
            onClick={() => !query.isFetchingNextPage && query.fetchNextPage()}
          >
            {query.isFetchingNextPage ? 'Loading...' : 'Load more'}
          </Button>
        </div>
      )}
    </>
  );
}

function Loading() {
  return (
    <div className="grid gap-3 px-4 py-3">
      <output className="sr-only">Loading error logs</output>
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
    </div>
  );
}
