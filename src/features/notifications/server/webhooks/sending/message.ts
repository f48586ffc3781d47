import { createHmac, randomBytes } from 'node:crypto';

import type { Format } from '#features/notifications/contract/webhooks.ts';
import type { Notice } from '#features/notifications/server/notifications/channel.ts';
import { BRAND } from '#shared/brand.ts';
import type { DataMode } from '#shared/provenance.ts';

export type Message = {
  /** Identifies it across all attempts: `dlv_812`, or `test_…`. */
  id: string;
  createdAt: string;
  notice: Notice;
  /** Absolute URL of `notice.path`. */
  url: string;
  /** Demo data is marked as such everywhere. */
  dataMode: DataMode;
};

const COLORS = { high: 0xe5_48_4d, medium: 0xf5_a6_23, low: 0x6b_b1_ff } as const;
const ZERO_WIDTH = '\u200b';

/** Escapes Discord markup; mentions are also disabled in the message. */
const escapeDiscord = (text: string): string =>
  text.replaceAll(/[\\*_~`|>#[\]()<-]/g, String.raw`\$&`).replaceAll('@', `@${ZERO_WIDTH}`);

/** As Slack documents: with these three escaped there is no mention and no link. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const factsLine = ({ notice: { asset, source, at }, dataMode }: Message): string =>
  [dataMode === 'demo' ? 'Demo data' : null, asset, source, `${at.slice(0, 16).replace('T', ' ')} UTC`]
    .filter((each) => each !== null)
    .join(' · ');

const generic = ({ id, createdAt, notice, url, dataMode }: Message) => ({
  id,
  type: notice.kind,
  createdAt,
  dataMode,
  data: { ...notice, url },
});

function discord(message: Message) {
  const { notice, url } = message;
  const embed = {
    title: escapeDiscord(notice.title).slice(0, 256),
    url,
    description: escapeDiscord(notice.body).slice(0, 4000),
    color: COLORS[notice.severity],
    footer: { text: factsLine(message).slice(0, 2000) },
  };
  return {
    username: BRAND.name,
    content: `**${escapeDiscord(notice.title)}**`,
    embeds: [embed],
    allowed_mentions: { parse: [] },
  };
}

const plain = (text: string, most: number) => ({
  type: 'plain_text',
  text: text.length > most ? `${text.slice(0, most - 1)}…` : text,
  emoji: false,
});

function slack(message: Message) {
  const { notice, url } = message;
  return {
    text: `${escapeSlack(notice.title)}: ${escapeSlack(notice.body)}`,
    blocks: [
      { type: 'header', text: plain(notice.title, 150) },
      { type: 'section', text: plain(notice.body, 3000) },
      { type: 'context', elements: [plain(factsLine(message), 2000)] },
      { type: 'section', text: { type: 'mrkdwn', text: `<${url}|Open in ${BRAND.name}>` } },
    ],
  };
}

const MAKE: Record<Format, (message: Message) => unknown> = { generic, discord, slack };

/** The request body; the same for every attempt. */
export const messageBody = (format: Format, message: Message): string => JSON.stringify(MAKE[format](message));

const SECRET_BYTES = 32;

export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** `t=seconds,v1=hex`, one `v1` per secret: HMAC-SHA256 of `t.body`. */
export function createSignature(secrets: readonly string[], at: Date, body: string): string {
  const t = Math.floor(at.getTime() / 1000);
  const parts = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`);
  return [`t=${t}`, ...parts].join(',');
}
