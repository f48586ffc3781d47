import type { NewsContent } from '#features/email/server/service.ts';
import type { Delivery, Notice } from '#features/notifications/server/channel.ts';
import { figureText } from '#features/notifications/server/figure-text.ts';
import type { Section } from '#server/platform/mail/blocks.ts';
import { BRAND } from '#shared/brand.ts';
import { age } from '#shared/format.ts';

import type { ValueNow } from './value-now.ts';

export type Every = 'hourly' | 'daily' | 'weekly';

type Input = {
  to: { id: number; email: string; timeZone: string };
  every: Every;
  /** Oldest first. */
  deliveries: readonly Delivery[];
  now: Date;
  valueNow: (metric: string, asset: string | null) => ValueNow | null;
  publicUrl: string;
};

/** More would be no digest. */
const MOST = 100;

const clock = (timeZone: string) => {
  const options = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  const format = new Intl.DateTimeFormat('en-GB', options);
  return (iso: string) => format.format(new Date(iso)).replace(',', '');
};

function groupOf({ category, asset }: Notice): string {
  if (asset !== null) return asset;
  if (category === 'events') return 'Events';
  return category === 'product' ? `News of ${BRAND.name}` : 'Market';
}

/** What an alert told of, and what has become of it since. */
function thenAndNow(notice: Notice, { now, valueNow }: Input): string[] {
  const { metric, value, asset, source } = notice;
  if (metric === null || value === null) return [];
  const then = figureText(metric, value);
  const present = valueNow(metric, asset);
  const origin = source === null ? '' : ` (${source})`;
  if (!present) return [`${then.name}: then ${then.text}${origin}, no value now`];
  const old = age(now.getTime() - Date.parse(present.observedAt)).toLowerCase();
  const today = `now ${figureText(metric, present.value).text} (${present.source}, ${old})`;
  return [`${then.name}: then ${then.text}${origin}, ${today}`];
}

function itemOf({ notice }: Delivery, input: Input, timeOf: (iso: string) => string): Section['items'][number] {
  const { title, body } = notice;
  // The title of a rule's alert is its sentence, cut where it is long.
  const isSame = body.startsWith(title.replace(/…$/, ''));
  return {
    title: `${timeOf(notice.at)} · ${isSame ? body : title}`,
    details: [...(isSame ? [] : [body]), ...thenAndNow(notice, input)],
  };
}

const counted = (count: number) => (count === 1 ? '1 alert' : `${count} alerts`);

/** One mail of what was gathered, by asset and within it by time. */
export function digestContent(input: Input): NewsContent {
  const { to, every, deliveries, publicUrl } = input;
  const timeOf = clock(to.timeZone);
  const ordered = deliveries.toSorted((a, b) => a.notice.at.localeCompare(b.notice.at) || a.id - b.id);
  const shown = ordered.slice(-MOST);
  const groups = Map.groupBy(shown, ({ notice }) => groupOf(notice));
  const sections = [...groups].map(([title, each]) => ({
    title,
    items: each.map((delivery) => itemOf(delivery, input, timeOf)),
  }));
  const title = `Your ${every} digest: ${counted(ordered.length)}`;
  const [first, last] = [ordered[0]?.notice.at ?? '', ordered.at(-1)?.notice.at ?? ''];
  const span = ordered.length === 1 ? `At ${timeOf(first)}` : `From ${timeOf(first)} to ${timeOf(last)}`;
  const left = ordered.length - shown.length;
  return {
    kind: 'digest',
    userId: to.id,
    to: to.email,
    subject: `${title}: ${[...groups.keys()].join(', ')}`,
    title,
    lines: [
      `${span}, ${to.timeZone} time. Each with its value then and now.`,
      ...(left > 0 ? [`These are the newest ${MOST}; ${left} older ones are in the app.`] : []),
    ],
    sections,
    action: { label: 'Open your alerts', url: `${publicUrl}/app/alerts` },
    after: ['What is of high severity is not gathered: it is mailed at once.'],
    because: `you have chosen to get alerts of low and medium severity together, ${every}.`,
  };
}
