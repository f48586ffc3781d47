import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import type { Backtest, PoolComparison } from '#features/analysis/contract/predictions.ts';
import { BRAND } from '#shared/brand.ts';
import { grouped } from '#shared/format.ts';
import { STAND_IN_NOTE, standInName } from '#shared/stand-ins.ts';
import { useAddressText } from '#ui/address-filter.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { CardFrame, type CardPlace } from '#ui/card-frame.tsx';
import { LazyMount } from '#ui/lazy-mount.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { Calls } from './calls.tsx';
import { CellCard } from './cell-card.tsx';
import { CoinRangesCard } from './coin-ranges-card.tsx';
import { LedgerCard } from './ledger-card.tsx';
import { backtestQuery } from './queries.ts';
import { RecordFigure } from './record-figure.tsx';
import { ReplayCard, Sentences } from './replay-card.tsx';
import { SkillGrid } from './skill-grid.tsx';
import { cellKey, HORIZON_WORDS, providerName, pValue, score, share } from './verdict-text.tsx';

const HEAD = 'label pb-1 text-right font-medium';

/** Equal weights compared with weights by past losses on the same calls, and where the consensus uses the latter. */
function PoolCard({ pools, at }: { pools: readonly PoolComparison[]; at: string }) {
  return (
    <Card
      id="pool"
      title={pools.some(({ used }) => used) ? 'How the Consensus Is Weighted' : 'Why the Consensus Uses Equal Weights'}
    >
      <p className="max-w-[72ch] px-4 pb-3 text-sm text-ink-2">
        The same calls, pooled with equal weights and with weights learned from results graded before each week. Learned
        weights are used only where they are significantly better: 60 independent windows and p below 0.05 after Holm’s
        correction. The consensus then starts a new track.
      </p>
      <div className="grid gap-3 px-4 pb-5">
        <table className="num w-full text-sm">
          <caption className="sr-only">Brier score of equal and learned weights, lower is better</caption>
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
            .map(({ horizon, used, weights }) => (
              <div key={horizon}>
                <dt>
                  {HORIZON_WORDS[horizon]}, {used ? 'the weights in use' : 'the weights would be'}
                </dt>
                <dd className="num">
                  {weights.map((each) => `${providerName(each)} ${share(each.weight)}`).join(', ')}
                </dd>
              </div>
            ))}
        </dl>
      </div>
    </Card>
  );
}

function Row({ pool, at }: { pool: PoolComparison; at: string }) {
  const { horizon, n, dates, brier_equal: equal, brier_weighted: weighted, p_better: p, used } = pool;
  const of = HORIZON_WORDS[horizon];
  return (
    <tr>
      <th scope="row" className="text-left font-semibold whitespace-nowrap">
        {of}
      </th>
      <td>
        <RecordFigure metric="record.brier" name={`Equally weighted consensus, ${of}`} at={at} text={score(equal)} />
      </td>
      <td>
        <RecordFigure metric="record.pool" name={`Weighted consensus, ${of}`} at={at} text={score(weighted)} />
      </td>
      <td className="whitespace-nowrap">{p === null ? 'too early' : `${pValue(p)}${used ? ', used' : ''}`}</td>
      <td className="text-ink-2">{grouped(dates)}</td>
      <td className="text-ink-2">{grouped(n)}</td>
    </tr>
  );
}

const STEPS: readonly (readonly [name: string, text: string])[] = [
  [
    'Calls',
    'For each asset and horizon, a model gives the probabilities of up, flat and down. They are frozen with the current price, volatility, flat band, baselines and any ranges; calls more than five minutes old are refused. If a model gives only a direction and a confidence, the remainder is split by base rates and the call is marked as imputed.',
  ],
  [
    'Outcomes',
    'The log return from issue to horizon (24 hours, 7, 28 or 180 days). It is flat within ±0.43 times the trailing 30-day volatility, scaled to the horizon. Calls without a price close to the end of the horizon are void: counted and shown, never estimated.',
  ],
  [
    'Baselines',
    'Base rates: how often each outcome occurred over the past year. Persistence: what followed windows like the last one. Uniform: one third each. Always up. All use only data available when the call was issued.',
  ],
  [
    'Scores',
    'Brier over three classes, ranked probability, log score with p no less than 0.001, skill = 1 − Brier ÷ the lowest Brier of base rates, persistence and uniform, and the isotonic calibration curve (CORP). Ranges: coverage, and interval score against past-year quantiles. All are averages over graded calls.',
  ],
  [
    'Evidence',
    'Calls of one day share a market, so tests use issue dates as their unit. Independent windows do not overlap. Hit rates have Wilson intervals on those windows, Brier differences a block bootstrap over dates. Direction is tested separately (Pesaran–Timmermann); constant calls are not testable.',
  ],
  [
    'Verdicts',
    '“Ahead” and “behind” need 60 independent windows, and p below 0.05 in both a Diebold–Mariano test and a block bootstrap after Holm’s correction over every cell shown. “Ahead” means ahead of base rates, persistence and uniform, each tested. Otherwise the verdict is “No evidence”. At 28 and 180 days windows overlap too much for a test: “Too few independent windows”.',
  ],
  [
    'Consensus',
    'The equal-weighted mean of all models’ probabilities, frozen and graded as a track of its own. A recalibrated version (Platt scaling, fitted weekly on earlier calls) is shown next to it. Weights learned from past losses replace equal weights at a horizon once they are significantly better; the outlook then says so.',
  ],
  [
    'New models',
    'A new model starts a new track, and the old one stays on this page. Only the built-in analyst, which uses nothing but past prices, is also replayed; the result is shown separately.',
  ],
];

