import { useEffect, useRef, useState } from 'react';
import type { Preview } from '#features/alerts/contract/thresholds.ts';
import { dateTime } from '#shared/format.ts';
import { DIRECTIONS } from '#shared/watched.ts';
import {
  computeDomain,
  createPlot,
  type Domain,
  GUTTER,
  HEIGHT,
  LevelSlider,
  linePath,
  valueRange,
} from './level-slider.tsx';
import { type Measure, measured, measureText } from './numbers.ts';

const WIDTH = 560;
/** Beyond this many marks they become thin, to keep the line visible. */
const MANY = 60;
const DAY_MS = 86_400_000;

function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(WIDTH);
  useEffect(() => {
    if (!box.current || !('ResizeObserver' in globalThis)) return undefined;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width));
    });
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  return [box, width] as const;
}

/** '21 Nov' */
const dayOf = (ms: number): string => dateTime(ms).split(' ', 2).join(' ');

type Props = {
  preview: Preview;
  name: string;
  measure: Measure;
  /** The side of the level that the rule concerns. */
  side: 'above' | 'below' | 'at';
  level: number | null;
  /** Absent when the level has no editable value. */
  onLevel: ((value: number) => void) | null;
  /** The marks belong to another level. */
  busy: boolean;
};

/** Ninety days of the watched series with the level, and a mark for each time the rule would have fired. */
export function PreviewChart({ preview, name, measure, side, level, onLevel, busy }: Props) {
  const [box, whole] = useWidth();
  const width = onLevel ? whole - GUTTER : whole;
  const [held, hold] = useState<Domain | null>(null);
  const directions = measure.unit === 'direction';
  const { points, fires } = preview;
  const domain = held ?? computeDomain(points, level, measure);
  const plot = createPlot(points, domain, width);
  const line = linePath(points, plot, directions);
  const out = level !== null && (level > domain.high || level < domain.low);
  const text = (value: number) => measureText(directions ? (DIRECTIONS[value + 1] ?? 'NEUTRAL') : value, measure);
  const axis = (value: number) => measured(value, Math.abs(value) >= 1000 ? { ...measure, decimals: 0 } : measure);
  const smallest = 10 ** -measure.decimals;
  const steps = directions
    ? ([1, 1] as const)
    : ([Math.max(plot.step, smallest), Math.max(plot.fine, smallest)] as const);
  const { low, high } = directions ? { low: -1, high: 1 } : valueRange(points, measure);
  const last = points.at(-1);
  const small = fires.length > MANY;
  const days = Math.round((plot.to - plot.from) / DAY_MS);
  return (
    <figure
      ref={box}
      className="relative"
      style={{ height: HEIGHT }}
      aria-label={`${name}, ${days} days, ${fires.length} ${fires.length === 1 ? 'fire' : 'fires'} marked`}
    >
      <svg viewBox={`0 0 ${whole} ${HEIGHT}`} width="100%" height={HEIGHT} aria-hidden="true" className="block">
        {directions
          ? DIRECTIONS.map((word, i) => (
              <line key={word} x1="0" x2={width} y1={plot.y(i - 1)} y2={plot.y(i - 1)} className="plot-grid" />
            ))
          : [plot.top, plot.bottom].map((y) => <line key={y} x1="0" x2={width} y1={y} y2={y} className="plot-grid" />)}
        {level !== null && side !== 'at' && (
          <rect
            x="0"
            width={width}
            y={side === 'above' ? plot.top : plot.y(level)}
            height={side === 'above' ? plot.y(level) - plot.top : plot.bottom - plot.y(level)}
            className="plot-zone"
          />
        )}
        {!directions && <path d={`${line}V${plot.bottom}H0Z`} className="plot-area" />}
        <path d={line} className="plot-line" />
        {last && <circle cx={plot.x(last[0])} cy={plot.y(last[1])} r="3" className="plot-now" />}
        {level !== null && !onLevel && (
          <line x1="0" x2={width} y1={plot.y(level)} y2={plot.y(level)} className="plot-level" />
        )}
        <g className="plot-fires" opacity={busy ? 0.35 : 1}>
          {fires.map(([at, value]) => {
            const [x, y] = [plot.x(at), plot.y(value)];
            const size = small ? 3 : 5;
            return (
              <g key={at}>
                <line x1={x} x2={x} y1={y} y2={plot.bottom} className="plot-stem" />
                <path d={`M${x},${y - size}l${size},${size}l${-size},${size}l${-size},${-size}z`} />
              </g>
            );
          })}
        </g>
      </svg>
      {directions ? (
        DIRECTIONS.map((word, i) => (
          <span key={word} className="plot-label" style={{ top: plot.y(i - 1) - 16 }} aria-hidden="true">
            {word.toLowerCase()}
          </span>
        ))
      ) : (
        <>
          <span className="plot-label" style={{ top: plot.top - 14 }} aria-hidden="true">
            {axis(domain.high)}
          </span>
          <span className="plot-label" style={{ top: plot.bottom - 16 }} aria-hidden="true">
            {axis(domain.low)}
          </span>
        </>
      )}
      <div className="plot-days num" style={{ width }} aria-hidden="true">
        <span>{dayOf(plot.from)}</span>
        <span>{dayOf((plot.from + plot.to) / 2)}</span>
        <span>{dayOf(plot.to)}</span>
      </div>
      {out && level !== null && (
        <p className="plot-out num" style={level > domain.high ? { top: plot.top } : { bottom: HEIGHT - plot.bottom }}>
          {level > domain.high ? '↑' : '↓'} {text(level)} is outside this range {days} days
        </p>
      )}
      {level !== null && onLevel && (
        <LevelSlider
          label={`Level of ${name}`}
          value={level}
          low={Math.min(low, level)}
          high={Math.max(high, level)}
          plot={plot}
          steps={steps}
          text={text}
          onChange={onLevel}
          onDrag={(dragging) => hold(dragging ? domain : null)}
        />
      )}
    </figure>
  );
}
