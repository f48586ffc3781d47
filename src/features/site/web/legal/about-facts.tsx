import type { ComponentType, ReactNode } from 'react';
import type { About } from '#features/site/contract/legal.ts';
import { atLeast, uptimeText } from '#shared/coverage.ts';
import { AboutSection, Line } from './about-section.tsx';

/** A link as the page draws it: the app walks, a public page loads. */
export type LinkTo = ComponentType<{ to: string; children: ReactNode }>;

/** What is counted and measured on the running instance. */
export function AboutFacts({ about, A }: { about: About; A: LinkTo }) {
  const { counts, schedule, sources, uptime, dataMode } = about;
  const { figure, words } = uptimeText(uptime);
  const figures = [
    [atLeast(counts.coins), 'cryptocurrencies'],
    [atLeast(counts.sources), 'data sources'],
    ['24/7', 'collection'],
    [figure, words],
  ] as const;
  return (
    <>
      <dl className="card mt-6 grid grid-cols-2 gap-x-4 px-4 py-1.5 sm:grid-cols-4">
        {figures.map(([value, what]) => (
          <div key={what} className="flex flex-col-reverse justify-end py-2.5">
            <dt className="text-sm text-ink-3">{what}</dt>
            <dd className="num text-xl font-semibold tracking-[-0.02em]">{value}</dd>
          </div>
        ))}
      </dl>
      {dataMode === 'demo' && (
        <p className="mt-3 text-sm font-medium text-warn">
          Demo data: this instance shows a simulated market. The built-in sandbox replaces every source.
        </p>
      )}
      <AboutSection id="schedule" title="When data is collected">
        <p>Data is collected automatically around the clock, on this schedule (UTC).</p>
        <dl className="num">
          <Line name="Live prices">An update {schedule.prices}, from exchange streams and tickers</Line>
          <Line name="Price list">Every coin with market cap and volume, {schedule.listing}</Line>
          <Line name="Full collection">
            With AI analysis:
            <ul>
              {schedule.full.map(({ when, rhythm }) => (
                <li key={when + rhythm}>
                  {when}: {rhythm}
                </li>
              ))}
            </ul>
          </Line>
          <Line name="Slow series">Macro and on-chain data, {schedule.slow} or when they are released</Line>
        </dl>
      </AboutSection>
      <AboutSection id="sources" title="Where the data comes from">
        <p>
          From crypto price services and exchanges, a stock and macro data service, central bank economic data, the
          blockchains themselves, and AI analysis providers. This server is set up for {counts.sources} sources. See
          their status, licenses and attribution on the <A to="/app/sources">Data Sources</A> page.
        </p>
        <dl>
          {sources.map(({ id, name, gives }) => (
            <Line key={id} name={name}>
              {gives}
            </Line>
          ))}
        </dl>
      </AboutSection>
    </>
  );
}
