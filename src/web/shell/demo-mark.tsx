import { FlaskConical } from 'lucide-react';

export function DemoMark() {
  return (
    <>
      <button
        type="button"
        popoverTarget="demo-note"
        title="These numbers come from a simulated market"
        className="inline-flex h-7 items-center gap-1.5 rounded-chip border border-warn/40 bg-warn/10 px-2 text-2xs font-semibold whitespace-nowrap text-warn hover:border-warn lg:ml-2"
      >
        <FlaskConical className="size-3" aria-hidden="true" />
        <span>
          Demo<span className="max-[24rem]:hidden"> data</span>
        </span>
      </button>
      <div
        id="demo-note"
        popover="auto"
        className="fixed inset-auto top-13 left-3 m-0 w-84 max-w-[calc(100vw-1.5rem)] rounded-card border border-line-strong bg-surface p-4 text-ink floating lg:left-[35rem]"
      >
        <p className="text-sm font-semibold">This is a simulated market</p>
        <p className="mt-1 text-sm text-ink-2">
          No live source could be reached, so the built-in provider sandbox stands in. Every number here is made by it,
          none is a real price. Demo and live data never share a database.{' '}
          <a href="/app/phone" className="font-medium text-accent">
            What would reach your phone
          </a>
        </p>
      </div>
    </>
  );
}
