/** Stores a setting in the browser; where storage is blocked, it lasts for this page. */
function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The setting then lasts for this page.
  }
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

const readSetting = () => document.documentElement.dataset;

export type Palette = 'green-red' | 'blue-orange';

export const paletteNow = (): Palette => (readSetting()['palette'] === 'blue-orange' ? 'blue-orange' : 'green-red');

export function setPalette(next: Palette): void {
  readSetting()['palette'] = next;
  store('palette', next);
}

export const togglePalette = (): void => setPalette(paletteNow() === 'green-red' ? 'blue-orange' : 'green-red');

export const areShortcutsEnabled = (): boolean => readItem('shortcuts') !== 'off';
export const setShortcutsEnabled = (on: boolean): void => store('shortcuts', on ? 'on' : 'off');

/** Whether the tour has been neither taken nor declined. Where that cannot be stored, it is not offered. */
export function isTourPending(): boolean {
  try {
    return localStorage.getItem('tour') === null;
  } catch {
    return false;
  }
}

export const endTour = (how: 'done' | 'skipped'): void => store('tour', how);

/** The version whose release notes were last read. */
export const readNewsVersion = (): string | null => readItem('newsRead');
export const saveNewsVersion = (version: string): void => store('newsRead', version);
