import type { ReplayCall } from '#features/analysis/server/analysis/local/replay.ts';
import { issueDay, meansByDate } from '#features/analysis/server/predictions/scoring/dates.ts';
import { brier } from '#features/analysis/server/predictions/scoring/scores.ts';

type Graded = ReplayCall & { outcome: 'up' | 'flat' | 'down'; r: number };
type Point = { name: string; value: number; low: number; high: number };

const WIDTH = 300;
const HEIGHT = 200;
const [LEFT, TOP] = [46, 34];
const BINS = 10;
const NORMAL_95 = 1.96;
const TEXT_COLOUR = '#1a2230';
const [MODEL_COLOUR, REFERENCE_COLOUR] = ['#2563eb', '#b45309'];

const yearOf = ({ issuedAt }: ReplayCall) => String(new Date(issuedAt).getUTCFullYear());
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const byYear = (calls: readonly Graded[]) => [...Map.groupBy(calls, yearOf)].toSorted(([a], [b]) => a.localeCompare(b));
const line = (x1: number, y1: number, x2: number, y2: number, style: string) =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" ${style}/>`;
const label = (x: number, y: number, text: string, anchor = 'middle') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${text}</text>`;

type Axis = { low: number; high: number; ticks: readonly number[]; text: (value: number) => string };
const percent = (value: number) => `${Math.round(100 * value)}%`;

/** From the step below the lowest value to the step above the highest. */
function createAxis(values: readonly number[], step: number, text: Axis['text']): Axis {
  const [first, last] = [Math.floor(Math.min(...values) / step), Math.ceil(Math.max(...values) / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return { low: first * step, high: last * step, ticks, text };
}

/** A panel with its title, its y-axis, and the content of `draw`; `y` maps a value to a height. */
function panel(
  at: number,
  title: string,
  { low, high, ticks, text }: Axis,
  draw: (y: (v: number) => number) => string,
) {
  const y = (value: number) => TOP + HEIGHT - ((value - low) / (high - low)) * HEIGHT;
  const grid = ticks.map(
    (tick) =>
      line(LEFT, y(tick), LEFT + WIDTH, y(tick), 'stroke="#d5dbe3"') + label(LEFT - 6, y(tick) + 4, text(tick), 'end'),
  );
  const head = `<text x="${LEFT}" y="18" font-weight="600">${title}</text>`;
  return `<g transform="translate(${at * (LEFT + WIDTH + 24)} 0)">${head}${grid.join('')}${draw(y)}</g>`;
}

const xPosition = (i: number, n: number) => LEFT + ((i + 0.5) / n) * WIDTH;

function marks(points: readonly Point[], y: (v: number) => number, colour: string, shift = 0): string {
  return points
    .map(({ value, low, high }, i) => {
      const x = xPosition(i, points.length) + shift;
      const dot = `<circle cx="${x.toFixed(1)}" cy="${y(value).toFixed(1)}" r="4" fill="${colour}"/>`;
      return line(x, y(low), x, y(high), `stroke="${colour}" stroke-width="2"`) + dot;
    })
    .join('');
}
const names = (points: readonly Point[]) =>
  points.map(({ name }, i) => label(xPosition(i, points.length), TOP + HEIGHT + 18, name)).join('');

/** Mean with a 95% interval over issue dates, because coins share the market of a date. */
function createPoint(name: string, calls: readonly Graded[], valueOf: (call: Graded) => number): Point {
  const dates = meansByDate(
    calls.map(({ issuedAt }) => issueDay(issuedAt)),
    calls.map(valueOf),
  ).map(({ value }) => value);
  const value = meanOf(dates);
  const variance = dates.reduce((sum, each) => sum + (each - value) ** 2, 0) / Math.max(1, dates.length - 1);
  const margin = NORMAL_95 * Math.sqrt(variance / dates.length);
  return { name, value, low: value - margin, high: value + margin };
}

const isWithinRange = (level: 80 | 95) => (call: Graded) =>
  Number(call.r >= call.ranges[level].low && call.r <= call.ranges[level].high);

function reliability(calls: readonly Graded[]): string {
  const sorted = calls.toSorted((a, b) => a.probabilities.flat - b.probabilities.flat);
  const bins = Array.from({ length: BINS }, (_, i) =>
    sorted.slice(Math.floor((i * sorted.length) / BINS), Math.floor(((i + 1) * sorted.length) / BINS)),
  );
  const points = bins.map((own) => createPoint('', own, ({ outcome }) => Number(outcome === 'flat')));
  const statedProbabilities = bins.map((own) => meanOf(own.map(({ probabilities }) => probabilities.flat)));
  const axis = createAxis([...points.flatMap(({ low, high }) => [low, high]), ...statedProbabilities], 0.1, percent);
  const x = (p: number) => LEFT + ((p - axis.low) / (axis.high - axis.low)) * WIDTH;
  return panel(0, 'P(flat) at 24h: forecast against what came', axis, (y) => {
    const dots = points.map(({ value, low, high }, i) => {
      const at = x(statedProbabilities[i] as number);
      const dot = `<circle cx="${at.toFixed(1)}" cy="${y(value).toFixed(1)}" r="4" fill="${MODEL_COLOUR}"/>`;
      return line(at, y(low), at, y(high), `stroke="${MODEL_COLOUR}" stroke-width="2"`) + dot;
    });
    const ticks = axis.ticks.map((tick) => label(x(tick), TOP + HEIGHT + 18, percent(tick)));
    const { low, high } = axis;
    return (
      line(x(low), y(low), x(high), y(high), `stroke="${TEXT_COLOUR}" stroke-dasharray="4 4"`) +
      dots.join('') +
      ticks.join('')
    );
  });
}

/** Reliability, gain by year, and coverage by year of the 24h calls, as one SVG; null with too few to draw. Intervals are 95%, over issue dates. */
export function plotReplay(calls: readonly ReplayCall[]): string | null {
  const graded = calls.filter(
    (call): call is Graded => call.r !== null && call.outcome !== null && call.outcome !== 'void',
  );
  if (graded.length < BINS) return null;
  const gainOf = ({ climatology, probabilities, outcome }: Graded) =>
    brier(climatology, outcome) - brier(probabilities, outcome);
  const gains = byYear(graded).map(([year, yearCalls]) => createPoint(year, yearCalls, gainOf));
  const gainAxis = createAxis([0, ...gains.flatMap(({ low, high }) => [low, high])], 0.01, (value) => value.toFixed(2));
  const coverage = ([80, 95] as const).map((level) =>
    byYear(graded).map(([year, yearCalls]) => createPoint(year, yearCalls, isWithinRange(level))),
  );
  const [eighty = [], ninetyFive = []] = coverage;
  const shares = coverage.flat().flatMap(({ low, high }) => [low, Math.min(1, high)]);
  const shareAxis = createAxis(shares, 0.05, percent);
  const panels = [
    reliability(graded),
    panel(1, 'Brier gain over base rates at 24h', gainAxis, (y) => marks(gains, y, MODEL_COLOUR) + names(gains)),
    panel(2, 'Returns inside the 80% and 95% ranges at 24h', shareAxis, (y) => {
      const goals = [0.8, 0.95].map((goal) =>
        line(LEFT, y(goal), LEFT + WIDTH, y(goal), `stroke="${TEXT_COLOUR}" stroke-dasharray="4 4"`),
      );
      return (
        goals.join('') + marks(eighty, y, MODEL_COLOUR, -5) + marks(ninetyFive, y, REFERENCE_COLOUR, 5) + names(eighty)
      );
    }),
  ];
  const [width, height] = [3 * (LEFT + WIDTH + 24), TOP + HEIGHT + 30];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="${TEXT_COLOUR}"><rect width="${width}" height="${height}" fill="#fff"/>${panels.join('')}</svg>\n`;
}
