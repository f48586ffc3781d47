import type { EventCategory, EventImpact } from '#features/events/contract.ts';
import type { Config } from '#kernel/config.ts';
import type { SourceClient } from '#kernel/http/http-client.ts';

export type Figures = { actual: string | null; forecast: string | null; previous: string | null };
/** Days of UTC. */
export type Interval = { from: string; to: string };

/** One event as one source tells it. */
export type Found = {
  /** The source's own name for it, which stays when its time moves. */
  ref: string;
  /** What the same event has in common with other sources: its kind, or the words of its title. */
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
  /** Who says so, for people; null when the source does not tell where it has it from. */
  publisher: string | null;
  url: string | null;
  figures: Figures | null;
  /** When it was last looked up, where that is not the moment of the answer. */
  checkedAt?: Date;
};

export type Ask = {
  now: Date;
  config: Config;
  signal: AbortSignal;
  /** The chosen days of what is stored of a kind, oldest first. */
  daysOf: (kind: string) => Promise<Date[]>;
};

/** An adapter: what one source knows of the calendar. `read` throws SourceError. */
export type EventSource = {
  /** Id in the source set; computed events have none. */
  source: string;
  /** What its statements are kept under, where a source has more than one. */
  as?: string;
  /** Whose word on a time counts more: 1 who holds the event, 2 who republishes officially, 3 shipped, 4 collectors. */
  rank: 1 | 2 | 3 | 4;
  /** It is read no more often than this. */
  everyMs?: number;
  read: (client: SourceClient, ask: Ask) => Promise<Found[]>;
  /** Its terms exclude use with models: nothing of it is sent to one. */
  excludesModels?: true;
};

/** What follows from a rule or was shipped with the product. */
export type OwnSource = Omit<EventSource, 'read'> & {
  read: (client: SourceClient | null, ask: Ask) => Promise<Found[]>;
  /** Another feature's source that is asked; left out when it is off. */
  asks?: string;
};
