import type { Notice } from '#features/notifications/server/notifications/channel.ts';
import { figureText } from '#features/notifications/server/notifications/notice.ts';
import { BRAND } from '#shared/brand.ts';
import { announcementParts, type ChatPart } from '#shared/chat-text.ts';

export const COMMANDS = [
  { command: 'start', description: 'About this bot' },
  { command: 'verify', description: 'Connect your account: /verify CODE' },
  { command: 'status', description: 'Show connection status' },
  { command: 'help', description: 'Show available commands' },
] as const;

const HELP = COMMANDS.map(({ command, description }) => `/${command} – ${description}`).join('\n');

/** The bot's messages, as plain text. */
export const SAYS = {
  welcome: (where: string) =>
    `Welcome to ${BRAND.name}. This bot delivers your alerts.\n\nTo connect your account, open ${where}, generate a verification code and send it here as /verify CODE.`,
  help: `Commands:\n${HELP}`,
  codeMissing: 'Send your code with the command, for example /verify ABCD2345.',
  wrong: 'This code is invalid, expired or already used. Generate a new one in your profile.',
  tooMany: (minutes: number) =>
    `Too many attempts. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  connected: (where: string) =>
    `Connected. This chat is linked to your ${BRAND.name} account. Choose what you receive at ${where}`,
  movedAway: `Your ${BRAND.name} account was connected to another chat. This chat no longer receives messages.`,
  disconnected: `Disconnected. This chat no longer receives messages from your ${BRAND.name} account.`,
  isConnected: 'This chat is connected and Telegram notifications are on.',
  isSilent: (where: string) => `This chat is connected, but Telegram notifications are off. Turn them on at ${where}`,
  isNotConnected:
    'This chat is not connected. Generate a verification code in your profile and send it as /verify CODE.',
  backAgain: 'Welcome back. This chat is connected again.',
  noAnnouncements: (where: string) =>
    `Announcements are off for this chat. Alerts continue; turn them off at ${where}\n\nSend /start to turn announcements back on.`,
  announcementsAgain: 'Announcements are back on. Send /stop to turn them off.',
  declined: 'Announcements are off. Send /start to turn them back on.',
  nothingToStop: 'This chat is not connected and receives no messages.',
  privateOnly: 'Please message me in a private chat.',
} as const;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const quoted = (address: string) => escaped(address).replaceAll('"', '&quot;');

function toHtml({ text, style, href }: ChatPart): string {
  if (href !== undefined) return `<a href="${quoted(href)}">${escaped(text)}</a>`;
  if (style === 'bold') return `<b>${escaped(text)}</b>`;
  return style === 'italic' ? `<i>${escaped(text)}</i>` : escaped(text);
}

/** An announcement as Bot API HTML, well-formed whatever was typed. */
export const announcementHtml = (text: string): string => announcementParts(text).map(toHtml).join('');

const MARKS = { high: '🔴', medium: '🟠', low: '🔵' } as const;
const MINUTE_MS = 60_000;

/** Such as `5 min old`; anything from the current minute is new. */
function ageText(at: string, now: Date): string {
  const minutes = Math.floor(Math.max(0, now.getTime() - Date.parse(at)) / MINUTE_MS);
  if (minutes < 1) return 'less than a minute old';
  if (minutes < 120) return `${minutes} min old`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h old` : `${Math.floor(hours / 24)} days old`;
}

function valueText({ value, metric }: Notice): string | null {
  if (value === null || metric === null) return null;
  const { name, text } = figureText(metric, value);
  return `${escaped(name)}: <b>${escaped(text)}</b>`;
}

/** A notice as Bot API HTML: title, body, value with source and age, link. */
export function formatMessage(notice: Notice, site: string, now: Date): string {
  const { severity, title, body, source, at, path } = notice;
  if (notice.category === 'announcements') return announcementHtml(body);
  const figure = valueText(notice);
  const origin = `${source ? `${escaped(source)}, ` : ''}${ageText(at, now)}`;
  const link = `<a href="${quoted(site + path)}">Open in ${escaped(BRAND.name)}</a>`;
  return [
    `${MARKS[severity]} <b>${escaped(title)}</b>`,
    body === title ? '' : escaped(body),
    figure === null ? `Source: ${origin}` : `${figure} (${origin})`,
    link,
  ]
    .filter(Boolean)
    .join('\n');
}
