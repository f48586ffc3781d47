import './public.css';

import { age, percent, price } from '#shared/format.ts';

/** All the script of the public pages: theme, mobile menu, and the prices of the hero as they move. */
const root = document.documentElement;
document.querySelector('[data-theme-toggle]')?.addEventListener('click', () => {
  root.dataset['theme'] = root.dataset['theme'] === 'dark' ? 'light' : 'dark';
  localStorage['theme'] = root.dataset['theme'];
});

const menu = document.querySelector('details');
menu?.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('a')) menu.open = false;
});

const fresh = document.querySelector<HTMLElement>('[data-at]');
if (fresh) {
  let at = Number(fresh.dataset['at']);
  new EventSource('/api/stream?topics=prices').addEventListener('prices', ({ data }) => {
    for (const [id, usd, change, , , observed] of JSON.parse(data).ticks) {
      const cell = document.querySelector<HTMLElement>(`[data-price="${id}"]`);
      const moved = document.querySelector<HTMLElement>(`[data-change="${id}"]`);
      if (!cell || !moved || observed <= Number(cell.dataset['seen'])) continue;
      cell.dataset['seen'] = observed;
      cell.textContent = price(usd);
      if (change !== null) {
        moved.textContent = percent(change);
        moved.dataset['dir'] = change > 0.005 ? 'up' : change < -0.005 ? 'down' : 'flat';
      }
      at = Math.max(at, observed);
    }
  });
  const late = Number(fresh.dataset['late']);
  setInterval(() => {
    const ms = Date.now() - at;
    fresh.textContent = (ms > late ? 'Stale, ' : 'Updated ') + age(ms);
  }, 1000);
}
