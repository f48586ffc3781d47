import { cx } from '#web/ui/cx.ts';

import type { ProviderOpinion, TermView } from '../contract.ts';
import { Mark } from './mark.tsx';
import { stepOf, type TermName, WORD } from './words.ts';

const STEPS = [-3, -2, -1, 0, 1, 2, 3] as const;
const HALF_PX = 9;
const APART_PX = 15;

const TONE = (step: number, chosen: boolean): string => {
  if (step === 0) return chosen ? 'bg-ink-2' : 'bg-line-strong/60';
  if (step > 0) return chosen ? 'bg-up' : 'bg-up/20';
  return chosen ? 'bg-down' : 'bg-down/20';
};

type Props = { consensus: TermView; opinions: readonly ProviderOpinion[]; term: TermName; className?: string };

/** Seven steps from bearish to bullish: the consensus is the full one, each model's letter stands above its own. */
export function OutlookScale({ consensus, opinions, term, className }: Props) {
  const chosen = stepOf(consensus.market_direction, consensus.confidence);
  const placed = Map.groupBy(opinions, (each) => stepOf(each[term].market_direction, each[term].confidence));
  const said = opinions.map(({ name, [term]: own }) => `${name} ${WORD[own.market_direction].toLowerCase()}`);
  return (
    <div
      role="img"
      aria-label={`Consensus ${WORD[consensus.market_direction].toLowerCase()}. ${said.join(', ')}.`}
      className={cx('relative h-8', className)}
    >
      {[...placed].flatMap(([step, group]) =>
        group.map(({ id, letter, built_in }, i) => {
          const before = HALF_PX + i * APART_PX;
          const after = HALF_PX + (group.length - 1 - i) * APART_PX;
          const middle = (((step + 3.5) / 7) * 100).toFixed(2);
          const off = (i - (group.length - 1) / 2) * APART_PX;
          return (
            <span
              key={id}
              className="absolute top-0 -translate-x-1/2"
              style={{ left: `clamp(${before}px, calc(${middle}% + ${off}px), calc(100% - ${after}px))` }}
            >
              <Mark letter={letter} builtIn={built_in} />
            </span>
          );
        }),
      )}
      <div className="absolute inset-x-0 bottom-0.5 flex items-center gap-[3px]">
        {STEPS.map((step) => (
          <span
            key={step}
            className={cx('flex-1 rounded-[2px]', step === chosen ? 'h-2' : 'h-1.5', TONE(step, step === chosen))}
          />
        ))}
      </div>
    </div>
  );
}
