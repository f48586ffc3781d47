import type { Notice } from '#features/notifications/server/channel.ts';
import { figureText } from '#features/notifications/server/figure-text.ts';
import type { Fact } from '#server/platform/mail/blocks.ts';
import type { MailMessage } from '#server/platform/mail/message.ts';
import { dateTime } from '#shared/format.ts';
import type { EmailContext } from '../context.ts';
import { elapsed, localTime } from './local-time.ts';
import { newsMail } from './news.ts';

export type NoticeMail = { notice: Notice; to: { id: number; email: string; timeZone: string }; deliveryId: number };

const NEWS_MS = 3_600_000;

type Ways = { kind: string; button: string; because: string };

function waysOf({ category }: Notice): Ways {
  if (category === 'product')
    return { kind: 'product', button: 'Read more', because: 'news of the product are mailed to you.' };
  if (category === 'events')
    return { kind: 'event', button: 'Open the calendar', because: 'reminders of events are mailed to you.' };
  if (category === 'rules')
    return { kind: 'alert', button: 'Open your rules', because: 'alert rules of your own are mailed to you.' };
  return { kind: 'alert', button: 'Open your alerts', because: 'market alerts are mailed to you.' };
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function birthOf({ source, at }: Notice, now: Date): Fact[] {
  if (source === null) return [];
  return [
    { label: 'Source', value: `${source}, ${elapsed(now.getTime() - Date.parse(at))} old when this was written` },
  ];
}

function alertFacts(notice: Notice, now: Date): Fact[] {
  const { metric, value, asset, at, severity } = notice;
  const figure = metric === null || value === null ? null : figureText(metric, value);
  return [
    ...(asset === null ? [] : [{ label: 'Asset', value: asset }]),
    ...(figure ? [{ label: figure.name, value: figure.text }] : []),
    ...birthOf(notice, now),
    { label: 'Time', value: dateTime(Date.parse(at)) },
    { label: 'Severity', value: capital(severity) },
  ];
}

function eventFacts(notice: Notice, eventDate: string, timeZone: string): Fact[] {
  const at = new Date(eventDate);
  const there = timeZone === 'UTC' ? undefined : localTime(at, timeZone);
  return [
    { label: 'Date', value: dateTime(at.getTime()) },
    ...(there ? [{ label: `Your time, ${timeZone}`, value: there }] : []),
    { label: 'Impact', value: capital(notice.severity) },
    ...(notice.source === null ? [] : [{ label: 'Source', value: notice.source }]),
  ];
}

/** What the market does is news for an hour, an event until it begins. */
function endOf({ category, eventDate }: Notice, now: Date): Date | null {
  if (eventDate !== null) return new Date(eventDate);
  return category === 'product' ? null : new Date(now.getTime() + NEWS_MS);
}

/** The title of a rule's alert is its sentence, cut where it is long: that stands below anyway. */
function headOf({ title, body, asset }: Notice): string {
  if (!body.startsWith(title.replace(/…$/, ''))) return title;
  return asset === null ? 'Your alert rule has fired' : `${asset}: your alert rule has fired`;
}

/** One notice as a mail to one person. */
export async function noticeMail(ctx: EmailContext, { notice, to, deliveryId }: NoticeMail): Promise<MailMessage> {
  const now = ctx.now();
  const { kind, button, because } = waysOf(notice);
  const facts =
    notice.eventDate !== null
      ? eventFacts(notice, notice.eventDate, to.timeZone)
      : kind === 'product'
        ? []
        : alertFacts(notice, now);
  const mail = await newsMail(ctx, {
    kind,
    userId: to.id,
    to: to.email,
    subject: notice.title,
    title: headOf(notice),
    lines: [notice.body],
    facts,
    action: { label: button, url: ctx.publicUrl() + notice.path },
    because,
  });
  const expiresAt = endOf(notice, now);
  return { ...mail, ...(expiresAt ? { expiresAt } : {}), deliveryIds: [deliveryId] };
}
