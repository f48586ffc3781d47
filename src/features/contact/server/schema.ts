import type { Generated } from 'kysely';

import type { MessageStatus } from '#features/contact/contract.ts';

type ContactMessagesTable = {
  id: Generated<number>;
  user_id: number | null;
  name: string;
  email: string;
  subject: string;
  message: string;
  screenshot: Buffer | null;
  screenshot_type: string | null;
  status: MessageStatus;
  created_at: string;
  settled_at: string | null;
};

declare module '#kernel/db.ts' {
  interface Tables {
    contact_messages: ContactMessagesTable;
  }
}
