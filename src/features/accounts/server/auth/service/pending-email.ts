import type { Db } from '#kernel/db.ts';

import { dropLinks } from '../store/links.ts';
import { clearPendingEmail } from '../store/users.ts';

/** The address that waits is forgotten, and the link to it leads nowhere. False when none waited. */
export async function dropEmailChange(tx: Db, userId: number): Promise<boolean> {
  await dropLinks(tx, userId, 'change_email');
  return clearPendingEmail(tx, userId);
}
