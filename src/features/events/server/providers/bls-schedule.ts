import { z } from 'zod';

import type { SourceDescriptor } from '#server/platform/source-set.ts';

import { KINDS, kindOf } from '../kinds.ts';
import type { EventSource, Found } from '../types.ts';
import { WITH_CONTACT } from './federal-reserve.ts';
import { recurring, unreadable } from './found.ts';
import { type IcsEvent, parseIcs } from './ics.ts';

const SCHEDULE = 'https://www.bls.gov/schedule/';
const BLS = 'Bureau of Labor Statistics';

export const blsSchedule: SourceDescriptor = {
  id: 'bls-schedule',
  name: 'BLS schedule',
  gives: 'Days of release of CPI, PPI, payrolls, job openings',
  homepage: SCHEDULE,
  licence: 'US-government works, public domain',
  attribution: `U.S. ${BLS}`,
  key: 'none',
  options: ({ BLS_SCHEDULE_BASE_URL }) => ({
    baseUrl: BLS_SCHEDULE_BASE_URL,
    headers: WITH_CONTACT,
    perMinute: 10,
    burst: 2,
  }),
};

function toFound({ uid, summary, at, url }: IcsEvent): Found[] {
  const kind = kindOf(summary);
  if (!kind) return [];
  const period = /\bfor (.+)$/i.exec(summary)?.[1];
  const description = `${KINDS[kind].name}${period ? ` for ${period}` : ''}, released by the ${BLS}.`;
  return [
    recurring({
      kind,
      ref: uid ?? `${summary} ${at.toISOString()}`,
      at,
      description,
      publisher: BLS,
      url: url ?? SCHEDULE,
    }),
  ];
}

/** GET /schedule/news_release/bls.ics. */
export const blsReleases: EventSource = {
  source: 'bls-schedule',
  rank: 1,
  everyMs: 2 * 3_600_000,
  async read(client, { signal }) {
    const { data } = await client.get('/schedule/news_release/bls.ics', z.string(), { format: 'text', signal });
    const events = parseIcs(data);
    if (!events) throw unreadable('The BLS schedule is no calendar');
    return events.flatMap(toFound);
  },
};
