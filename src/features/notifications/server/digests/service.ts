import { currentValue, type ThresholdsContext } from '#features/alerts/server/thresholds/service.ts';
import type { Market } from '#features/market/server/market/service.ts';
import type { Metrics } from '#features/market/server/metrics/service.ts';
import {
  type EmailContext,
  loadRecipients,
  type NewsContent,
  newsMail,
  STORED_NOTE,
  suppressionReason,
} from '#features/notifications/server/email/service.ts';
import type { Delivery, Notice } from '#features/notifications/server/notifications/channel.ts';
import { figureText } from '#features/notifications/server/notifications/notice.ts';
import type { Notifications } from '#features/notifications/server/notifications/service.ts';
import { errorMessage } from '#kernel/errors.ts';
import type { Section } from '#kernel/mail/blocks.ts';
import { BRAND } from '#shared/brand.ts';
import { hasOrigin } from '#shared/figures.ts';
import { age } from '#shared/format.ts';
import { findWatched } from '#shared/watched.ts';

import { readDigestSetting } from './store.ts';

export type DigestsContext = {
  email: EmailContext;
  notifications: Pick<Notifications, 'digestDue' | 'takeDigest' | 'settle'>;
  market: Market;
  metrics: Metrics;
  /** The metrics watched by users' rules. */
  thresholds: ThresholdsContext;
  /** The market brief, the first part of daily and weekly digests. */
  briefSection: () => Section;
};

type ValueNow = { value: number; source: string; observedAt: string };

/** Change metrics have a current value too, but a sigma needs more than the present. */
const HAS_NO_PRESENT = /~sigma$/;

function findChange({ market }: DigestsContext, symbol: string | null): ValueNow | null {
  const coin = market.ctx.board.prices().find((each) => each.symbol === symbol);
  if (!coin || coin.change_24h === null) return null;
  return { value: coin.change_24h, source: coin.meta.source, observedAt: coin.meta.observedAt };
}

/** Current value of an alert's metric, with source and time; null without one. */
function valueNow(ctx: DigestsContext, metric: string, asset: string | null): ValueNow | null {
  if (HAS_NO_PRESENT.test(metric)) return null;
  if (metric === 'coin.change') return findChange(ctx, asset);
  if (findWatched(metric.split('~')[0] ?? '')) {
    const present = currentValue(ctx.thresholds, metric);
    return present && { value: present.value, source: present.meta.source, observedAt: present.meta.observedAt };
  }
  const { value, meta } = ctx.metrics.current().snapshot.figure(metric);
  return value === null || !hasOrigin(meta) ? null : { value, source: meta.source, observedAt: meta.observedAt };
}

type DigestInterval = 'hourly' | 'daily' | 'weekly';

type Input = {
  to: { id: number; email: string; timeZone: string };
  every: DigestInterval;
  /** Oldest first. */
  deliveries: readonly Delivery[];
  /** Null in an hourly digest. */
  brief: Section | null;
  now: Date;
  valueNow: (metric: string, asset: string | null) => ValueNow | null;
  publicUrl: string;
};

/** Beyond this it would not be a digest. */
const MOST = 100;

const clock = (timeZone: string) => {
  const options = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  const format = new Intl.DateTimeFormat('en-GB', options);
  return (iso: string) => format.format(new Date(iso)).replace(',', '');
};

function digestGroup({ category, asset }: Notice): string {
  if (asset !== null) return asset;
  if (category === 'events') return 'Events';
  return category === 'product' ? `${BRAND.name} news` : 'Market';
}

/** Value of an alert when raised, and now. */
function beforeAndAfter(notice: Notice, { now, valueNow }: Input): string[] {
  const { metric, value, asset, source } = notice;
  if (metric === null || value === null) return [];
  const then = figureText(metric, value);
  const present = valueNow(metric, asset);
  const origin = source === null ? '' : ` (${source})`;
  if (!present) return [`${then.name}: ${then.text}${origin}, no current value`];
  const old = age(now.getTime() - Date.parse(present.observedAt)).toLowerCase();
  const today = `now ${figureText(metric, present.value).text} (${present.source}, ${old})`;
  return [`${then.name}: ${then.text}${origin}, ${today}`];
}

