import type { ReactNode } from 'react';
import type { Direction } from '#features/analysis/contract/predictions.ts';
import { scaleStep } from '#features/analysis/web/analysis/labels.ts';

/** Positioned in percent of the full width, so that nothing is stretched. */
function Drawing({ height, label, children }: { height: number; label?: string; children: ReactNode }) {
  return (
    <svg
      width="100%"
      height={height}
      className="block overflow-visible"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {children}
    </svg>
  );
}

const place = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** Dots on a line, each from -1 at its left end to 1 at its right; the filled one is in the middle. */
export function Dots({ others }: { others: readonly number[] }) {
  return (
    <Drawing height={16}>
      <line x1="0" x2="100%" y1="8" y2="8" stroke="var(--line-strong)" />
      {others.map((at) => (
        <circle
          key={at}
          cx={place(0.5 + 0.48 * at)}
          cy="8"
          r="4.5"
          fill="var(--surface)"
          stroke="var(--ink-3)"
          strokeWidth="2"
        />
      ))}
      <circle cx="50%" cy="8" r="5" fill="var(--ink)" />
    </Drawing>
  );
}

/** The legend dot for adjacent text. */
export function Dot({ shown = false }: { shown?: boolean }) {
  return (
    <svg width="11" height="11" className="inline-block" aria-hidden="true">
      <circle
        cx="5.5"
        cy="5.5"
        r="4.5"
        fill={shown ? 'var(--ink)' : 'none'}
        stroke={shown ? 'none' : 'var(--ink-3)'}
        strokeWidth="2"
      />
    </svg>
  );
}

type Between = { low: number; high: number };

/** A share with its interval on a line from 0 to 1, with a marker at `mark`. */
export function Interval({ at, between, mark }: { at: number; between: Between; mark: number }) {
  return (
    <Drawing height={16}>
      <line x1="0" x2="100%" y1="8" y2="8" stroke="var(--line)" />
      <line x1={place(mark)} x2={place(mark)} y1="0" y2="16" stroke="var(--ink-3)" strokeDasharray="2 2" />
      <line x1={place(between.low)} x2={place(between.high)} y1="8" y2="8" stroke="var(--ink-3)" strokeWidth="3" />
      <circle cx={place(at)} cy="8" r="5" fill="var(--ink)" />
    </Drawing>
  );
}

const STEPS = [-3, -2, -1, 0, 1, 2, 3];
const MARK_PX = 18;
type Stand = { market_direction: Direction; confidence: number };
type Said = Stand & { id: string; letter: string; built_in: boolean };

const stepTone = (step: number): string => {
  if (step === 0) return 'var(--ink-2)';
  return step > 0 ? 'var(--up)' : 'var(--down)';
};

/** Seven steps from bearish to bullish: the solid one is the consensus, the letters are the individual models. */
export function Scale({ consensus, said, label }: { consensus: Stand; said: readonly Said[]; label: string }) {
  const chosen = scaleStep(consensus.market_direction, consensus.confidence);
  const placed = Map.groupBy(said, (each) => scaleStep(each.market_direction, each.confidence));
  return (
    <Drawing height={32} label={label}>
      {STEPS.map((step, i) => (
        <rect
          key={step}
          x={place(i / 7)}
          y={step === chosen ? 22 : 24}
          width="13.4%"
          height={step === chosen ? 9 : 5}
          rx="2"
          fill={stepTone(step)}
          opacity={step === chosen ? 1 : 0.25}
        />
      ))}
      {[...placed].flatMap(([step, group]) =>
        group.map(({ id, letter, built_in }, i) => (
          <g key={id} transform={`translate(${(i - (group.length - 1) / 2) * MARK_PX})`}>
            <Letter x={place((step + 3) / 7 + 0.067)} letter={letter} builtIn={built_in} />
          </g>
        )),
      )}
    </Drawing>
  );
}

/** A model's letter in a ring; dashed for the built-in analyst. */
function Letter({ x, letter, builtIn }: { x: string; letter: string; builtIn: boolean }) {
  return (
    <>
      <circle cx={x} cy="9" r="8" fill="none" stroke="var(--ink-3)" {...(builtIn ? { strokeDasharray: '2 2' } : {})} />
      <text x={x} y="12.5" textAnchor="middle" fontSize="10" fontWeight="600" fill="var(--ink)">
        {letter}
      </text>
    </>
  );
}
