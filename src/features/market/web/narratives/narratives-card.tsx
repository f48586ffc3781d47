import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { Narrative, NarrativeSentiment } from '#features/market/contract/narratives.ts';
import { price } from '#shared/format.ts';
import { Card } from '#ui/card.tsx';
import type { CardPlace } from '#ui/card-frame.tsx';
import { Change } from '#ui/change.tsx';
import { CoinMark } from '#ui/coin-mark.tsx';
import { cx } from '#ui/cx.ts';
import { Figure } from '#ui/figure.tsx';
import { newestObservation } from '#ui/figure-age.ts';
import { Fresh } from '#ui/fresh.tsx';
import { Meter } from '#ui/micro.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { useCard, whyEmpty } from '#ui/use-card.ts';
import { AverageChange, Opportunity, Relevance, Risk, Volume } from './narrative-figures.tsx';
import { narrativesQuery } from './queries.ts';

const WORDS: Record<NarrativeSentiment, readonly [string, string]> = {
  very_positive: ['Very positive', 'bg-up/12 text-up'],
  positive: ['Positive', 'bg-up/12 text-up'],
  neutral: ['Neutral', 'bg-raised text-ink-2'],
  negative: ['Negative', 'bg-down/12 text-down'],
  very_negative: ['Very negative', 'bg-down/12 text-down'],
};

const NONE = ['Not enough history', 'px-0! text-ink-3'] as const;

/** From here on a neutral narrative has moved with the whole market. */
const MOVED_PERCENT = 3;
const WITH_MARKET = ['In line with market', WORDS.neutral[1]] as const;

function wordsFor({ sentiment, avg_change_24h: change }: Narrative): readonly [string, string] {
  if (sentiment === 'neutral' && Math.abs(change ?? 0) >= MOVED_PERCENT) return WITH_MARKET;
  return sentiment ? WORDS[sentiment] : NONE;
}

function SentimentChip({ of }: { of: Narrative }) {
  const [words, tone] = wordsFor(of);
  return (
    <span
      className={cx(
        'inline-flex h-5 shrink-0 items-center rounded-chip px-1.5 text-2xs font-medium whitespace-nowrap',
        tone,
      )}
    >
      {words}
    </span>
  );
}

const COLUMNS = 'grid items-center gap-x-3 px-4 narrative-columns';

const MOST_COINS = 5;

type Props = { narrative: Narrative; open: boolean; onToggle: () => void };

function NarrativeRow({ narrative, open, onToggle }: Props) {
  const details = useId();
  return (
    <li className={cx('border-t border-line', open && 'bg-raised/40')}>
      <div className={cx(COLUMNS, 'num relative min-h-12 py-1 text-right text-sm hover:bg-raised/50')}>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={details}
          onClick={onToggle}
          className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-left after:absolute after:inset-0"
        >
          <span className="truncate text-base font-semibold">{narrative.narrative}</span>
          <SentimentChip of={narrative} />
        </button>
        <span className="flex items-center justify-end gap-2">
          {narrative.relevance_score !== null && (
            <Meter value={narrative.relevance_score * 100} className="hidden w-20 sm:block" />
          )}
          <Relevance of={narrative} className="w-10 text-right text-xs text-ink-2" />
        </span>
        <span className="hidden text-ink-2 min-[88rem]:block">
          <Volume of={narrative} />
        </span>
        <span>
          <AverageChange of={narrative} />
        </span>
        <ChevronDown
          className={cx('size-4 justify-self-end text-ink-3 transition-transform', open && 'rotate-180')}
          aria-hidden="true"
        />
      </div>
      <div id={details}>{open && <Details narrative={narrative} />}</div>
    </li>
  );
}

function Details({ narrative }: { narrative: Narrative }) {
  const { trend_analysis: trend, volume_analysis: volume } = narrative.market_insights;
  return (
    <div className="grid gap-x-8 gap-y-4 px-4 pt-1 pb-4 lg:grid-cols-[2fr_3fr]">
      <div className="flex flex-col gap-3">
        <p className="max-w-[68ch] text-sm text-ink-2">{trend}</p>
        <p className="max-w-[68ch] text-sm text-ink-2">{volume}</p>
        <dl className="num mt-auto flex flex-wrap gap-x-6 gap-y-1.5 text-sm">
          <Fact name="Volume">
            <Volume of={narrative} />
          </Fact>
          <Fact name="Relevance">
            <Relevance of={narrative} />
          </Fact>
          <Fact name="Risk">
            <Risk of={narrative} />
          </Fact>
          <Fact name="Opportunity">
            <Opportunity of={narrative} />
          </Fact>
        </dl>
      </div>
      <ul aria-label={`Top coins of ${narrative.narrative}`} className="num text-sm">
        {narrative.coins.slice(0, MOST_COINS).map((coin) => (
          <li
            key={coin.coin_symbol}
            className="grid h-8 grid-cols-[minmax(0,1fr)_6.5rem_5.5rem] items-center gap-3 border-t border-line text-right first:border-t-0"
          >
            <span className="flex min-w-0 items-center gap-2 text-left">
              <CoinMark symbol={coin.coin_symbol} size={18} />
              <span className="font-semibold">{coin.coin_symbol}</span>
              <span className="truncate text-ink-3">{coin.coin_name}</span>
            </span>
            <span>
              <Figure meta={coin.meta['price_usd']} name={`${coin.coin_name}, price`}>
                {coin.price_usd !== null && price(coin.price_usd)}
              </Figure>
            </span>
            <span>
              <Figure meta={coin.meta['change_24h']} name={`${coin.coin_name}, 24h change`}>
                {coin.change_24h !== null && <Change value={coin.change_24h} />}
              </Figure>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-center gap-1.5">
      <dt className="text-ink-3">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

export type NarrativesCardProps = CardPlace & {
  /** A past moment instead of now; null when nothing was stored. */
  past?: Narrative[] | null | undefined;
};

export function NarrativesCard({ past, ...card }: NarrativesCardProps) {
  const query = useCard(narrativesQuery, past);
  return (
    <QueryView
      query={query}
      card={card}
      failed="Failed to load trending narratives"
      isEmpty={(list) => !list || list.length === 0}
      empty={<Empty title="No narrative data available" note={whyEmpty(past)} />}
    >
      {(list) => list && <Loaded card={card} list={list} />}
    </QueryView>
  );
}

const HEADS = [
  ['Narrative', 'text-left'],
  ['Relevance', ''],
  ['Volume', 'hidden min-[88rem]:block'],
  ['Avg. 24h change', ''],
] as const;

function Loaded({ card, list }: { card: CardPlace; list: readonly Narrative[] }) {
  // The strongest is open initially; null once the user has closed it.
  const [chosen, setChosen] = useState<string | null | undefined>();
  const open = chosen === undefined ? list[0]?.id : chosen;
  const newest = newestObservation(list.map(({ meta }) => meta['avg_change_24h']));
  return (
    <Card {...card} note={newest && <Fresh {...newest} />}>
      <div className={cx(COLUMNS, 'label h-8 text-right')} aria-hidden="true">
        {HEADS.map(([title, className]) => (
          <span key={title} className={cx('whitespace-nowrap', className)}>
            {title}
          </span>
        ))}
      </div>
      <ul>
        {list.map((narrative) => (
          <NarrativeRow
            key={narrative.id}
            narrative={narrative}
            open={open === narrative.id}
            onToggle={() => setChosen(open === narrative.id ? null : narrative.id)}
          />
        ))}
      </ul>
    </Card>
  );
}
