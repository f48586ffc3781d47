import { type AuthContext, requireProof } from '#features/accounts/server/auth/service.ts';
import { AUDIENCES, type Audience, type Broadcast } from '#features/notifications/contract/telegram.ts';
import { announce, findReaders, readProgress, withdraw } from '#features/notifications/server/notifications/service.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { chatParts, shownText } from '#shared/chat-text.ts';
import type { BotAccess, TelegramContext } from './context.ts';
import {
  addBroadcast,
  broadcastsSince,
  findBroadcast,
  finishBroadcast,
  lockBroadcasts,
  markCancelled,
  newestBroadcasts,
  openBroadcasts,
  type StoredBroadcast,
} from './store/broadcasts.ts';
import { countBlocked, reachableUsers } from './store/chats.ts';

const DAY_MS = 86_400_000;
const MAX_PER_DAY = 10;
const PAGE = 20;
const RANKS = ['free', 'pro', 'premium', 'admin'] as const;

type Context = TelegramContext & { auth: AuthContext };

export function getBot({ bot }: TelegramContext): BotAccess {
  if (!bot) throw new AppError('conflict', 'No Telegram bot is configured');
  return bot;
}

const broadcastKey = (id: number) => `broadcast:${id}`;

/** Who each audience would reach now, and who is left out. */
export async function readAudience({ db, bot, now }: TelegramContext) {
  const readers = await findReaders(db, reachableUsers(bot?.id ?? null), now());
  const people = Object.fromEntries(AUDIENCES.map((each) => [each, 0])) as Record<Audience, number>;
  const left = { blocked: bot ? await countBlocked(db, bot.id) : 0, switchedOff: 0, declined: 0 };
  for (const { rank, wanting, switchedOff, declined } of readers) {
    people.all += wanting;
    left.switchedOff += switchedOff;
    left.declined += declined;
    const plan = RANKS[rank];
    if (plan && plan !== 'admin') people[plan] += wanting;
  }
  return { people, left };
}

/** Current state; a broadcast with nothing left pending is closed. */
async function toBroadcast(
  { db, now }: Pick<TelegramContext, 'now'> & { db: Db },
  row: StoredBroadcast,
): Promise<Broadcast> {
  const { id, text, audience, people, createdAt, createdBy, cancelledAt, finishedAt } = row;
  const base = { id, text, audience, people, createdAt, createdBy };
  const { sent, failed, skipped, cancelled } = row;
  const outcome = cancelledAt === null ? ('sent' as const) : ('cancelled' as const);
  if (finishedAt !== null)
    return { ...base, state: outcome, finishedAt, sent, failed, skipped, cancelled, waiting: 0, held: 0 };
  const progress = await readProgress(db, broadcastKey(id), now());
  const { waiting = 0, held = 0, isMade = true, withdrawn = 0 } = progress ?? {};
  const delivered = { sent: progress?.sent ?? 0, failed: progress?.failed ?? 0 };
  const skippedSoFar = progress?.skipped ?? 0;
  // Users without a delivery: not created yet, removed by cancellation, or left between counting and sending.
  const rest = Math.max(0, people - delivered.sent - delivered.failed - skippedSoFar - withdrawn - waiting);
  const isCancelled = cancelledAt !== null;
  const counts = {
    ...delivered,
    skipped: skippedSoFar + (isMade && !isCancelled ? rest : 0),
    cancelled: withdrawn + (isCancelled ? rest : 0),
  };
  if (waiting > 0 || !isMade) {
    const state = isCancelled ? ('stopping' as const) : ('running' as const);
    return { ...base, state, finishedAt: null, ...counts, waiting: waiting + (isMade ? 0 : rest), held };
  }
  const at = now();
  await finishBroadcast(db, id, counts, at);
  return { ...base, state: outcome, finishedAt: at.toISOString(), ...counts, waiting: 0, held: 0 };
}

