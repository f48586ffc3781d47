import './public.css';

/**
 * The formats of shared/format.ts, kept small for the public pages; text.test.ts verifies that they match. Importing
 * the shared module would create a separate chunk, and a second request.
 */
export function priceText(usd: number): string {
  const digits = Math.abs(usd) >= 1 ? 2 : 6;
  return usd.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  });
}

export function changeText(change: number): [string, 'up' | 'down' | 'flat'] {
  const text = `${Math.abs(change).toFixed(2)}%`;
  if (text === '0.00%') return [text, 'flat'];
  return change < 0 ? [`\u2212${text}`, 'down'] : [`+${text}`, 'up'];
}

export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h ago` : `${Math.floor(seconds / 86_400)}d ago`;
}

/** The whole script of the public pages: theme, mobile menu, and live prices of the hero. */
const root = document.documentElement;
const find = (selector: string) => document.querySelector<HTMLElement>(selector);

// 'Sign In' on the reset page links here.
if (location.search.startsWith('?auth=')) location.replace(`/app${location.search}`);

find('[data-theme-toggle]')?.addEventListener('click', () => {
  localStorage['theme'] = root.dataset['theme'] = root.dataset['theme'] === 'dark' ? 'light' : 'dark';
});

const menu = document.querySelector('details');
if (menu) {
  addEventListener('click', ({ target }) => {
    if (!menu.contains(target as Node) || (target as Element).closest('a')) menu.open = false;
  });
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}

const fresh = find('[data-at]');
if (fresh) {
  let at = Number(fresh.dataset['at']);
  new EventSource('/api/stream?topics=prices').addEventListener('prices', ({ data }) => {
    for (const [id, usd, change, , , observed] of JSON.parse(data).ticks) {
      const cell = find(`[data-price="${id}"]`);
      const moved = find(`[data-change="${id}"]`);
      if (!cell || !moved || observed <= Number(cell.dataset['seen'])) continue;
      cell.dataset['seen'] = observed;
      cell.textContent = priceText(usd);
      if (change !== null) [moved.textContent, moved.dataset['dir']] = changeText(change);
      at = Math.max(at, observed);
    }
  });
  setInterval(() => {
    const ms = Date.now() - at;
    fresh.textContent = (ms > Number(fresh.dataset['late']) ? 'Stale, ' : 'Updated ') + ageText(ms);
  }, 1000);
}

const drawn = find('[data-drawn]');
if (drawn) {
  setInterval(() => {
    drawn.textContent = `, ${ageText(Date.now() - Number(drawn.dataset['drawn']))}.`;
  }, 1000);
  // Not while a table is open or an element has focus, and not when the server is unreachable.
  setInterval(() => {
    if (document.hidden || find(':focus, main details[open]')) return;
    fetch(location.href).then(
      ({ ok }) => ok && location.reload(),
      () => {},
    );
  }, 60_000);
}
