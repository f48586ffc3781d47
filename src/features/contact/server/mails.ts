import { renderMail } from '#server/platform/mail/layout.ts';
import type { MailMessage } from '#server/platform/mail/message.ts';
import { BRAND } from '#shared/brand.ts';

type Written = { name: string; email: string; subject: string; message: string };

const LONGEST_LINE = 700;
const MOST_LINES = 30;

/** Paragraphs that a mail can hold. */
function linesOf(message: string): string[] {
  const lines = message
    .split(/\r?\n/)
    .flatMap((line) => line.trim().match(new RegExp(`.{1,${LONGEST_LINE}}`, 'gu')) ?? []);
  return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), '… The rest is in the inbox.'] : lines;
}

/** To support. An answer to it goes to the person. */
export async function supportMail(
  { name, email, subject, message }: Written,
  { account, hasScreenshot, link }: { account: string | null; hasScreenshot: boolean; link: string },
): Promise<MailMessage> {
  const mail = await renderMail({
    kind: 'contact',
    to: BRAND.supportEmail,
    subject: `Message: ${subject}`,
    title: subject,
    lines: linesOf(message),
    facts: [
      { label: 'Name', value: name },
      { label: 'Email', value: email },
      { label: 'Account', value: account ?? 'Not signed in' },
      { label: 'Screenshot', value: hasScreenshot ? 'In the inbox' : 'None' },
    ],
    action: { label: 'Open the inbox', url: link },
    because: 'somebody has written by the contact page.',
  });
  return { ...mail, headers: { ...mail.headers, 'Reply-To': email } };
}

/** To whoever has written. Nothing of the message is in it: the address may be somebody else's. */
export const acknowledgementMail = (to: string): Promise<MailMessage> =>
  renderMail({
    kind: 'contact-received',
    to,
    subject: 'We have your message',
    title: 'We have your message',
    lines: [
      'Thank you for writing to us. A person reads it, and answers to this address.',
      'Expected reply within 24-48 hours on business days.',
    ],
    because: 'a message was sent with this address by our contact page. If that was not you, there is nothing to do.',
  });
