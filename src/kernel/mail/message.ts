export type MailMessage = {
  /** What it is for, such as 'reset'. */
  kind: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  headers?: Record<string, string>;
  /** Notification email: sent after account email. */
  bulk?: boolean;
  /** Not sent from then on. */
  expiresAt?: Date;
  /** The notifications it carries: each of them has at most one mail. */
  deliveryIds?: readonly number[];
};

/** The part of a mail that is sealed at rest. */
export type MailBody = Required<Pick<MailMessage, 'html' | 'text' | 'headers'>>;

const LONGEST_LINE = 250;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const ADDRESS = /^[^\s<>@,;:"()[\]\\\p{Cc}]+@[^\s<>@,;:"()[\]\\\p{Cc}]+$/u;
const HEADER_NAME = /^[A-Za-z][A-Za-z-]*$/;

/** One visible line: no break, no character that hides or turns others, no more than a header may hold. */
export function oneLine(text: string, longest = LONGEST_LINE): string {
  const line = text.toWellFormed().replaceAll(UNSEEN, ' ').replaceAll(/ {2,}/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line;
}

/** True for one address that a mail can be written to. */
export const isPlainAddress = (text: string): boolean => ADDRESS.test(text);

/** The mail as it may be stored and sent; throws for an address that would be several, or none. */
export function checkedMessage({
  kind,
  to,
  subject,
  html,
  text,
  headers = {},
}: MailMessage): Omit<Required<MailMessage>, 'bulk' | 'expiresAt' | 'deliveryIds'> {
  if (!isPlainAddress(to)) throw new Error('A mail needs one plain address');
  const checked = Object.entries(headers).map(([name, value]) => {
    if (!HEADER_NAME.test(name)) throw new Error(`A mail header cannot be called ${JSON.stringify(name)}`);
    return [name, oneLine(value, 900)];
  });
  return { kind, to, subject: oneLine(subject), html, text, headers: Object.fromEntries(checked) };
}
