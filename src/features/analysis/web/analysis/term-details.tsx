import type { AiAnalysis, ProviderOpinion } from '#features/analysis/contract/analysis.ts';
import type { Probabilities } from '#features/analysis/contract/predictions.ts';
import { grouped, rangeText } from '#shared/format.ts';
import { recalibrated } from '#shared/recalibration.ts';
import { cx } from '#ui/cx.ts';
import { Split } from '#ui/micro.tsx';
import { agreement, CONSENSUS, confidenceTone, DIR, percents, type RecordCell, type TERMS, WORD } from './labels.ts';
import { Mark } from './mark.tsx';
import { LongText } from './opinion-card.tsx';

/** Probability of each outcome; in the order of the scale, down on the left. */
export function Chances({ of, className }: { of: Probabilities; className?: string }) {
  const { up, flat, down } = percents(of);
  return (
    <div className={cx('min-w-0', className)}>
      <Split
        pieces={[
          { name: 'down', size: of.down, tone: 'bg-down' },
          { name: 'flat', size: of.flat, tone: 'bg-ink-3/50' },
          { name: 'up', size: of.up, tone: 'bg-up' },
        ]}
      />
      <p className="label num mt-1 flex justify-between gap-2 whitespace-nowrap">
        <span>Down {down}%</span>
        <span>Flat {flat}%</span>
        <span>Up {up}%</span>
      </p>
    </div>
  );
}

const REASONING = 300;
const CONSENSUS_REASONING = 400;
const KEY_INFLUENCES = 3;
const KEY_FACTORS = 6;
const RISK_FACTORS = 2;

type Props = {
  term: (typeof TERMS)[number];
  analysis: AiAnalysis;
  opinions: readonly ProviderOpinion[];
  cells: readonly RecordCell[] | undefined;
};

/** Reasons: each analyst's view of one horizon, its basis and its risks. */
export function TermDetails({ term, analysis, opinions, cells }: Props) {
  const consensus = analysis[term.key];
  const record = cells?.find(({ provider, horizon }) => provider === CONSENSUS && horizon === term.horizon);
  const factors = consensus.key_factors.length > 0 ? consensus.key_factors : consensus.factors_analyzed;
  return (
    <div className="grid gap-x-6 gap-y-4 pt-1 pb-4 @[38rem]:grid-cols-[minmax(0,1fr)_14rem]">
      <div className="grid min-w-0 content-start gap-3">
        <LongText
          text={consensus.reasoning}
          limit={CONSENSUS_REASONING}
          of={`the consensus, ${term.name.toLowerCase()}`}
          className="text-xs text-ink-2"
        />
        <PriceRanges term={term} analysis={analysis} cells={cells} />
        <Corrected said={consensus.probabilities} by={record?.n ? record.recalibrated : null} />
        {opinions.length === 0 ? (
          <p className="rounded-ctl bg-raised px-3 py-2.5 text-xs text-ink-2">
            Individual AI predictions not available for this timeframe
          </p>
        ) : (
          <ul
            aria-label={`${term.name}, by analyst`}
            className="grid gap-px overflow-hidden rounded-ctl border border-line bg-line"
          >
            {opinions.map((opinion) => (
              <View key={opinion.id} opinion={opinion} term={term} />
            ))}
          </ul>
        )}
      </div>
      <div className="grid min-w-0 content-start gap-4 sm:max-lg:grid-cols-2">
        <List title="Key factors" of={factors.slice(0, KEY_FACTORS)} />
        <List title="Risk factors" of={consensus.risk_factors.slice(0, RISK_FACTORS)} />
        <p className="label sm:max-lg:col-span-2">
          {agreement(analysis.dispersion[term.horizon])}. Graded after {term.graded}, against the price at that minute.
        </p>
      </div>
    </div>
  );
}

