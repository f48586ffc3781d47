export { emailChannel, KEPT_NOTE, recipientsOf, refusalOf } from './channel.ts';
export type { EmailContext } from './context.ts';
export { type NewsContent, newsMail } from './mails/notice.ts';
