import type { EventCategory, EventImpact } from '#features/events/contract.ts';
import type { Config } from '#kernel/config.ts';
import type { SourceClient } from '#kernel/http/http-client.ts';

export type Figures = { actual: string | null; forecast: string | null; previous: string | null };
/** UTC days. */
export type Interval = { from: string; to: string };

/** One event as stated by one source. */
export type Found = {
  /** The source's own id, stable when the time changes. */
  ref: string;
  /** Key for matching across sources: its kind, or the words of its title. */
  match: string;
  kind: string | null;
  title: string | null;
  description: string | null;
  category: EventCategory;
  impact: EventImpact;
  why: string;
  at: Date;
  allDay: boolean;
  estimated: boolean;
  interval: Interval | null;
  /** Publisher for display; null when the source does not state its origin. */
  publisher: string | null;
  url: string | null;
  figures: Figures | null;
  /** When it was last checked, if not at the time of the response. */
  checkedAt?: Date;
};

export type ReadContext = {
  now: Date;
  config: Config;
  signal: AbortSignal;
  /** Chosen days of stored events of a kind, oldest first. */
  daysOf: (kind: string) => Promise<Date[]>;
};

/** An adapter for one source's calendar. `read` throws SourceError. */
export type EventSource = {
  /** Id in the source set; computed events have none. */
  source: string;
  /** Name its statements are stored under, if a source has more than one. */
  as?: string;
  /** Precedence for times: 1 organiser, 2 official republisher, 3 shipped, 4 aggregator. */
  rank: 1 | 2 | 3 | 4;
  /** Minimum interval between reads. */
  everyMs?: number;
  read: (client: SourceClient, ask: ReadContext) => Promise<Found[]>;
  /** Its terms exclude use with models: none of its data is sent to one. */
  excludesModels?: true;
};

/** Computed by a rule, or shipped with the product. */
export type OwnSource = Omit<EventSource, 'read'> & {
  read: (client: SourceClient | null, ask: ReadContext) => Promise<Found[]>;
  /** Another feature's source that is used; skipped when it is disabled. */
  asks?: string;
};
