const RENEW_MS = 45_000;

/** Says how old the status page is, and puts a newer one in its place while somebody looks. */
export function keepStatus(ageText: (ms: number) => string): void {
  let renewedAt = 0;
  const renew = async () => {
    const answer = await fetch(location.pathname);
    if (!answer.ok) return;
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
    const here = document.querySelector('main');
    const reads = here?.querySelector('details[open]') || here?.contains(document.activeElement);
    if (!next || !here || reads) return;
    here.replaceWith(next);
  };
  setInterval(() => {
    const drawn = document.querySelector<HTMLElement>('[data-drawn]');
    if (!drawn) return;
    const age = Date.now() - Number(drawn.dataset['drawn']);
    drawn.textContent = `, ${ageText(age)}`;
    if (document.hidden || age < RENEW_MS || Date.now() - renewedAt < RENEW_MS) return;
    renewedAt = Date.now();
    renew().catch(() => {});
  }, 1000);
}
