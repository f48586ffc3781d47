import { useQuery } from '@tanstack/react-query';
import type { RiskRow } from '#features/analytics/contract.ts';
import { useAddressChoice } from '#ui/address-filter.ts';
import { Card } from '#ui/card.tsx';
import { CoinMark } from '#ui/coin-mark.tsx';
import { Explained } from '#ui/explained.tsx';
import { Figure } from '#ui/figure.tsx';
import { newestObservation } from '#ui/figure-age.ts';
import { Fresh } from '#ui/fresh.tsx';
import { part } from '#ui/part.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Empty } from '#ui/states.tsx';
import { BODY, HEAD, ScrollBox } from './parts.tsx';
import { riskQuery, toDays, WINDOWS } from './queries.ts';
import { ratio } from './view.ts';

const TermText = part<{ metric: string }>({
  name: 'The glossary',
  load: async () => (await import('./term-text.tsx')).TermText,
  loading: <div className="skel m-4 h-16" />,
});

/** A technical term with its explanation. */
const Term = ({ metric, children }: { metric: string; children: string }) => (
  <Explained words="What it means:" className="underline" answer={<TermText metric={metric} />}>
    {children}
  </Explained>
);

const percent = (value: number) => `${ratio(value, 1)}%`;
type Key = 'annualised_volatility' | 'sharpe' | 'sortino' | 'max_drawdown' | 'beta_btc';
const COLUMNS: readonly (readonly [key: Key, name: string, text: (value: number) => string])[] = [
  ['annualised_volatility', 'Annualized volatility', percent],
  ['sharpe', 'Sharpe', ratio],
  ['sortino', 'Sortino', ratio],
  ['max_drawdown', 'Max drawdown', percent],
  ['beta_btc', 'Beta to BTC', ratio],
];

export function RiskCard() {
  const [window, setWindow] = useAddressChoice('risk', WINDOWS, '365d');
  const query = useQuery(riskQuery(toDays(window)));
  const newest = query.data && newestObservation(query.data.risk.flatMap(({ meta }) => Object.values(meta)));
  return (
    <Card
      id="risk"
      title="Risk"
      className="min-h-56"
      note={newest && <Fresh {...newest} />}
      action={<Segmented label="Risk window" value={window} options={WINDOWS} onChange={setWindow} />}
    >
      <QueryView
        query={query}
        loading={
          <div className="flex flex-1 p-4 pt-1">
            <output className="sr-only">Loading Risk</output>
            <div className="skel flex-1" />
          </div>
        }
        failed="Failed to load risk figures"
        isEmpty={({ risk }) => risk.length === 0}
        empty={<Empty title="No risk figures available" note="Data collection is in progress..." />}
      >
        {({ risk }) => <RiskTable rows={risk} />}
      </QueryView>
    </Card>
  );
}

function RiskTable({ rows }: { rows: readonly RiskRow[] }) {
  const [first] = rows;
  return (
    <ScrollBox label="Risk of each asset">
      <table className="num w-full text-sm">
        <caption className="sr-only">Risk of each asset, from daily closes</caption>
        <thead>
          <tr>
            <th scope="col" className="label pb-1 text-left font-medium">
              Asset
            </th>
            {COLUMNS.map(([key, name]) => (
              <th key={key} scope="col" className={HEAD}>
                <Term metric={first?.meta[key]?.metric ?? key}>{name}</Term>
              </th>
            ))}
            <th scope="col" className={HEAD}>
              Days
            </th>
          </tr>
        </thead>
        <tbody className={BODY}>
          {rows.map((row) => (
            <tr key={row.asset}>
              <th scope="row" className="text-left font-semibold">
                <span className="flex items-center gap-2">
                  <CoinMark symbol={row.asset} size={18} />
                  {row.asset}
                </span>
              </th>
              {COLUMNS.map(([key, name, text]) => {
                const value = row[key];
                return (
                  <td key={key} className="pl-3">
                    <Figure meta={row.meta[key]} name={`${name}, ${row.asset}`}>
                      {value !== null && text(value)}
                    </Figure>
                  </td>
                );
              })}
              <td className="pl-3 text-ink-3">{row.days}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="label pt-3">
        From simple daily returns of closing prices, with a risk-free rate of 2% per year. Past risk is no guarantee.
      </p>
    </ScrollBox>
  );
}
