import type { LandingModel } from '#app/render.ts';
import type { SourceHealth } from '#features/market/contract/market.ts';
import { dateTime, price } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';

import { sourceName, WIDTH } from './page.tsx';
import { APART, More, SectionHead, Waiting } from './section.tsx';

const METHODS = { measured: 'Measured', computed: 'Computed', default: 'Default', demo: 'Demo market' } as const;
const at = (iso: string): string => dateTime(Date.parse(iso));

/** One large number with its provenance, and the sources of the others. */
export function ProvenanceSection({ model }: { model: LandingModel }) {
  return (
    <section aria-labelledby="provenance" className={cx(WIDTH, APART)}>
      <SectionHead id="provenance" title="No number without its birth certificate." isWide>
        <p>
          Select any figure to see where it was observed, when it was fetched and when it goes stale. When a source
          fails, another takes over, and the page says which.
        </p>
        <More href="/app/sources">See every source</More>
      </SectionHead>
      <Certificate model={model} />
      <Sources sources={model.sources} />
    </section>
  );
}

function Certificate({ model }: { model: LandingModel }) {
  const [row] = model.top;
  if (!row)
    return (
      <div className="mt-12">
        <Waiting>Collecting the first prices.</Waiting>
      </div>
    );
  const { source, method, observedAt, fetchedAt, staleAfter } = row.meta;
  const lines = [
    ['Source', sourceName(model, source)],
    ['Method', METHODS[method]],
    ['Observed', at(observedAt)],
    ['Fetched', at(fetchedAt)],
    ['Stale after', at(staleAfter)],
  ] as const;
  return (
    <figure className="num mt-12">
      <p className="text-[44px] leading-[1.02] font-semibold tracking-[-0.045em] underline decoration-ink-3 decoration-dotted decoration-2 underline-offset-8 sm:text-[72px]">
        {price(row.price)}
      </p>
      <figcaption className="mt-5 text-[15px] text-ink-3">{row.name} in US dollars, at render time</figcaption>
      <dl className="mt-6 grid grid-cols-2 gap-x-6 gap-y-3 border-t border-line pt-4 lg:grid-cols-5">
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-ink-3">{name}</dt>
            <dd className="text-sm font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}

const STATES: Record<SourceHealth['state'], { words: string; dot: string }> = {
  ok: { words: 'online', dot: 'bg-up' },
  stale: { words: 'stale', dot: 'bg-warn' },
  rate_limited: { words: 'rate-limited', dot: 'bg-warn' },
  down: { words: 'down', dot: 'bg-warn' },
  refused_region: { words: 'blocked in this region', dot: 'bg-line-strong' },
  key_missing: { words: 'missing a key', dot: 'bg-line-strong' },
  waiting: { words: 'on standby', dot: 'bg-line-strong' },
  unknown: { words: 'not recorded', dot: 'bg-line-strong' },
};

/** Every source by name, including those that are offline. */
function Sources({ sources }: { sources: SourceHealth[] | undefined }) {
  if (!sources?.length) return null;
  const answering = sources.filter(({ state }) => state === 'ok').length;
  return (
    <figure className="mt-12 border-t border-line pt-4">
      <figcaption className="num text-sm text-ink-3">
        {answering} of {sources.length} sources online
      </figcaption>
      <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {sources.map(({ id, name, state }) => (
          <li key={id} className="flex items-center gap-1.5">
            <span className={cx('size-1.5 shrink-0 rounded-full', STATES[state].dot)} aria-hidden="true" />
            {name}
            <span className={state === 'ok' ? 'sr-only' : 'text-ink-3'}>{STATES[state].words}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
