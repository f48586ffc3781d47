import { Card } from '#web/ui/card.tsx';

import type { PoolComparison } from '../contract.ts';
import { RecordFigure } from './record-figure.tsx';
import { count, HORIZON_WORDS, providerName, score, share } from './words.ts';

const LEVEL = 0.05;
const HEAD = 'label pb-1 text-right font-medium';

/** Why the consensus counts everyone alike: what weights by the past would have made of the same calls. */
export function PoolCard({ pools, at }: { pools: readonly PoolComparison[]; at: string }) {
  return (
    <Card id="pool" title="Why the consensus counts everyone alike">
      <p className="max-w-[72ch] px-4 pb-3 text-sm text-ink-2">
        The same calls, pooled with equal weights and with weights learned from what had been graded before each week.
        Weights would be used only where they are better by more than chance explains, and would start a new track.
      </p>
      <div className="grid gap-3 px-4 pb-5">
        <table className="num w-full text-sm">
          <caption className="sr-only">Equal weights against weights by the past, Brier score, lower is better</caption>
          <thead>
            <tr>
              {['Horizon', 'Equal', 'Weighted', 'p better', 'Dates', 'Calls'].map((head, i) => (
                <th key={head} scope="col" className={i === 0 ? 'label pb-1 text-left font-medium' : HEAD}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="[&_td]:h-8 [&_td]:border-t [&_td]:border-line [&_td]:text-right [&_th]:border-t [&_th]:border-line">
            {pools.map((pool) => (
              <Row key={pool.horizon} pool={pool} at={at} />
            ))}
          </tbody>
        </table>
        <dl className="grid gap-2 text-xs text-ink-2 [&_dt]:label">
          {pools
            .filter(({ weights }) => weights.length > 0)
            .map(({ horizon, weights }) => (
              <div key={horizon}>
                <dt>{HORIZON_WORDS[horizon]}, the weights would be</dt>
                <dd className="num">
                  {weights.map(({ provider, weight }) => `${providerName(provider)} ${share(weight)}`).join(', ')}
                </dd>
              </div>
            ))}
        </dl>
      </div>
    </Card>
  );
}

function Row({ pool, at }: { pool: PoolComparison; at: string }) {
  const { horizon, n, dates, brier_equal: equal, brier_weighted: weighted, p_better: p } = pool;
  const of = HORIZON_WORDS[horizon];
  return (
    <tr>
      <th scope="row" className="text-left font-semibold whitespace-nowrap">
        {of}
      </th>
      <td>
        <RecordFigure metric="record.brier" name={`Brier score of the consensus, ${of}`} at={at} text={score(equal)} />
      </td>
      <td>
        <RecordFigure metric="record.pool" name={`Weighted consensus, ${of}`} at={at} text={score(weighted)} />
      </td>
      <td className="whitespace-nowrap">
        {p === null ? 'too early' : `${p.toFixed(3)}${p < LEVEL ? ', better' : ''}`}
      </td>
      <td className="text-ink-2">{count(dates)}</td>
      <td className="text-ink-2">{count(n)}</td>
    </tr>
  );
}