/** Price ranges at the end of the horizon, and the hit rate of earlier ones. */
function PriceRanges({ term, analysis, cells }: Pick<Props, 'term' | 'analysis' | 'cells'>) {
  const own = analysis.ranges.filter(({ horizon }) => horizon === term.horizon);
  const [first] = own;
  if (!first) return null;
  const name = analysis.providers[first.provider]?.name ?? first.provider;
  const held = cells?.find(({ provider, horizon }) => provider === first.provider && horizon === term.horizon)?.ranges;
  return (
    <table className="num w-full text-xs">
      <caption className="pb-1 text-left text-ink-2">
        <b className="font-semibold text-ink">Price {term.graded} after the call</b>: {name}.{' '}
        {cells &&
          (held
            ? `80% ranges held ${(100 * held.coverage_80).toFixed(1)}% of ${grouped(held.n)} times.`
            : 'No range graded yet.')}
        {term.horizon === '180d' && ' Not yet proven at 180 days.'}
      </caption>
      <thead className="text-ink-3">
        <tr className="[&>th]:pb-0.5 [&>th]:font-medium">
          <th scope="col" className="text-left">
            Coin
          </th>
          <th scope="col" className="text-right">
            80% range
          </th>
          <th scope="col" className="text-right max-sm:hidden">
            95% range
          </th>
        </tr>
      </thead>
      <tbody className="[&_td]:h-6 [&_td]:border-t [&_td]:border-line [&_td]:text-right [&_td]:whitespace-nowrap [&_th]:border-t [&_th]:border-line">
        {own.map(({ crypto_symbol: coin, range_80, range_95 }) => (
          <tr key={coin}>
            <th scope="row" className="text-left font-semibold">
              {coin}
            </th>
            <td>{rangeText(range_80)}</td>
            <td className="text-ink-2 max-sm:hidden">{rangeText(range_95)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The consensus as issued, beside its recalibrated version. */
function Corrected({ said, by }: { said: Probabilities; by: RecordCell['recalibrated'] }) {
  if (!by) return <Chances of={said} className="max-w-sm @[47rem]:hidden" />;
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
      <div>
        <dt className="label pb-1">As forecast</dt>
        <dd>
          <Chances of={said} />
        </dd>
      </div>
      <div title="Each probability corrected by how earlier consensus probabilities turned out (Platt scaling, fitted weekly)">
        <dt className="label pb-1">Recalibrated by track record</dt>
        <dd>
          <Chances of={recalibrated(said, by.map)} />
        </dd>
      </div>
    </dl>
  );
}

function View({ opinion, term }: { opinion: ProviderOpinion; term: Props['term'] }) {
  const { name, letter, built_in, [term.key]: own } = opinion;
  const influences = own.key_factors.slice(0, KEY_INFLUENCES);
  return (
    <li className={cx('px-3 py-2.5', built_in ? 'bg-raised' : 'bg-surface')}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <Mark letter={letter} builtIn={built_in} />
        <h4 className="text-sm font-semibold">{name}</h4>
        <span className="change text-sm" data-dir={DIR[own.market_direction]}>
          {WORD[own.market_direction]}
        </span>
        <span className={cx('num text-xs font-semibold', confidenceTone(own.confidence))}>
          {Math.round(own.confidence)}%<span className="sr-only"> confidence</span>
        </span>
        <Chances of={own.probabilities} className="w-full sm:ml-auto sm:w-48" />
      </div>
      <div className="mt-1.5 grid gap-x-5 gap-y-1.5 text-xs text-ink-2 md:grid-cols-2">
        <LongText text={own.reasoning} limit={REASONING} of={`${name}, ${term.name.toLowerCase()}`} />
        {influences.length > 0 && (
          <div className="min-w-0">
            <h5 className="label">Key influences</h5>
            <ul className="mt-0.5 list-disc pl-4">
              {influences.map((text) => (
                <li key={text} className="break-words">
                  {text}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </li>
  );
}

function List({ title, of }: { title: string; of: readonly string[] }) {
  return (
    <div className="min-w-0">
      <h4 className="text-xs font-semibold">{title}</h4>
      {of.length === 0 ? (
        <p className="mt-1 text-xs text-ink-3">None listed.</p>
      ) : (
        <ul className="mt-1 list-disc pl-4 text-xs text-ink-2 marker:text-ink-3">
          {of.map((text) => (
            <li key={text} className="break-words">
              {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
