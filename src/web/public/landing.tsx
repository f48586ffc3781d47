import { BRAND } from '#shared/brand.ts';
import type { LandingModel } from '#shared/render.ts';
import { cx } from '#web/ui/cx.ts';

import { AlertSection } from './alert-section.tsx';
import { CalendarSection } from './calendar-section.tsx';
import { DataSection } from './data-section.tsx';
import { HeroPrices } from './hero-prices.tsx';
import { GHOST, PRIMARY, PublicPage, WIDTH } from './page.tsx';
import { PricesSection } from './prices-section.tsx';
import { PricingBlock } from './pricing.tsx';
import { ProvenanceSection } from './provenance-section.tsx';
import { RecordSection } from './record-section.tsx';
import { hasStrip, RecordStrip } from './record-strip.tsx';
import { APART } from './section.tsx';
import { Stats } from './stats.tsx';
import { WeekStrip } from './week-strip.tsx';

export function Landing({ model }: { model: LandingModel }) {
  return (
    <PublicPage model={model}>
      <section className={cx(WIDTH, 'pt-12 sm:pt-20')}>
        <div className="grid grid-cols-1 items-end gap-x-12 gap-y-7 lg:grid-cols-[1.35fr_1fr]">
          <h1 className="text-[44px] leading-[1.02] font-semibold tracking-[-0.045em] text-balance sm:text-[72px]">
            {BRAND.claim}
          </h1>
          <div>
            <p className="max-w-[30rem] text-[17px] leading-7 text-ink-2">
              Crypto prices, flows, inflation and the calls of several analysts on one page: every number with its
              source and age, every call dated, published and graded against what the market did next.
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
        <HeroStrip model={model} />
        <div className="card mt-10 overflow-hidden rounded-[16px] pb-1 lifted sm:mt-14">
          <HeroPrices model={model} />
        </div>
      </section>
      <Stats model={model} />
      <PricesSection model={model} />
      <RecordSection model={model} />
      <AlertSection model={model} />
      <CalendarSection model={model} />
      <DataSection model={model} />
      <ProvenanceSection model={model} />
      <PricingBlock pricing={model.pricing} />
      <section className={cx(WIDTH, APART)}>
        <div className="flex flex-wrap items-center justify-between gap-8 border-t border-line pt-12 pb-16">
          <h2 className="max-w-[18ch] text-[32px] leading-[1.1] font-semibold tracking-[-0.035em] text-balance sm:text-[44px]">
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

/** The record where there is one, else the week of the first coin. */
function HeroStrip({ model }: { model: LandingModel }) {
  const { record } = model.facts;
  if (hasStrip(record)) return <RecordStrip record={record} isDemo={model.dataMode === 'demo'} />;
  const [first] = model.top;
  const week = first && model.sparklines[first.id];
  return first && week ? <WeekStrip name={first.name} points={week.points} /> : null;
}
