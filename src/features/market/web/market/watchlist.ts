import { useBrowserValue } from '#ui/use-hydrated.tsx';

const KEY = 'watchlist';
const EMPTY: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
let text: string | null = null;
let stars = EMPTY;

function read(): ReadonlySet<string> {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    return stars;
  }
  if (stored === text) return stars;
  text = stored;
  try {
    const ids: unknown = JSON.parse(stored ?? '[]');
    stars = new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    stars = EMPTY;
  }
  return stars;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

export function toggleStar(id: string): void {
  const next = new Set(read());
  if (!next.delete(id)) next.add(id);
  try {
    localStorage.setItem(KEY, JSON.stringify([...next]));
  } catch {
    stars = next;
  }
  for (const notify of listeners) notify();
}

export const useWatchlist = (): ReadonlySet<string> => useBrowserValue(subscribe, read, EMPTY);
