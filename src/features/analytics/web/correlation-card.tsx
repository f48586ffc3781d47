import { useQuery } from '@tanstack/react-query';
import type { Matrix } from '#features/analytics/contract.ts';
import { hasOrigin } from '#shared/figures.ts';
import { dateTime } from '#shared/format.ts';
import { useAddressChoice } from '#ui/address-filter.ts';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { Figure } from '#ui/figure.tsx';
import { newestObservation } from '#ui/figure-age.ts';
import { Fresh } from '#ui/fresh.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Empty } from '#ui/states.tsx';
import { ScrollBox } from './parts.tsx';
import { matrixQuery, toDays, WINDOWS } from './queries.ts';
import { ratio } from './view.ts';

type Pair = Matrix['pairs'][number][number];

export const DEFAULT_WORDS = 'default, not measured';
const COUNTS = ['5 assets', '20 assets'] as const;

/** Number of assets in the matrix. */
export const useMatrixSize = () => useAddressChoice('matrix', COUNTS);

export function CorrelationCard() {
  const [window, setWindow] = useAddressChoice('correlation', WINDOWS, '90d');
  const [count, setCount] = useMatrixSize();
  const query = useQuery(matrixQuery(toDays(window), count === '5 assets' ? '5' : '20'));
  const newest = query.data && newestObservation(query.data.pairs.flat().map(({ meta }) => meta));
  return (
    <Card
      id="correlation"
      title="Correlation Matrix"
      className="min-h-96"
      note={newest && <Fresh {...newest} />}
      action={
        <>
          <Segmented label="Matrix assets" value={count} options={COUNTS} onChange={setCount} />
          <Segmented label="Return window" value={window} options={WINDOWS} onChange={setWindow} />
        </>
      }
    >
      <QueryView
        query={query}
        loading={
          <div className="flex flex-1 p-4 pt-1">
            <output className="sr-only">Loading Correlation Matrix</output>
            <div className="skel flex-1" />
          </div>
        }
        failed="Failed to load the correlation matrix"
        isEmpty={({ assets }) => assets.length === 0}
        empty={<Empty title="No correlation data available" note="Data collection is in progress..." />}
      >
        {(data) => <HeatMap data={data} />}
      </QueryView>
    </Card>
  );
}

/** Blue for positive, amber for negative, darker with strength; unmeasured pairs are grey. */
function ground({ value, method }: Pair): string {
  if (method === 'default') return 'var(--raised)';
  const share = Math.round(Math.min(1, Math.abs(value)) * 50);
  return `color-mix(in srgb, var(--${value < 0 ? 'warn' : 'accent'}) ${share}%, var(--surface))`;
}

function cellTitle(row: string, column: string, { value, method, days, meta }: Pair): string {
  const pair = row === column ? `${row} with itself` : `${row} and ${column}`;
  if (method === 'default') return `${pair}: ${ratio(value)}, ${DEFAULT_WORDS}`;
  const from = hasOrigin(meta) ? `, ${meta.source}, ${dateTime(Date.parse(meta.observedAt))}` : '';
  return `${pair}: ${ratio(value)} over ${days} daily returns${from}`;
}

function HeatMap({ data }: { data: Matrix }) {
  const { assets, pairs } = data;
  const many = assets.length > 5;
  const defaults = pairs.flat().filter(({ method }) => method === 'default').length / 2;
  return (
    <div className="flex flex-1 flex-col">
      <ScrollBox label="Correlation of each pair">
        <table
          className="num grid gap-px text-center"
          style={{ gridTemplateColumns: `auto repeat(${assets.length}, minmax(${many ? '2.75rem' : '3rem'}, 1fr))` }}
        >
          <caption className="sr-only">Correlation of daily log returns over {data.days} days, −1 to 1</caption>
          <thead className="contents">
            <tr className="contents">
              <th scope="col">
                <span className="sr-only">Asset</span>
              </th>
              {assets.map((asset) => (
                <th key={asset} scope="col" className="label self-center py-1">
                  {asset}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="contents">
            {assets.map((row, i) => (
              <tr key={row} className="contents">
                <th scope="row" className="label self-center pr-2 text-left">
                  {row}
                </th>
                {assets.map((column, j) => {
                  const pair = pairs[i]?.[j];
                  return pair && <Cell key={column} row={row} column={column} pair={pair} many={many} />;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <p className="label mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-4">
        <Swatch tone="var(--accent)">Positive</Swatch>
        <Swatch tone="var(--warn)">Negative</Swatch>
        {defaults > 0 && (
          <span>
            {defaults} {defaults === 1 ? 'pair is' : 'pairs are'} gray: {DEFAULT_WORDS}
          </span>
        )}
      </p>
    </div>
  );
}

function Swatch({ tone, children }: { tone: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span
        className="size-2 rounded-[2px]"
        style={{ background: `color-mix(in srgb, ${tone} 50%, var(--surface))` }}
        aria-hidden="true"
      />
      {children}
    </span>
  );
}

type CellProps = { row: string; column: string; pair: Pair; many: boolean };

function Cell({ row, column, pair, many }: CellProps) {
  const { value, method } = pair;
  const isDefault = method === 'default';
  const title = cellTitle(row, column, pair);
  return (
    <td
      title={title}
      style={{ background: ground(pair) }}
      className={cx(
        'grid place-items-center rounded-[2px]',
        many ? 'min-h-8 text-2xs' : 'min-h-12 text-sm font-semibold',
        isDefault && 'text-ink-3',
      )}
    >
      {many || row === column ? (
        ratio(value)
      ) : (
        <Figure meta={pair.meta} name={`Correlation of ${row} and ${column}`}>
          {ratio(value)}
        </Figure>
      )}
      {isDefault && <span className={many ? 'sr-only' : 'label'}>{many ? DEFAULT_WORDS : 'default'}</span>}
    </td>
  );
}
