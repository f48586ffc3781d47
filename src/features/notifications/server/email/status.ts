import type { EmailStatus } from '#features/notifications/contract/email.ts';
import { AppError } from '#kernel/errors.ts';
import type { EmailContext } from './context.ts';
import { findRecipients, forgive } from './store.ts';
import { hashIn, pausedNote } from './suppressions.ts';

type Context = Pick<EmailContext, 'db' | 'now' | 'secrets'>;

async function recipientOf({ db, now, secrets }: Context, userId: number) {
  const recipient = (await findRecipients(db, [userId], now(), hashIn(secrets))).get(userId);
  if (!recipient) throw new AppError('not_found', 'Account not found');
  return recipient;
}

export async function readStatus(ctx: Context, userId: number): Promise<EmailStatus> {
  const { email, suppression } = await recipientOf(ctx, userId);
  if (!suppression) return { address: email, suppressed: null };
  const { reason, until, at } = suppression;
  return { address: email, suppressed: { reason, until, at, note: pausedNote(suppression) } };
}

/** Says the same when nothing was paused. */
export async function resume(ctx: Context, userId: number): Promise<EmailStatus> {
  const { email, suppression } = await recipientOf(ctx, userId);
  if (suppression?.reason === 'refused')
    throw new AppError(
      'conflict',
      'This address permanently rejects email. Change it, or make sure it can receive account emails.',
    );
  await forgive(ctx.db, hashIn(ctx.secrets)(email), email, 'unreachable');
  return readStatus(ctx, userId);
}
