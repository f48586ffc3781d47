import { readNumber } from './numbers.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** As a local date and time input writes it; empty without one. */
export function localInput(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function toIso(local: string): string | null {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** In the zone of the reader. */
export const localWords = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });

const UNITS = [
  [1440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const;

/** '90' → '1 hour 30 minutes' */
export function minutesWords(text: string): string {
  let left = readNumber(text);
  if (!Number.isInteger(left) || left < 0) return '';
  if (left === 0) return '0 minutes';
  const parts: string[] = [];
  for (const [size, word] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${word}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}
