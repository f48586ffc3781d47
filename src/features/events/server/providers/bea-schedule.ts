import { z } from 'zod';

import { contactHeaders } from '#kernel/http/contact.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import { KINDS, kindOf } from '../kinds.ts';
import type { EventSource } from '../types.ts';
import { recurring, unreadable } from './found.ts';

const SCHEDULE = 'https://www.bea.gov/news/schedule';
const BEA = 'Bureau of Economic Analysis';

export const beaSchedule: SourceDescriptor = {
  id: 'bea-schedule',
  name: 'BEA schedule',
  gives: 'Release dates of the PCE price index and GDP',
  homepage: SCHEDULE,
  licence: 'US-government works, public domain',
  attribution: `U.S. ${BEA}`,
  key: 'none',
  options: (config) => ({
    baseUrl: config.BEA_SCHEDULE_BASE_URL,
    headers: contactHeaders(config),
    perMinute: 10,
    burst: 2,
  }),
};

/** Whatever else it holds, such as the moment of its making. */
const schedule = z.record(z.string(), z.unknown());
const release = z.object({ release_dates: z.array(z.unknown()) });
const OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:?\d{2})$/;

/** GET /API/signup/release_dates.json: moments with their offset, by the name of the release. */
export const beaReleases: EventSource = {
  source: 'bea-schedule',
  rank: 1,
  everyMs: 2 * 3_600_000,
  async read(client, { signal }) {
    const { data } = await client.get('/API/signup/release_dates.json', schedule, { signal });
    const named = Object.entries(data).flatMap(([name, value]) => {
      const kind = kindOf(name);
      const parsed = release.safeParse(value);
      return (kind === 'pce' || kind === 'gdp') && parsed.success ? [{ kind, dates: parsed.data.release_dates }] : [];
    });
    if (named.length === 0) throw unreadable('The BEA schedule lists neither GDP nor PCE');
    return named.flatMap(({ kind, dates }) =>
      dates
        .filter((text): text is string => typeof text === 'string' && OFFSET.test(text))
        .map((text) => new Date(text))
        .filter((at) => !Number.isNaN(at.getTime()))
        .map((at) =>
          recurring({
            kind,
            ref: `${kind} ${at.toISOString().slice(0, 10)}`,
            at,
            description: `${KINDS[kind].name}, released by the ${BEA}.`,
            publisher: BEA,
            url: SCHEDULE,
          }),
        ),
    );
  },
};
