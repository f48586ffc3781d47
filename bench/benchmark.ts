export type Goal = { atLeast: number } | { atMost: number } | null;

export type Result = {
  name: string;
  n: number;
  unit: string;
  subject: number;
  baseline: number | null;
  /** The value compared with the goal: subject over baseline, or the subject itself where the goal is a budget. */
  ratio: number;
  goal: string | null;
  pass: boolean;
};

export type Context = {
  /** Smaller sizes, ratios only, and 25% slack, because other programs share the machine. */
  ci: boolean;
  emit: (reading: Reading) => void;
  note: (text: string) => void;
  /** Runs when the benchmark ends, even on failure, last registered first. */
  cleanUp: (step: () => unknown) => void;
};

export type Reading = {
  name: string;
  n: number;
  unit: string;
  subject: number;
  baseline?: number;
  ratio: number;
  goal?: Goal;
  /** Share by which the goal may be missed here; 0 for counts and sizes, which do not depend on machine load. */
  slack?: number;
};

export type Benchmark = { names: string[]; run: (context: Context) => Promise<void> };

const CI_SLACK = 0.25;

const rounded = (value: number) => Number(value.toPrecision(4));

/** A reading without a goal is informational and always passes. */
export function evaluate({ goal = null, slack, baseline, ...reading }: Reading, ci: boolean): Result {
  const tolerance = 1 + (slack ?? (ci ? CI_SLACK : 0));
  const minimum = goal && 'atLeast' in goal ? goal.atLeast : undefined;
  const maximum = goal && 'atMost' in goal ? goal.atMost : undefined;
  const { ratio } = reading;
  const isMet =
    (minimum === undefined || ratio >= minimum / tolerance) && (maximum === undefined || ratio <= maximum * tolerance);
  return {
    ...reading,
    subject: rounded(reading.subject),
    baseline: baseline === undefined ? null : rounded(baseline),
    ratio: rounded(ratio),
    goal: minimum === undefined ? (maximum === undefined ? null : `<= ${maximum}`) : `>= ${minimum}`,
    pass: isMet && Number.isFinite(ratio),
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const midpoint = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[midpoint] as number)
    : ((sorted[midpoint - 1] as number) + (sorted[midpoint] as number)) / 2;
}

/**
 * Runs both sides alternately, `rounds` times, swapping their order each time. The ratio is the median of the ratios
 * per round, because other processes disturb both halves of a round alike.
 */
export async function interleave(
  rounds: number,
  subject: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<{ subject: number; baseline: number; perRound: number[]; ratio: number }> {
  const pairs: { subject: number; baseline: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await subject();
      pairs.push({ subject: first, baseline: await baseline() });
    } else {
      const first = await baseline();
      pairs.push({ baseline: first, subject: await subject() });
    }
  }
  const ratios = pairs.map((pair) => pair.subject / pair.baseline);
  return {
    subject: median(pairs.map((pair) => pair.subject)),
    baseline: median(pairs.map((pair) => pair.baseline)),
    perRound: ratios,
    ratio: median(ratios),
  };
}
