/** Stores a setting in the browser; where storage is blocked, it lasts for this page. */
function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The setting then lasts for this page.
  }
}

function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

const look = () => document.documentElement.dataset;

export type Palette = 'green-red' | 'blue-orange';

export const paletteNow = (): Palette => (look()['palette'] === 'blue-orange' ? 'blue-orange' : 'green-red');

export function setPalette(next: Palette): void {
  look()['palette'] = next;
  keep('palette', next);
}

export const togglePalette = (): void => setPalette(paletteNow() === 'green-red' ? 'blue-orange' : 'green-red');

export const keysAreOn = (): boolean => kept('shortcuts') !== 'off';
export const setKeys = (on: boolean): void => keep('shortcuts', on ? 'on' : 'off');

/** Whether the tour has been neither taken nor declined. Where that cannot be stored, it is not offered. */
export function tourIsNew(): boolean {
  try {
    return localStorage.getItem('tour') === null;
  } catch {
    return false;
  }
}

export const endTour = (how: 'done' | 'skipped'): void => keep('tour', how);

/** The version whose release notes were last read. */
export const newsRead = (): string | null => kept('newsRead');
export const keepNewsRead = (version: string): void => keep('newsRead', version);
