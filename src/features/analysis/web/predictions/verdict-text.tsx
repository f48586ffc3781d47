import { bestBaseline, isTooEarly, TRACK_NAMES, verdictWord } from '#features/analysis/contract/brief.ts';
import type { Direction, Horizon, TrackCell, Verdict } from '#features/analysis/contract/predictions.ts';
import { grouped } from '#shared/format.ts';
import { standInName } from '#shared/stand-ins.ts';
import type { Tone } from '#ui/badge.tsx';
import { cx } from '#ui/cx.ts';
import { plainName } from '#ui/source-names.ts';

type Speaker = { provider: string; model: string };
export const providerName = ({ provider, model }: Speaker): string =>
  standInName(model) ?? TRACK_NAMES[provider] ?? plainName(provider.replace(/^league:/, 'forecaster-'));

export const HORIZON_WORDS: Record<Horizon, string> = {
  '24h': '24 hours',
  '7d': '7 days',
  '28d': '28 days',
  '180d': '180 days',
};

const DIRECTIONS: Record<Direction, { word: string; dir: 'up' | 'flat' | 'down' }> = {
  BULLISH: { word: 'Up', dir: 'up' },
  NEUTRAL: { word: 'Flat', dir: 'flat' },
  BEARISH: { word: 'Down', dir: 'down' },
};

type Wording = { word: string; tone: Tone; sentence: string };

/** The verdict label and its meaning. */
export const VERDICTS: Record<Verdict, Wording> = {
  ahead: {
    word: 'Ahead',
    tone: 'up',
    sentence: 'Statistically better than every baseline, corrected for multiple testing.',
  },
  behind: {
    word: 'Behind',
    tone: 'down',
    sentence: 'Statistically worse than base rates, corrected for multiple testing.',
  },
  'no evidence': {
    word: 'No evidence',
    tone: 'plain',
    sentence: 'Indistinguishable from chance: neither better nor worse than the baselines.',
  },
  'too few independent windows': {
    word: 'Too few independent windows',
    tone: 'plain',
    sentence: 'Windows this long overlap. A test of skill needs 60 that do not, which takes years.',
  },
};

const TOO_EARLY = 'Too early to tell: a verdict needs 60 independent windows.';

/** The verdict of a cell, or that it has not been tested yet. */
export function wording(cell: Pick<TrackCell, 'verdict' | 'p_ahead'>): Wording {
  const verdict = VERDICTS[cell.verdict];
  return isTooEarly(cell) ? { ...verdict, sentence: TOO_EARLY } : verdict;
}

const MINUS = '\u2212';
export const share = (value: number): string => `${(100 * value).toFixed(1)}%`;
export const pValue = (p: number): string => (p < 0.001 ? '<0.001' : p.toFixed(3));
export const score = (value: number): string => value.toFixed(4);
export const signed = (value: number, decimals = 1): string => {
  const text = Math.abs(value).toFixed(decimals);
  if (Number(text) === 0) return text;
  return (value < 0 ? MINUS : '+') + text;
};
export const skillText = (skill: number): string => `${signed(100 * skill)}%`;

type Toned = 'text-up' | 'text-warn' | 'text-down';
export function tone(value: number, good: number, fair: number): Toned {
  if (value >= good) return 'text-up';
  return value >= fair ? 'text-warn' : 'text-down';
}

type Brief = Parameters<typeof bestBaseline>[0] &
  Pick<TrackCell, 'horizon' | 'verdict' | 'p_ahead' | 'n' | 'dates' | 'pending' | 'brier' | 'ranges'>;

/** A track at one horizon in one sentence: "24h: ahead." "Brier 0.640 vs 0.653 for base rates over 1,034 days; …" */
export function verdictBrief(cell: Brief): { horizon: Horizon; word: string; rest: string } {
  const { horizon, n, dates, pending, brier, ranges } = cell;
  const best = bestBaseline(cell);
  if (n === 0 || brier === null || !best)
    return {
      horizon,
      word: 'no graded call yet',
      rest: pending === 0 ? '' : `${grouped(pending)} ${pending === 1 ? 'call is' : 'calls are'} open.`,
    };
  const scored = `Brier ${brier.toFixed(3)} vs ${best.brier.toFixed(3)} for ${best.name} over ${grouped(dates)} ${dates === 1 ? 'day' : 'days'}`;
  const coverage = ranges ? `; 80% ranges held ${share(ranges.coverage_80)}` : '';
  return {
    horizon,
    word: verdictWord(cell),
    rest: `${scored}${coverage}.`,
  };
}

type Key = Pick<TrackCell, 'provider' | 'model' | 'horizon'>;
export const cellKey = ({ provider, model, horizon }: Key): string => `${provider}~${model}~${horizon}`;
export const trackKey = ({ provider, model }: Key): string => `${provider}\n${model}`;

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
