import { grouped } from '#shared/format.ts';
import type { TrackCell } from './predictions.ts';

/** Names of tracks that are not vendors. */
export const TRACK_NAMES: Readonly<Record<string, string>> = {
  consensus: 'Consensus',
  huggingface: 'Hugging Face',
  local: 'Built-in analyst',
};

type Scores = Pick<TrackCell, 'brier_climatology' | 'brier_persistence' | 'brier_uniform'>;
/** The reference for skill: the baseline with the lowest Brier score; null before the first graded call. */
export function bestBaseline(cell: Scores): { name: string; brier: number } | null {
  const known = (
    [
      ['base rates', cell.brier_climatology],
      ['persistence', cell.brier_persistence],
      ['uniform', cell.brier_uniform],
    ] as const
  ).flatMap(([name, brier]) => (brier === null ? [] : [{ name, brier }]));
  return known.toSorted((a, b) => a.brier - b.brier)[0] ?? null;
}

type Tested = Pick<TrackCell, 'verdict' | 'p_ahead'>;
export const isTooEarly = ({ verdict, p_ahead: tested }: Tested): boolean =>
  verdict === 'no evidence' && tested === null;

/** The verdict in lower case, for a sentence. */
export const verdictWord = (cell: Tested): string => (isTooEarly(cell) ? 'too early to tell' : cell.verdict);

type Line = { word: string; rest: string };
/** A track at one horizon in one line: 'ahead of base rates', ' · Brier 0.636 vs 0.656 · 1,392 dates'. */
export function recordLine(cell: (Scores & Tested & Pick<TrackCell, 'brier' | 'dates'>) | undefined): Line {
  const best = cell && bestBaseline(cell);
  if (!best || cell.brier === null) return { word: 'no calls graded yet', rest: '' };
  const isAhead = cell.verdict === 'ahead';
  const scores = `Brier ${cell.brier.toFixed(3)} vs ${best.brier.toFixed(3)}${isAhead ? '' : ` for ${best.name}`}`;
  const dates = `${grouped(cell.dates)} ${cell.dates === 1 ? 'date' : 'dates'}`;
  return { word: isAhead ? `ahead of ${best.name}` : verdictWord(cell), rest: ` · ${scores} · ${dates}` };
}

/** Three equally likely directions give a third each; confidence this close to it says little. */
export const isAboutChance = (confidence: number): boolean => Math.round(confidence) <= 38;
