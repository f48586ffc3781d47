import type { LandingModel } from '#app/render.ts';
import type { LandingFacts } from '#features/site/contract/landing.ts';
import { age } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';

import { Dot, Dots } from './drawings.tsx';
import { sourceName, WIDTH } from './page.tsx';
import { APART, FigureHead, More, SectionHead, Waiting } from './section.tsx';

export function PricesSection({ model }: { model: LandingModel }) {
  return (
    <section
      aria-labelledby="prices"
      className={cx(WIDTH, APART, 'grid items-center gap-x-12 gap-y-12 lg:grid-cols-[1fr_1.35fr]')}
    >
      <SectionHead id="prices" title="A price is what someone measured.">
        <p>
          Live ticks stream in from several exchanges. When sources disagree, you see by how much and which one the
          price comes from.
        </p>
        <More href="/app">Open the dashboard</More>
      </SectionHead>
      <Apart model={model} />
    </section>
  );
}

type Coin = LandingFacts['quotes'][number];

/** The largest deviation from the newest quote, as a share of it. */
const priceSpread = ({ quotes: [newest, ...others] }: Coin): number =>
  newest ? Math.max(0, ...others.map(({ price }) => Math.abs(price / newest.price - 1))) : 0;

const percentText = (share: number) => `${(100 * share).toFixed(2)}%`;

/** Every source of a coin on one line: the newest in the middle, the others at their deviation from it. */
function Apart({ model }: { model: LandingModel }) {
  const { quotes } = model.facts;
  const coins = quotes.filter((coin) => coin.quotes.length > 0);
  if (coins.length === 0) return <Waiting>Collecting the first prices.</Waiting>;
  const scale = Math.max(0.001, ...coins.map(priceSpread));
  return (
    <figure className="card rounded-[14px] p-5 sm:p-6">
      <FigureHead title="How far sources disagree" note={`Scale: ${percentText(scale)} to each side`} />
      <ul className="num mt-3">
        {coins.map((coin) => (
          <Line key={coin.symbol} coin={coin} scale={scale} model={model} />
        ))}
      </ul>
      <figcaption className="label mt-3 flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-4">
        <span>
          <Dot shown /> Most recent
        </span>
        <span>
          <Dot /> Other sources
        </span>
      </figcaption>
    </figure>
  );
}

function Line({ coin, scale, model }: { coin: Coin; scale: number; model: LandingModel }) {
  const [newest, ...others] = coin.quotes;
  if (!newest) return null;
  const elapsed = (iso: string) => age(Date.parse(model.now) - Date.parse(iso));
  const quoteTexts = coin.quotes.map(({ source, meta }) => `${sourceName(model, source)}, ${elapsed(meta.observedAt)}`);
  return (
    <li className="border-t border-line py-2.5">
      <div className="flex items-center gap-4 text-sm">
        <b className="w-9 shrink-0 font-semibold">{coin.symbol}</b>
        <span className="min-w-0 flex-1">
          <Dots others={others.map(({ price }) => (price / newest.price - 1) / scale)} />
        </span>
        <span className="w-12 shrink-0 text-right font-medium">
          {others.length > 0 ? percentText(priceSpread(coin)) : 'one'}
        </span>
      </div>
      <p className="label mt-1">{quoteTexts.join(' · ')}</p>
    </li>
  );
}
