import { eventEnd, type Notice } from '#features/notifications/server/notifications/channel.ts';
import { figureText } from '#features/notifications/server/notifications/notice.ts';
import type { Fact } from '#kernel/mail/blocks.ts';
import { type MailContent, renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/smtp.ts';
import { dateTime } from '#shared/format.ts';

import type { EmailContext } from '../context.ts';
import { unsubscribeToken } from '../unsubscribe.ts';

export type NewsContent = Omit<MailContent, 'choices'> & { userId: number };

/** A notification email: it has one-click unsubscribe (RFC 8058) and is sent after account email. */
export async function newsMail(
  { secrets, publicUrl }: Pick<EmailContext, 'secrets' | 'publicUrl'>,
  { userId, ...content }: NewsContent,
): Promise<MailMessage> {
  const unsubscribe = `${publicUrl()}/api/unsubscribe?t=${unsubscribeToken(secrets, { userId, scope: 'all' })}`;
  const choices = { manage: `${publicUrl()}/app/profile?tab=notifications`, unsubscribe };
  return {
    ...(await renderMail({ ...content, choices })),
    headers: { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    bulk: true,
  };
}

/** Local time, such as 'Mon, 23 Nov 2026, 14:30 GMT+1'. Undefined for an unknown zone. */
function localTime(at: Date, timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'shortOffset',
    }).format(at);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Age such as 'less than 1 s', '4 s', '12 min', '3 h', '2 days'. */
function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds === 0) return 'less than 1 s';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

export type NoticeMail = { notice: Notice; to: { id: number; email: string; timeZone: string }; deliveryId: number };

const NEWS_MS = 3_600_000;

type ManageLinks = { kind: string; button: string; because: string };

function manageLinks({ category }: Notice): ManageLinks {
  if (category === 'product')
    return { kind: 'product', button: 'Read more', because: 'you receive product news by email.' };
  if (category === 'events')
    return { kind: 'event', button: 'Open the calendar', because: 'you receive event reminders by email.' };
  if (category === 'rules')
    return { kind: 'alert', button: 'Open your rules', because: 'you receive alerts from your own rules by email.' };
  return { kind: 'alert', button: 'Open your alerts', because: 'you receive market alerts by email.' };
}

const wholeDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function sourceFacts({ source, at }: Notice, now: Date): Fact[] {
  if (source === null) return [];
  return [{ label: 'Source', value: `${source}, ${elapsed(now.getTime() - Date.parse(at))} old at send time` }];
}

function alertFacts(notice: Notice, now: Date): Fact[] {
  const { metric, value, asset, at, severity } = notice;
  const figure = metric === null || value === null ? null : figureText(metric, value);
  return [
    ...(asset === null ? [] : [{ label: 'Asset', value: asset }]),
    ...(figure ? [{ label: figure.name, value: figure.text }] : []),
    ...sourceFacts(notice, now),
    { label: 'Time', value: dateTime(Date.parse(at)) },
    { label: 'Severity', value: capital(severity) },
  ];
}

function eventFacts(notice: Notice, eventDate: string, timeZone: string): Fact[] {
  const at = new Date(eventDate);
  const local = timeZone === 'UTC' || notice.allDay ? undefined : localTime(at, timeZone);
  return [
    { label: 'Date', value: notice.allDay ? wholeDay.format(at) : dateTime(at.getTime()) },
    ...(local ? [{ label: `Your time (${timeZone})`, value: local }] : []),
    { label: 'Impact', value: capital(notice.severity) },
    ...(notice.source === null ? [] : [{ label: 'Source', value: notice.source }]),
  ];
}

/** Market notifications expire after an hour, product news never, reminders as in `eventEnd`. */
function expiryTime(notice: Notice, now: Date): Date | null {
  const end = eventEnd(notice);
  if (end !== null) return new Date(end);
  return notice.category === 'product' ? null : new Date(now.getTime() + NEWS_MS);
}

/** A rule alert's title is its sentence, truncated when long; the full sentence follows in the body. */
function heading({ title, body, asset }: Notice): string {
  if (!body.startsWith(title.replace(/…$/, ''))) return title;
  return asset === null ? 'Your alert rule fired' : `${asset}: your alert rule fired`;
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

type Reminder = { notice: Notice & { eventDate: string }; deliveryId: number };
export const isReminder = (notice: Notice): notice is Reminder['notice'] =>
  notice.category === 'events' && notice.eventDate !== null;

/** The event reminders of one run as one email to one user, the soonest event first. */
export async function remindersMail(
  ctx: EmailContext,
  to: NoticeMail['to'],
  reminders: readonly Reminder[],
): Promise<MailMessage> {
  const ordered = reminders.toSorted((a, b) => a.notice.eventDate.localeCompare(b.notice.eventDate));
  const dates = ordered.map(({ notice }) => notice.eventDate);
  const [first, last] = [dates[0], dates.at(-1)].map((date) => day.format(new Date(date ?? 0)));
  const title = `${ordered.length} upcoming events${first === last ? ` on ${first}` : `, ${first} to ${last}`}`;
  const mail = await newsMail(ctx, {
    ...manageLinks(ordered[0]?.notice as Notice),
    userId: to.id,
    to: to.email,
    subject: title,
    title,
    lines: ordered.map(({ notice }) => `${notice.title}. ${notice.body}`),
    facts: [],
    action: { label: 'Open the calendar', url: `${ctx.publicUrl()}/app/events` },
  });
  const expiresAt = new Date(Math.max(...ordered.map(({ notice }) => eventEnd(notice) ?? 0)));
  return { ...mail, expiresAt, deliveryIds: ordered.map(({ deliveryId }) => deliveryId) };
}

/** One notice as an email to one user. */
export async function noticeMail(ctx: EmailContext, { notice, to, deliveryId }: NoticeMail): Promise<MailMessage> {
  const now = ctx.now();
  const { kind, button, because } = manageLinks(notice);
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
    title: heading(notice),
    lines: [notice.body],
    facts,
    action: { label: button, url: ctx.publicUrl() + notice.path },
    because,
  });
  const expiresAt = expiryTime(notice, now);
  return { ...mail, ...(expiresAt ? { expiresAt } : {}), deliveryIds: [deliveryId] };
}
