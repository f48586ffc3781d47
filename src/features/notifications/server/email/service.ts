export { emailChannel, loadRecipients, STORED_NOTE, suppressionReason } from './channel.ts';
export type { EmailContext } from './context.ts';
export { type NewsContent, newsMail } from './mails/notice.ts';
