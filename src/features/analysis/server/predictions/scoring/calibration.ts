/** The forecasts from `from` to `to`, `forecast` on the mean, came true at the rate `observed`. */
export type CalibrationPoint = { from: number; to: number; forecast: number; observed: number; count: number };

export type Calibration = {
  points: CalibrationPoint[];
  brier: number;
  miscalibration: number;
  discrimination: number;
  uncertainty: number;
};

type Block = { from: number; to: number; forecasts: number; events: number; count: number };

const rate = ({ events, count }: Block) => events / count;

/** Pool adjacent violators (Ayer et al. 1955); equal forecasts are one block from the start. */
function isotonicBlocks(forecasts: readonly number[], events: readonly boolean[]): Block[] {
  const order = forecasts.map((_, i) => i).toSorted((a, b) => (forecasts[a] as number) - (forecasts[b] as number));
  const blocks: Block[] = [];
  const mergeLast = () => {
    const above = blocks.pop() as Block;
    const below = blocks.at(-1) as Block;
    below.to = above.to;
    below.forecasts += above.forecasts;
    below.events += above.events;
    below.count += above.count;
  };
  for (const [rank, i] of order.entries()) {
    const forecast = forecasts[i] as number;
    const previous = blocks.at(-1);
    blocks.push({ from: forecast, to: forecast, forecasts: forecast, events: events[i] ? 1 : 0, count: 1 });
    if (previous && previous.from === forecast) mergeLast();
    const next = order[rank + 1];
    if (next !== undefined && forecasts[next] === forecast) continue;
    while (blocks.length > 1 && rate(blocks.at(-2) as Block) >= rate(blocks.at(-1) as Block)) mergeLast();
  }
  return blocks;
}

/**
 * CORP (Dimitriadis, Gneiting and Jordan, PNAS 2021) of the probabilities of one event: the isotonic reliability curve
 * and the binary Brier score as miscalibration − discrimination + uncertainty. Null without forecasts.
 */
export function calibrationOf(forecasts: readonly number[], events: readonly boolean[]): Calibration | null {
  const n = forecasts.length;
  if (n === 0) return null;
  const blocks = isotonicBlocks(forecasts, events);
  const base = blocks.reduce((sum, block) => sum + block.events, 0) / n;
  const brier = forecasts.reduce((sum, p, i) => sum + (p - (events[i] ? 1 : 0)) ** 2, 0) / n;
  const recalibrated = blocks.reduce((sum, block) => sum + block.events * (1 - rate(block)), 0) / n;
  const uncertainty = base * (1 - base);
  return {
    points: blocks.map((block) => ({
      from: block.from,
      to: block.to,
      forecast: block.forecasts / block.count,
      observed: rate(block),
      count: block.count,
    })),
    brier,
    miscalibration: brier - recalibrated,
    discrimination: uncertainty - recalibrated,
    uncertainty,
  };
}
