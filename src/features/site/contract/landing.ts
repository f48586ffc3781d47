import type { RaisedAlert } from '#features/alerts/contract/alerts.ts';
import type { ProviderOpinion, TermView } from '#features/analysis/contract/analysis.ts';
import type { TrackCell } from '#features/analysis/contract/predictions.ts';
import type { UpcomingEvent } from '#features/events/contract.ts';
import type { Expectation, HistoryPoint } from '#features/inflation/contract.ts';
import type { CryptoPrice, SourceQuote } from '#features/market/contract/market.ts';

/** A graded call as a bar of the strip; `sure` is the probability that was given to what was called, 0 to 1. */
type StripCall = { hit: boolean; sure: number };

export type LandingRecord = {
  scoredAt: string;
  /** Graded calls of every analyst, the consensus apart. */
  graded: number;
  /** The newest of them, newest first, with the moments between which they were issued and settled. */
  strip: { calls: StripCall[]; issuedFrom: string; settledTo: string } | null;
  /** The cell with the most independent dates. */
  headline: RecordCell | null;
  /** The models in use at 24 hours. */
  cells: RecordCell[];
};
export type RecordCell = Pick<
  TrackCell,
  'provider' | 'model' | 'horizon' | 'verdict' | 'p_ahead' | 'n' | 'n_eff' | 'hit_rate' | 'hit_interval' | 'skill'
>;

/** What was said last: by all together, and by each. */
type Stand = Pick<TermView, 'market_direction' | 'confidence'>;
type Stands = { check_point: Stand; short_term: Stand; medium_term: Stand; long_term: Stand };
export type LandingOutlook = {
  at: string;
  consensus: Stands;
  opinions: (Pick<ProviderOpinion, 'id' | 'name' | 'letter' | 'built_in'> & Stands)[];
};

/** The newest print of the consumer prices against what was expected of it; changes in percent a month. */
export type LandingCpi = {
  period: string;
  releasedOn: string;
  headline: Expectation;
  core: Expectation;
  /** 24 reference months, oldest first. */
  months: HistoryPoint[];
  /** Up to when figures are true ones, where later ones are simulated. */
  note: string | null;
};

/** What the landing page shows beside prices: every part is null or empty until the instance has it. */
export type LandingFacts = {
  /** Values kept of prices and metrics, as the database estimates its rows. */
  observations: number;
  /** What each source said last of the tracked coins. */
  quotes: { symbol: string; name: string; quotes: Pick<SourceQuote, 'source' | 'price' | 'meta'>[] }[];
  record: LandingRecord;
  outlook: LandingOutlook | null;
  /** The newest that everyone with a paid plan had an hour ago. */
  alert: RaisedAlert | null;
  events: { next: UpcomingEvent[]; ahead: number };
  cpi: LandingCpi | null;
  api: {
    /** The beginning of what a call answers now. */
    answer: { timestamp: string; dataMode: string; prices: CryptoPrice[] } | null;
    /** The prices of the tracked coins as a file; `sha256` of its bytes, hex. */
    csv: { text: string; sha256: string } | null;
  };
};