function digestItem({ notice }: Delivery, input: Input, timeOf: (iso: string) => string): Section['items'][number] {
  const { title, body } = notice;
  // A rule alert's title is its sentence, truncated when long.
  const isSame = body.startsWith(title.replace(/…$/, ''));
  return {
    title: `${timeOf(notice.at)} · ${isSame ? body : title}`,
    details: [...(isSame ? [] : [body]), ...beforeAndAfter(notice, input)],
  };
}

const counted = (count: number) => (count === 1 ? '1 alert' : `${count} alerts`);

/** One digest email, grouped by asset and ordered by time. */
function digestContent(input: Input): NewsContent {
  const { to, every, deliveries, brief, publicUrl } = input;
  const timeOf = clock(to.timeZone);
  const ordered = deliveries.toSorted((a, b) => a.notice.at.localeCompare(b.notice.at) || a.id - b.id);
  const shown = ordered.slice(-MOST);
  const groups = Map.groupBy(shown, ({ notice }) => digestGroup(notice));
  const sections = [...groups].map(([title, each]) => ({
    title,
    items: each.map((delivery) => digestItem(delivery, input, timeOf)),
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
      `${span}, ${to.timeZone} time. Each alert shows its value then and now.`,
      ...(left > 0 ? [`Showing the latest ${MOST}; ${left} older alerts are in the app.`] : []),
    ],
    sections: [...(brief ? [brief] : []), ...sections],
    action: { label: 'Open your alerts', url: `${publicUrl}/app/alerts` },
    after: ['High-severity alerts are emailed immediately.'],
    because: `you chose a digest of low- and medium-severity alerts (${every}).`,
  };
}

/**
 * Takes one user's collected deliveries and queues them as one email, all or nothing. False when nothing was left to
 * send.
 */
async function postDigest(ctx: DigestsContext, userId: number): Promise<boolean> {
  const { email, notifications } = ctx;
  return email.db.transaction().execute(async (tx) => {
    const deliveries = await notifications.takeDigest(tx, userId);
    if (deliveries.length === 0) return false;
    const ids = deliveries.map(({ id }) => id);
    const to = (await loadRecipients(email, tx, [userId])).get(userId);
    const refusal = suppressionReason(email, to);
    if (refusal || !to) {
      for (const id of ids) await notifications.settle(tx, id, refusal ?? { state: 'dropped', note: '' });
      return false;
    }
    const every = await readDigestSetting(tx, userId);
    const content = digestContent({
      to,
      every,
      deliveries,
      brief: every === 'hourly' ? null : ctx.briefSection(),
      now: email.now(),
      valueNow: (metric, asset) => valueNow(ctx, metric, asset),
      publicUrl: email.publicUrl(),
    });
    await email.mail.enqueue(tx, { ...(await newsMail(email, content)), deliveryIds: ids });
    if (email.mail.delivery === 'outbox')
      for (const id of ids) await notifications.settle(tx, id, { state: 'sent', note: STORED_NOTE[email.mode] });
    return true;
  });
}

/** Sends every digest that is due and returns how many emails. A failed one does not block the others and stays due. */
export async function collectDigests(ctx: DigestsContext, signal: AbortSignal): Promise<number> {
  const { db, now, report } = ctx.email;
  let posted = 0;
  for (const userId of await ctx.notifications.digestDue(db, now())) {
    if (signal.aborted) break;
    try {
      if (await postDigest(ctx, userId)) posted += 1;
    } catch (error) {
      report('digests', 'system', 'Failed to send a digest', { userId, error: errorMessage(error) });
    }
  }
  return posted;
}
