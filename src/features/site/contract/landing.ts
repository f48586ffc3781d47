import type { RaisedAlert } from '#features/alerts/contract/alerts.ts';
import type { ProviderOpinion, TermView } from '#features/analysis/contract/analysis.ts';
import type { TrackCell } from '#features/analysis/contract/predictions.ts';
import type { UpcomingEvent } from '#features/events/contract.ts';
import type { Expectation, HistoryPoint } from '#features/inflation/contract.ts';
import type { CryptoPrice, SourceQuote } from '#features/market/contract/market.ts';

/** A graded call as a bar of the strip; `sure` is the probability assigned to the called outcome, 0 to 1. */
type StripCall = { hit: boolean; sure: number };

export type LandingRecord = {
  scoredAt: string;
  /** Graded calls of every analyst, excluding the consensus. */
  graded: number;
  /** The newest of them, newest first, with the times between which they were issued and settled. */
  strip: { calls: StripCall[]; issuedFrom: string; settledTo: string } | null;
  /** The cell with the most independent dates. */
  headline: RecordCell | null;
  /** The models in use, at 24 hours. */
  cells: RecordCell[];
};
export type RecordCell = Pick<
  TrackCell,
  'provider' | 'model' | 'horizon' | 'verdict' | 'p_ahead' | 'n' | 'n_eff' | 'hit_rate' | 'hit_interval' | 'skill'
>;

/** The latest view: consensus and each analyst. */
type Stand = Pick<TermView, 'market_direction' | 'confidence'>;
type Stands = { check_point: Stand; short_term: Stand; medium_term: Stand; long_term: Stand };
export type LandingOutlook = {
  at: string;
  consensus: Stands;
  opinions: (Pick<ProviderOpinion, 'id' | 'name' | 'letter' | 'built_in'> & Stands)[];
};

/** The newest CPI release compared with its expectation; changes in percent per month. */
export type LandingCpi = {
  period: string;
  releasedOn: string;
  headline: Expectation;
  core: Expectation;
  /** 24 reference months, oldest first. */
  months: HistoryPoint[];
  /** The date up to which figures are official, if later ones are simulated. */
  note: string | null;
};

/** Content of the landing page besides prices: every part is null or empty until available. */
export type LandingFacts = {
  /** Stored values of prices and metrics, as estimated by the database. */
  observations: number;
  /** The latest quotes of each source for the tracked coins. */
  quotes: { symbol: string; name: string; quotes: Pick<SourceQuote, 'source' | 'price' | 'meta'>[] }[];
  record: LandingRecord;
  outlook: LandingOutlook | null;
  /** The newest market alert that is at least an hour old. */
  alert: RaisedAlert | null;
  events: { next: UpcomingEvent[]; ahead: number };
  cpi: LandingCpi | null;
  api: {
    /** The start of a current API response. */
    answer: { timestamp: string; dataMode: string; prices: CryptoPrice[] } | null;
    /** The prices of the tracked coins as a file; `sha256` of its bytes, hex. */
    csv: { text: string; sha256: string } | null;
  };
};
