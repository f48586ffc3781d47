import type { TrackCell } from '#features/analysis/contract/predictions.ts';
import { grouped } from '#shared/format.ts';
import { RecordFigure } from './record-figure.tsx';
import { score } from './verdict-text.tsx';

type Calibration = NonNullable<TrackCell['calibration']>['up'];
type Point = Calibration['points'][number];
type Props = { of: Calibration; event: 'up' | 'down'; at: string; isReplay?: boolean };

const SIZE = 220;
const PAD = { left: 30, right: 14, top: 8, bottom: 40 };
const WIDTH = SIZE - PAD.left - PAD.right;
const x = (p: number) => PAD.left + p * WIDTH;
const y = (p: number) => PAD.top + (1 - p) * WIDTH;
const HEIGHT = PAD.top + WIDTH + PAD.bottom;
const TICKS = [0, 0.25, 0.5, 0.75, 1] as const;
const percent = (p: number) => `${Math.round(100 * p)}%`;

/** The isotonic curve: flat over each block of forecasts, a step between two of them. */
const curve = (points: readonly Point[]) =>
  points
    .map(({ from, to, observed }, i) => `${i === 0 ? 'M' : 'L'}${x(from)} ${y(observed)}L${x(to)} ${y(observed)}`)
    .join('');

/** A replay is recomputed when a week of candles was added. */
const REPLAY_KEPT_MS = 9 * 86_400_000;

const sentence = ({ points }: Calibration, event: string) =>
  `Calibration of ${event}. ${points.map(({ forecast, observed, count: n }) => `Forecast ${percent(forecast)}, observed ${percent(observed)}, n = ${n}`).join('. ')}.`;

/** Forecast against outcome: on the diagonal, 60% happened six times in ten. The bars below count the calls. */
export function CalibrationPlot({ of, event, at, isReplay = false }: Props) {
  const id = `calibration-${isReplay ? 'replay-' : ''}${event}`;
  const suffix = isReplay ? ', replay' : '';
  const keptMs = isReplay ? REPLAY_KEPT_MS : undefined;
  const colour = event === 'up' ? 'text-up' : 'text-down';
  const most = Math.max(...of.points.map((point) => point.count), 1);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="text-sm font-semibold">
        Calibration of “{event}”{suffix}
      </h3>
      <p className="label pb-1">Forecast (across) vs. observed (up), with the number of calls below</p>
      <svg
        viewBox={`0 0 ${SIZE} ${HEIGHT}`}
        role="img"
        aria-label={sentence(of, event + suffix)}
        className="w-full max-w-80"
      >
        {TICKS.map((tick) => (
          <g key={tick} fill="var(--ink-3)" stroke="var(--line)" fontSize="8">
            <path d={`M${x(tick)} ${y(0)}V${y(1)}M${x(0)} ${y(tick)}H${x(1)}`} strokeWidth="0.75" />
            <text x={x(tick)} y={y(0) + 10} textAnchor="middle" stroke="none">
              {percent(tick)}
            </text>
            <text x={PAD.left - 4} y={y(tick) + 3} textAnchor="end" stroke="none">
              {percent(tick)}
            </text>
          </g>
        ))}
        <path d={`M${x(0)} ${y(0)}L${x(1)} ${y(1)}`} stroke="var(--ink-3)" strokeDasharray="3 3" strokeWidth="1" />
        <g className={colour}>
          <path d={curve(of.points)} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
          {of.points.map(({ from, forecast, observed, count: n }) => (
            <g key={from}>
              <circle
                cx={x(forecast)}
                cy={y(observed)}
                r={2 + 3 * Math.sqrt(n / most)}
                fill="var(--surface)"
                stroke="currentColor"
                strokeWidth="1.5"
              />
              <rect
                x={x(forecast) - 2}
                y={HEIGHT - (n / most) * 22}
                width="4"
                height={(n / most) * 22}
                fill="currentColor"
                opacity="0.55"
              >
                <title>{`${percent(forecast)}: ${grouped(n)} calls`}</title>
              </rect>
            </g>
          ))}
        </g>
      </svg>
      <dl className="num mt-1 flex flex-wrap gap-x-6 gap-y-1 text-sm [&_dt]:label">
        <div>
          <dt>Miscalibration</dt>
          <dd>
            <RecordFigure
              metric="record.miscalibration"
              name={`Miscalibration of ${event}${suffix}`}
              keptMs={keptMs}
              at={at}
              text={score(of.miscalibration)}
            />
          </dd>
        </div>
        <div>
          <dt>Discrimination</dt>
          <dd>
            <RecordFigure
              metric="record.discrimination"
              name={`Discrimination of ${event}${suffix}`}
              keptMs={keptMs}
              at={at}
              text={score(of.discrimination)}
            />
          </dd>
        </div>
        <div>
          <dt>Uncertainty</dt>
          <dd className="leading-6">{score(of.uncertainty)}</dd>
        </div>
      </dl>
    </section>
  );
}
