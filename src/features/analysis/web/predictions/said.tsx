import type { Direction } from '#features/analysis/contract/predictions.ts';
import { cx } from '#ui/cx.ts';
import { DIRECTIONS } from './words.ts';

/** A direction by shape, word and colour. */
export function Said({ direction }: { direction: Direction }) {
  const { word, dir } = DIRECTIONS[direction];
  return (
    <span className="change" data-dir={dir}>
      {word}
    </span>
  );
}

/** Hit or miss by sign, word and colour. */
export function Mark({ hit }: { hit: boolean }) {
  return (
    <span className={cx('font-medium whitespace-nowrap', hit ? 'text-up' : 'text-down')}>
      {hit ? '✓ Hit' : '✕ Miss'}
    </span>
  );
}
