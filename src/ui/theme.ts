export type Theme = 'dark' | 'light';

export function toggleTheme(): Theme {
  const { dataset } = document.documentElement;
  const next: Theme = dataset['theme'] === 'dark' ? 'light' : 'dark';
  dataset['theme'] = next;
  try {
    localStorage.setItem('theme', next);
  } catch {
    // Storage may be blocked: the choice then lasts for this page.
  }
  return next;
}
