import { type MailContent, renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';

import type { EmailContext } from '../context.ts';
import { unsubscribeToken } from '../token.ts';

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