const BRIEF = { id: 'brief', title: 'The Record in Brief' };

/** The consensus and the built-in analyst, one sentence per horizon; else the track with the most evidence. */
function InBrief({ data }: { data: Backtest }) {
  const current = data.cells.filter((cell) => cell.current);
  const chosen = ['consensus', 'local'].filter((name) => current.some(({ provider }) => provider === name));
  const tracks = chosen.length > 0 ? chosen : [data.headline?.provider ?? current[0]?.provider];
  return (
    <Card {...BRIEF}>
      <div className="grid gap-x-8 gap-y-4 px-4 pb-4 lg:grid-cols-2">
        {tracks.map((provider) => {
          const cells = current.filter((cell) => cell.provider === provider);
          const [first] = cells;
          return (
            first && (
              <section key={provider} aria-label={providerName(first)} className="min-w-0">
                <h3 className="pb-1 text-sm font-semibold">{providerName(first)}</h3>
                <Sentences cells={cells} />
              </section>
            )
          );
        })}
      </div>
    </Card>
  );
}

function HowComputed() {
  return (
    <Card id="how" title="How This Is Computed">
      <dl className="grid gap-x-8 gap-y-4 px-4 pt-1 pb-5 text-sm md:grid-cols-2 xl:grid-cols-4">
        {STEPS.map(([name, text]) => (
          <div key={name}>
            <dt className="font-semibold">{name}</dt>
            <dd className="mt-0.5 text-ink-2">{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function LeagueCard() {
  return (
    <Card id="league" title="Open League">
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pb-4">
        <p className="min-w-0 max-w-[72ch] text-sm text-ink-2">
          Submit your own forecasts through the API: the same ledger and the same grading as {BRAND.name}’s own calls,
          with standings, a page and a badge for every forecaster.
        </p>
        <ButtonLink to="/app/track-record/league" kind="outline" className="h-9 px-3">
          Go to the league
        </ButtonLink>
      </div>
    </Card>
  );
}

const CELL = { id: 'cell', title: 'One Track', className: 'min-h-[49rem]' };
const RANGES = { id: 'coin-ranges', title: 'Daily Price Ranges of All Coins', className: 'min-h-60' };
const CALLS = { id: 'calls', title: 'All Calls and Outcomes', className: 'min-h-[34rem]' };
const LEDGER = { id: 'ledger', title: 'The Ledger', className: 'min-h-[34rem]' };

/** A card below the first screen. */
const Below = ({ card, children }: { card: CardPlace; children: ReactNode }) => (
  <LazyMount frame={<CardFrame {...card} />} className="min-w-0">
    {children}
  </LazyMount>
);

const BRIEF_SIZE = 'min-h-[17.5rem] max-sm:min-h-[33rem]';
const CARD = { id: 'skill', title: 'Skill Against the Best Baseline', className: 'min-h-dvh' };

/** The whole record: skill first, then calibration, then numbers and dates, then hit rates, then every call. */
export function TrackRecord({ preparing = null }: { preparing?: string | null }) {
  const query = useQuery(backtestQuery);
  // As in QueryView, so that the frame of one card does not disappear before the next is ready.
  const data = useDeferredValue(query.data);
  return (
    <div className="grid grid-cols-1 gap-3">
      {data === undefined && !query.isError && <CardFrame {...BRIEF} className={BRIEF_SIZE} />}
      {data?.cells.length === 0 ? (
        <>
          <Card {...BRIEF} className={BRIEF_SIZE}>
            <Empty
              key={preparing}
              title={preparing ?? 'No calls yet'}
              note="The record starts with the first analysis."
            />
          </Card>
          <ReplayCard />
        </>
      ) : (
        <QueryView query={{ ...query, data }} card={CARD} failed="Failed to load the track record">
          {(data) => <Loaded data={data} />}
        </QueryView>
      )}
      <Below card={RANGES}>
        <CoinRangesCard />
      </Below>
      <Below card={CALLS}>
        <Calls providers={[...new Map(data?.cells.map((cell) => [cell.provider, cell])).values()]} />
      </Below>
      <Below card={LEDGER}>
        <LedgerCard />
      </Below>
      <HowComputed />
      <LeagueCard />
    </div>
  );
}

function Loaded({ data }: { data: Backtest }) {
  const [chosen, choose] = useAddressText('cell');
  const cell = data.cells.find((each) => cellKey(each) === chosen) ?? data.headline ?? data.cells[0];
  const shown = useDeferredValue(cell);
  return (
    <>
      <InBrief data={data} />
      {data.cells.some(({ model }) => standInName(model)) && <p className="text-sm text-ink-2">{STAND_IN_NOTE}</p>}
      <ReplayCard />
      <SkillGrid data={data} chosen={cell ? cellKey(cell) : null} onChoose={choose} />
      {shown && (
        <Below card={CELL}>
          <CellCard key={cellKey(shown)} cell={shown} cells={data.cells} at={data.timestamp} onChoose={choose} />
        </Below>
      )}
      {data.pools.length > 0 && <PoolCard pools={data.pools} at={data.timestamp} />}
    </>
  );
}
