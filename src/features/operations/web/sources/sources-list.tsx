import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SourceDetail, SourceList } from '#features/operations/contract/sources.ts';
import { age, dateTime } from '#shared/format.ts';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { Fresh } from '#ui/fresh.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { sourcesQuery } from './queries.ts';
import { inOrder, STATES, summary } from './states.ts';

const COLUMNS = 'items-start gap-x-5 px-4 source-columns';

const KEYS: Record<SourceDetail['key'], string> = {
  none: 'No key needed',
  optional: 'Key optional',
  required: 'Key required',
};

function rateTone(rate: number): string {
  if (rate >= 99) return 'text-ink';
  return rate >= 90 ? 'text-warn' : 'text-down';
}

function Record({ of, name }: { of: SourceDetail['day']; name: string }) {
  return (
    <Field name={name}>
      {of.success_rate === null ? (
        <span className="text-ink-3">No calls</span>
      ) : (
        <span title={`${of.calls} calls`}>
          <span className={cx('font-medium', rateTone(of.success_rate))}>{of.success_rate.toFixed(1)}%</span>
          <span className="text-ink-3">
            {' · '}
            {of.latency_ms === null ? '–' : `${Math.round(of.latency_ms)} ms`}
          </span>
        </span>
      )}
    </Field>
  );
}

/** A row on a wide screen, a card on a phone where each line has its own label. */
function SourceItem({ source }: { source: SourceDetail }) {
  const { words, dot, text } = STATES[source.state];
  return (
    <li className={cx(COLUMNS, 'grid gap-2 border-t border-line py-3 text-sm first:border-t-0')}>
      <div className="min-w-0">
        <h3 className="font-semibold">
          <a
            href={source.homepage}
            rel="noreferrer"
            target="_blank"
            className="inline-flex min-h-6 items-center gap-1.5 hover:underline"
          >
            {source.name}
            <ExternalLink className="size-3 text-ink-3" aria-hidden="true" />
            <span className="sr-only">(opens in a new tab)</span>
          </a>
        </h3>
        <p className="text-xs text-ink-2">{source.gives}</p>
        <p className="label truncate">{source.host}</p>
      </div>
      <div className="min-w-0">
        <p className={cx('flex items-center gap-2 font-medium', text)}>
          <span className={cx('size-1.5 shrink-0 rounded-full', dot)} aria-hidden="true" />
          <span className="sr-only">State: </span>
          {words}
        </p>
        {source.note && <p className="mt-0.5 text-xs text-ink-2">{source.note}</p>}
      </div>
      <dl className="num grid gap-1 xl:contents">
        <LastSuccess at={source.lastSuccessAt} />
        <Record of={source.day} name="24 hours" />
        <Record of={source.month} name="30 days" />
        <Field name="License" wide>
          <span className="text-xs text-ink-2">{source.licence}</span>
          <span className="label mt-0.5 block">
            {source.attribution ? `“${source.attribution}” · ` : ''}
            {KEYS[source.key]}
          </span>
        </Field>
      </dl>
    </li>
  );
}

function LastSuccess({ at }: { at: string | null }) {
  const now = useNow();
  return (
    <Field name="Last success">
      {at === null ? (
        <span className="text-ink-3">Not yet</span>
      ) : (
        <time title={dateTime(Date.parse(at))}>{age(now - Date.parse(at))}</time>
      )}
    </Field>
  );
}

function Field({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={cx('flex gap-x-4 xl:block', wide ? 'flex-col' : 'justify-between')}>
      <dt className={cx('label xl:sr-only', !wide && 'self-center')}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const CARD = { id: 'sources', title: 'Sources', className: 'min-h-dvh' };
const STALE_MS = 300_000;
const HEADS = ['Source', 'State', 'Last success', '24 hours', '30 days', 'License and attribution'] as const;

export function SourcesList() {
  const query = useQuery(sourcesQuery);
  return (
    <QueryView
      query={query}
      card={CARD}
      failed="Failed to load the data sources"
      isEmpty={({ sources }) => sources.length === 0}
      empty={<Empty title="No data sources yet" note="The first collection has not started yet." />}
    >
      {(data) => <Loaded data={data} />}
    </QueryView>
  );
}

function Loaded({ data }: { data: SourceList }) {
  const at = Date.parse(data.timestamp);
  return (
    <Card {...CARD} title={summary(data.sources)} note={<Fresh observedAt={at} staleAfter={at + STALE_MS} />}>
      {data.dataMode === 'demo' && (
        <p className="mx-4 mb-2 rounded-ctl bg-warn/10 px-3 py-1.5 text-xs font-medium text-warn">
          Demo data: the built-in sandbox replaces every source.
        </p>
      )}
      <div className={cx(COLUMNS, 'label hidden h-8 xl:items-center xl:grid')} aria-hidden="true">
        {HEADS.map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      <ul className="border-t border-line">
        {inOrder(data.sources).map((source) => (
          <SourceItem key={source.id} source={source} />
        ))}
      </ul>
    </Card>
  );
}
