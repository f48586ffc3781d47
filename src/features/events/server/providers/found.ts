import { SourceError } from '#kernel/http/source-error.ts';
import { easternTime } from '#shared/release-calendar.ts';

import { KINDS, type Kind, type KindId } from '../kinds.ts';
import { judgeKind } from '../rules.ts';
import type { Found } from '../types.ts';

/** What an event is where its source says nothing else. */
export const BARE = {
  kind: null,
  title: null,
  description: null,
  allDay: false,
  estimated: false,
  interval: null,
  publisher: null,
  url: null,
  figures: null,
} as const;

type Recurring = Partial<Found> & { kind: KindId; ref: string; at: Date };

/** An event of a recurring kind: named, sorted in and rated by the table. */
export const recurring = ({ kind, ...more }: Recurring): Found => ({
  ...BARE,
  match: kind,
  kind,
  title: KINDS[kind].name,
  ...judgeKind(kind),
  ...more,
});

/** The hour at which this kind comes out, on a day in New York. */
export function atUsualTime(kind: KindId, day: string): Date {
  const known: Kind = KINDS[kind];
  return easternTime(day, known.time);
}

export const unreadable = (what: string): SourceError => new SourceError('body', what);
