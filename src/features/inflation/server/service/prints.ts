import type { Indicator } from '#features/inflation/contract.ts';
import { addMonths } from '#shared/release-calendar.ts';
import { findExpected, type View } from '../view.ts';
import { releasedAt } from './indicators.ts';
import { seriesOf } from './levels.ts';
import { monthly, printed } from './rates.ts';

/** One release of the past in percent a month, all items. */
export type Print = {
  period: string;
  releasedAt: Date;
  /** What was printed first where that is known, else what stands now. */
  actual: number | null;
  isFirstPrint: boolean;
  consensus: number | null;
  nowcast: number | null;
  previous: number | null;
};

export function printsOf(view: View, type: Indicator, at: Date): Print[] {
  const { levels } = view;
  return levels.periods(seriesOf(type, 'headline').adjusted).flatMap((period): Print[] => {
    const released = releasedAt(view, type, period);
    if (!released || released > at) return [];
    const first = printed(levels, type, 'headline', period);
    const expected = (kind: 'consensus' | 'nowcast') =>
      findExpected(view, { type, measure: 'headline', period, kind }, released)?.value ?? null;
    return [
      {
        period,
        releasedAt: released,
        actual: (first ?? monthly(levels, type, 'headline', period, at)).value,
        isFirstPrint: first !== null,
        consensus: expected('consensus'),
        nowcast: expected('nowcast'),
        previous: monthly(levels, type, 'headline', addMonths(period, -1), at).value,
      },
    ];
  });
}
