/** A page that was just read asks for no script of another version, unless two are served in turn. */
const SOONEST_MS = 10_000;

/** The first script that a page names: its name changes with its content. */
const scriptIn = (html: string): string | undefined => /\/assets\/[\w.-]+\.js/.exec(html)?.[0];

/** Whether the page is served with other scripts by now; rejects while the server is away. */
async function isReplaced(): Promise<boolean> {
  const own = scriptIn([...document.scripts].map((script) => script.text).join('\n'));
  const response = await fetch(location.href, { cache: 'no-store', headers: { accept: 'text/html' } });
  const served = response.ok ? scriptIn(await response.text()) : undefined;
  return own !== undefined && served !== undefined && own !== served;
}

/** A script that is missing because another version is served by now: the page is read anew, once and no sooner than after ten seconds. */
export function followVersions(reload = () => location.reload()): void {
  let isLooking = false;
  addEventListener('vite:preloadError', () => {
    if (isLooking) return;
    isLooking = true;
    const look = () =>
      isReplaced()
        .then((replaced) => {
          isLooking = replaced;
          if (replaced) reload();
        })
        .catch(() => {
          isLooking = false;
        });
    setTimeout(() => void look(), Math.max(0, SOONEST_MS - performance.now()));
  });
}
