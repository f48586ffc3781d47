const STEPS: Readonly<Record<string, readonly [rows: number, stops: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};
const ROW = 'tr[data-coin]';

/** What can be pressed in a row; a narrow screen hides some of it. */
const stopsOf = (row: Element): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>('button:not(:disabled)')].filter((button) => button.checkVisibility());

/** Arrow keys go from a row to its numbers, and from number to number. */
export function moveInRows(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const { target } = event;
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !(target instanceof Element)) return;
  const row = target.closest(ROW);
  const at = row ? stopsOf(row).indexOf(target as HTMLElement) : -1;
  if (!row?.parentElement || at < 0) return;
  const rows = [...row.parentElement.querySelectorAll(`:scope > ${ROW}`)];
  const there = rows[rows.indexOf(row) + step[0]];
  const next = there && stopsOf(there)[at + step[1]];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
