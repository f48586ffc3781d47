import { BRAND } from '#shared/brand.ts';
import { atLeast, uptimeText } from '#shared/coverage.ts';
import type { PublicModel } from '#shared/render.ts';
import { cx } from '#web/ui/cx.ts';

import { HeroPrices } from './hero-prices.tsx';
import { GHOST, PRIMARY, PublicPage, WIDTH } from './page.tsx';
import { PricingBlock } from './pricing.tsx';
import { Promises } from './promises.tsx';
import { WeekStrip } from './week-strip.tsx';

export function Landing({ model }: { model: PublicModel }) {
  const [first] = model.top;
  const week = first && model.sparklines[first.id];
  return (
    <PublicPage model={model}>
      <section className={cx(WIDTH, 'pt-12 sm:pt-20')}>
        <div className="grid grid-cols-1 items-end gap-x-12 gap-y-7 lg:grid-cols-[1.35fr_1fr]">
          <h1 className="text-[44px] leading-[1.02] font-semibold tracking-[-0.045em] text-balance sm:text-[72px]">
            {BRAND.claim}
          </h1>
          <div>
            <p className="max-w-[30rem] text-[17px] leading-7 text-ink-2">
              Live crypto prices from several sources at once. Every number says where it comes from and how old it is,
              and when a source fails, the page says that too.
            </p>
            <div className="mt-6 flex flex-wrap gap-3">
              <a href="/app" className={PRIMARY}>
                Get Started
              </a>
              <a href="/about" className={GHOST}>
                About
              </a>
            </div>
          </div>
        </div>
        {first && week && <WeekStrip name={first.name} points={week.points} />}
        <div className="card mt-10 overflow-hidden rounded-[16px] pb-1 lifted sm:mt-14">
          <HeroPrices model={model} />
        </div>
      </section>
      <Stats model={model} />
      <Promises model={model} />
      <PricingBlock pricing={model.pricing} />
      <section className={cx(WIDTH, 'mt-20 sm:mt-28')}>
        <div className="flex flex-wrap items-center justify-between gap-8 border-t border-line pt-12 pb-16">
          <h2 className="max-w-[18ch] text-[32px] leading-[1.08] font-semibold tracking-[-0.035em] text-balance sm:text-[44px]">
            Open the market. Check every number.
          </h2>
          <div className="flex flex-wrap gap-3">
            <a href="/app" className={PRIMARY}>
              Launch App
            </a>
            <a href="/app/subscription" className={GHOST}>
              View Plans
            </a>
          </div>
        </div>
      </section>
    </PublicPage>
  );
}

function Stats({ model }: { model: PublicModel }) {
  const { counts, uptime } = model.about;
  const stats = [
    { figure: atLeast(counts.coins), words: 'cryptocurrencies' },
    { figure: atLeast(counts.sources), words: 'data sources' },
    { figure: '24/7', words: 'collection' },
    uptimeText(uptime),
  ];
  return (
    <section aria-label="Coverage" className={cx(WIDTH, 'mt-16 sm:mt-20')}>
      <dl className="grid grid-cols-2 border-y border-line lg:grid-cols-4">
        {stats.map(({ figure, words }, i) => (
          <div
            key={words}
            className={cx(
              'flex flex-col-reverse justify-end py-6 pr-4 sm:px-6',
              i > 0 && 'lg:border-l lg:border-line',
              i === 0 && 'sm:pl-0',
            )}
          >
            <dt className="text-[15px] text-ink-3">{words}</dt>
            <dd className="num text-[34px] leading-10 font-semibold tracking-[-0.04em]">{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
