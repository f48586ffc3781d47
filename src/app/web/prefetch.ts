import { reportErrors } from '#features/operations/web/error-logs/report-errors.ts';
import { whenIdle } from '#ui/lazy-mount.tsx';
import { notifyReconnect } from '#ui/reconnect.ts';
import { tokenNow } from '#ui/session.ts';
import { isAppPath, loadPage } from './app.tsx';

/** A page that was just loaded asks for no script of another version, unless two versions are served alternately. */
const SOONEST_MS = 10_000;

/** The first script of a page: its name changes with its content. */
const scriptIn = (html: string): string | undefined => /\/assets\/[\w.-]+\.js/.exec(html)?.[0];

/** Whether the page is now served with other scripts; rejects while the server is unreachable. */
async function isReplaced(): Promise<boolean> {
  const own = scriptIn([...document.scripts].map((script) => script.text).join('\n'));
  const response = await fetch(location.href, { cache: 'no-store', headers: { accept: 'text/html' } });
  const served = response.ok ? scriptIn(await response.text()) : undefined;
  return own !== undefined && served !== undefined && own !== served;
}

/** Leaves time to read that live updates are back. */
const NOTICE_MS = 3_000;
const RELOADED = 'reloaded-for';

/**
 * Browsers cache a failed module fetch and never retry it, so the page reloads once the server has the script: once per
 * script, and not while the user is typing.
 */
async function recover(cause: unknown, reload: () => void): Promise<void> {
  const url = cause instanceof Error ? /https?:\S+\.js/.exec(cause.message)?.[0] : undefined;
  if (!url || sessionStorage.getItem(RELOADED) === url) return;
  const isCached = await import(/* @vite-ignore */ url).then(
    () => false,
    () => true,
  );
  if (!isCached) return notifyReconnect();
  if (!(await fetch(url, { cache: 'no-store' })).ok) return;
  setTimeout(() => {
    if (document.activeElement?.matches('input, textarea, select')) return;
    sessionStorage.setItem(RELOADED, url);
    reload();
  }, NOTICE_MS);
}

/**
 * A missing script means that another version is served now: reload the page, once and after ten seconds at the
 * earliest.
 */
export function followVersions(reload = () => location.reload()): void {
  let isLooking = false;
  addEventListener('vite:preloadError', (event) => {
    if (isLooking) return;
    const { payload } = event as Event & { payload?: unknown };
    isLooking = true;
    const look = () =>
      isReplaced()
        .then((replaced) => {
          isLooking = replaced;
          if (replaced) return reload();
          return recover(payload, reload);
        })
        .catch(() => {
          isLooking = false;
        });
    setTimeout(() => void look(), Math.max(0, SOONEST_MS - performance.now()));
  });
}

/** Preloads something not needed yet: only a failure when it is needed may reload the page. */
export async function ahead(load: () => Promise<void>): Promise<void> {
  const ignore = (event: Event) => event.stopImmediatePropagation();
  addEventListener('vite:preloadError', ignore, { capture: true });
  await load().catch(() => {});
  removeEventListener('vite:preloadError', ignore, { capture: true });
}

/** The pages most often opened from the dashboard. */
const LIKELY = ['/app/events', '/app/history', '/app/track-record', '/app/sources', '/app/alerts'];

/** Preloads the likely pages while the browser is idle, and any other when its link is hovered or focused. */
function prefetchPages(): void {
  const prefetch = (path: string) => ahead(async () => void (await loadPage(path)));
  const onLink = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin === location.origin && isAppPath(link.pathname)) void prefetch(link.pathname);
  };
  for (const type of ['pointerover', 'focusin', 'touchstart']) addEventListener(type, onLink, { passive: true });
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  let left = LIKELY;
  const next = (): void => {
    const [path, ...rest] = left;
    left = rest;
    if (path) void prefetch(path).then(() => whenIdle(next));
  };
  whenIdle(next);
}

/** Code the page needs after its first view. `caught` holds the errors until then. */
export function afterwards(caught: Event[]): void {
  reportErrors(caught);
  followVersions();
  prefetchPages();
  // Push is only for users who are signed in.
  if (tokenNow() !== null)
    void import('#features/notifications/web/push/push-helper.ts').then(({ pushHelper }) => pushHelper.initialize());
}