/** Records the end of completed broadcasts. */
export async function closeBroadcasts(ctx: Pick<TelegramContext, 'db' | 'now'>): Promise<Broadcast[]> {
  const views: Broadcast[] = [];
  for (const row of await openBroadcasts(ctx.db)) views.push(await toBroadcast(ctx, row));
  return views.filter(({ finishedAt }) => finishedAt === null);
}

export async function listBroadcasts(ctx: TelegramContext, before: number | undefined) {
  const rows = await newestBroadcasts(ctx.db, before, PAGE + 1);
  const broadcasts: Broadcast[] = [];
  for (const row of rows.slice(0, PAGE)) broadcasts.push(await toBroadcast(ctx, row));
  return { broadcasts, more: rows.length > PAGE };
}

async function rejectTooMany(tx: Db, now: Date): Promise<void> {
  const begun = await broadcastsSince(tx, new Date(now.getTime() - DAY_MS));
  const oldest = begun.at(-MAX_PER_DAY);
  if (!oldest) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + DAY_MS - now.getTime()) / 1000));
  throw new AppError('rate_limited', `Limit reached: ${MAX_PER_DAY} announcements per day`, { retryAfterSeconds });
}

type Wanted = { key: string; text: string; audience: Audience };

/** One broadcast per key: an announcement from which the workers create one delivery per user. */
export async function sendBroadcast(ctx: Context, caller: Caller, { key, text, audience }: Wanted): Promise<Broadcast> {
  await requireProof(ctx.auth, caller);
  getBot(ctx);
  return ctx.db.transaction().execute(async (tx) => {
    const inside = { ...ctx, db: tx };
    await lockBroadcasts(tx);
    const before = await findBroadcast(tx, { key });
    if (before) {
      if (before.text !== text || before.audience !== audience || before.authorId !== caller.userId)
        throw new AppError('conflict', 'This announcement was already sent with a different text or audience');
      return toBroadcast(inside, before);
    }
    if ((await closeBroadcasts(inside)).length > 0)
      throw new AppError('conflict', 'Another announcement is being sent. Wait for it to finish, or cancel it.');
    const at = ctx.now();
    await rejectTooMany(tx, at);
    const people = (await readAudience(inside)).people[audience];
    if (people === 0) throw new AppError('conflict', 'No recipients: no connected chat matches this audience');
    const id = await addBroadcast(tx, { key, text, audience, people, createdBy: caller.userId, at });
    const [title = ''] = shownText(chatParts(text)).split('\n', 1);
    await announce(
      tx,
      {
        once: broadcastKey(id),
        subject: broadcastKey(id),
        kind: 'BOT_ANNOUNCEMENT',
        severity: 'low',
        audience,
        notice: { title, body: text, path: '/app', tag: `broadcast-${id}` },
        expiresAt: new Date(at.getTime() + DAY_MS),
      },
      at,
    );
    const details = { broadcast: id, audience, people };
    await audit(tx, { at, actorId: caller.userId, subjectId: null, action: 'telegram.broadcast', details });
    return toBroadcast(inside, await getBroadcast(tx, id));
  });
}

async function getBroadcast(db: Db, id: number): Promise<StoredBroadcast> {
  const row = await findBroadcast(db, { id });
  if (!row) throw new AppError('not_found', 'Announcement not found');
  return row;
}

/** Messages in flight may still arrive. */
export async function cancelBroadcast(ctx: TelegramContext, caller: Caller, id: number): Promise<Broadcast> {
  return ctx.db.transaction().execute(async (tx) => {
    const inside = { ...ctx, db: tx };
    await toBroadcast(inside, await getBroadcast(tx, id));
    const at = ctx.now();
    if (!(await markCancelled(tx, id, at))) throw new AppError('conflict', 'This announcement has already been sent');
    await withdraw(tx, { subject: broadcastKey(id) }, at);
    const details = { broadcast: id };
    await audit(tx, { at, actorId: caller.userId, subjectId: null, action: 'telegram.broadcast_cancel', details });
    return toBroadcast(inside, await getBroadcast(tx, id));
  });
}
