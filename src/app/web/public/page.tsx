import type { ReactNode } from 'react';
import type { PublicFrame, PublicModel } from '#app/render.ts';
import { BRAND, copyrightYears } from '#shared/brand.ts';
import { cx } from '#ui/cx.ts';
import { Logo } from '#ui/logo.tsx';

const BUTTON =
  'inline-flex h-11 items-center justify-center rounded-[10px] px-5 text-[15px] font-medium whitespace-nowrap fades';
export const PRIMARY = cx(BUTTON, 'bg-btn text-btn-ink hover:opacity-88');
export const GHOST = cx(BUTTON, 'border border-line-strong hover:bg-raised');
export const WIDTH = 'mx-auto max-w-[1200px] px-5 sm:px-8';

const NAV = [
  ['About', '/about'],
  ['Pricing', '/#pricing'],
] as const;

const FOOTER = [
  ['Contact', '/app/contact'],
  ['Privacy Policy', '/app/privacy'],
  ['Terms & Conditions', '/app/terms'],
  ['About', '/about'],
  ['Status', '/status'],
] as const;

export const sourceName = ({ sources }: PublicModel, id: string): string =>
  sources?.find((source) => source.id === id)?.name ?? id;

export function PublicPage({ model, children }: { model: PublicFrame; children: ReactNode }) {
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Nav demo={model.dataMode === 'demo'} />
      <main id="main">{children}</main>
      <footer className="border-t border-line">
        <div className={cx(WIDTH, 'flex flex-wrap items-center gap-x-6 gap-y-3 py-7 text-sm text-ink-3')}>
          <span className="num flex items-center gap-2">
            <Logo className="size-5" />© {copyrightYears(model.year)} {BRAND.name} · v{model.version}
          </span>
          <ul className="-mx-2.5 flex flex-wrap sm:ml-auto">
            {FOOTER.map(([title, href]) => (
              <li key={href}>
                <a className="inline-flex h-9 items-center px-2.5 hover:text-ink" href={href}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      </footer>
    </>
  );
}

function Nav({ demo }: { demo: boolean }) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-bg">
      <div className={cx(WIDTH, 'flex h-16 items-center gap-2')}>
        <a href="/" className="flex items-center gap-2.5">
          <Logo className="size-7" />
          <span className="text-[17px] font-semibold tracking-[-0.02em]">{BRAND.name}</span>
        </a>
        {demo && <DemoMark />}
        <nav aria-label="Main" className="ml-6 hidden items-center gap-1 text-[15px] text-ink-2 md:flex">
          {NAV.map(([title, href]) => (
            <a key={href} className="rounded-ctl px-3 py-1.5 hover:text-ink" href={href}>
              {title}
            </a>
          ))}
        </nav>
        <button
          type="button"
          data-theme-toggle
          aria-label="Switch color theme"
          className="ml-auto grid size-10 place-items-center rounded-ctl text-ink-2 hover:bg-raised"
        >
          <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true">
            <path d="M8 1.5a6.5 6.5 0 1 0 0 13z" fill="currentColor" />
            <circle cx="8" cy="8" r="5.8" fill="none" stroke="currentColor" strokeWidth="1.4" />
          </svg>
        </button>
        <a
          href="/app?auth=login"
          className="hidden h-9 items-center rounded-ctl px-3 text-sm font-medium hover:bg-raised sm:inline-flex"
        >
          Sign In
        </a>
        <a
          href="/app"
          className="hidden h-9 items-center rounded-ctl bg-btn px-4 text-sm font-medium text-btn-ink hover:opacity-88 sm:inline-flex"
        >
          Launch App
        </a>
        <details className="relative md:hidden">
          <summary
            aria-label="Menu"
            className="grid size-10 list-none place-items-center rounded-ctl hover:bg-raised [&::-webkit-details-marker]:hidden"
          >
            <svg viewBox="0 0 16 16" className="size-[18px]" aria-hidden="true">
              <path d="M2 5h12M2 11h12" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
            </svg>
          </summary>
          <nav aria-label="Mobile" className="card absolute top-12 right-0 grid w-56 gap-1 p-2 text-[15px] floating">
            {NAV.map(([title, href]) => (
              <a key={href} className="rounded-ctl px-3 py-2.5 hover:bg-raised" href={href}>
                {title}
              </a>
            ))}
            <a className="rounded-ctl px-3 py-2.5 hover:bg-raised" href="/app?auth=login">
              Sign In
            </a>
            <a className="rounded-ctl bg-btn px-3 py-2.5 text-center font-medium text-btn-ink" href="/app">
              Launch App
            </a>
          </nav>
        </details>
      </div>
    </header>
  );
}

function DemoMark() {
  return (
    <>
      <button
        type="button"
        popoverTarget="demo-note"
        title="These numbers come from a simulated market"
        className="ml-1 inline-flex h-7 items-center rounded-chip border border-warn/40 bg-warn/10 px-2 text-2xs font-semibold whitespace-nowrap text-warn hover:border-warn"
      >
        Demo data
      </button>
      <div
        id="demo-note"
        popover="auto"
        className="fixed inset-auto top-15 left-5 m-0 w-84 max-w-[calc(100vw-2.5rem)] rounded-card border border-line-strong bg-surface p-4 text-ink floating"
      >
        <p className="text-sm font-semibold">This is a simulated market</p>
        <p className="mt-1 text-sm text-ink-2">
          No live source could be reached, so data comes from the built-in provider sandbox. All market data is
          simulated; no price is real.
        </p>
      </div>
    </>
  );
}
