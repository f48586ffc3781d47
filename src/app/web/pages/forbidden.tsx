import { Link } from '#ui/link.tsx';

/** For signed-in users who are not administrators. */
export function Forbidden() {
  return (
    <div className="grid min-h-[60vh] place-items-center px-4 text-center">
      <div>
        <p className="num text-[64px] leading-none font-semibold tracking-[-0.05em] text-ink-3" aria-hidden="true">
          403
        </p>
        <h1 className="mt-4 text-xl font-semibold tracking-[-0.02em]">Access denied</h1>
        <p className="mt-1.5 text-ink-2">Admin access required. This page is only available to administrators.</p>
        <Link
          to="/app"
          className="mt-5 inline-flex h-10 items-center rounded-ctl bg-btn px-4 text-sm font-medium text-btn-ink hover:opacity-90"
        >
          Back to Dashboard
        </Link>
      </div>
    </div>
  );
}
