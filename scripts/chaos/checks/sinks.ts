import type { Watcher } from '../clients/watcher.ts';
import type { Night } from '../night.ts';

/** What one claim takes: a worker that dies may have sent so much without having noted it. */
const BATCH = 50;

type Row = {
  id: string;
  user_id: string;
  channel: string;
  state: string;
  alert_id: string | null;
  message: string;
  mail_id: string | null;
};

const countsOf = (keys: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/**
 * Compares alerts with deliveries, and deliveries with what arrived. Alerts that fired after the last act are left out,
 * because nobody waited for their deliveries.
 */
export async function checkSinks(night: Night, watchers: readonly Watcher[]): Promise<string[]> {
  const lost: string[] = [];
  const ids = watchers.map(({ who }) => who.id);
  const rows = await night.cluster.query<Row>(
    `select d.id, d.user_id, d.channel, d.state, e.alert_id, e.payload->>'message' as message, m.mail_id
     from notification_deliveries d join notification_events e on e.id = d.event_id
     left join mail_deliveries m on m.delivery_id = d.id where d.user_id = any($1::bigint[]) and e.created_at <= $2`,
    [ids, night.endedAt],
  );
  for (const { id, channel, state, message } of rows)
    if (!['sent', 'expired'].includes(state)) lost.push(`delivery ${id} by ${channel} is ${state}: ${message}`);

  const alerts = await night.cluster.query<{ id: string; user_id: string }>(
    'select id, user_id from alerts where user_id = any($1::bigint[]) and queued_at <= $2',
    [ids, night.endedAt],
  );
  const made = new Set(rows.map(({ alert_id: alert, user_id: user, channel }) => `${alert} ${user} ${channel}`));
  for (const { id, user_id: user } of alerts)
    for (const channel of ['email', 'push', 'telegram', 'webhook'])
      if (!made.has(`${id} ${user} ${channel}`)) lost.push(`alert ${id} has no delivery by ${channel}`);

  const called = countsOf(night.world.hooks.calls.map(({ headers }) => String(headers['meridian-delivery'])));
  const mailed = countsOf(night.world.smtp.mails.map(({ messageId = '' }) => messageId));
  const doubled = { webhook: 0, email: 0, push: 0, telegram: 0 };
  for (const count of called.values()) doubled.webhook += count - 1;
  for (const count of mailed.values()) doubled.email += count - 1;
  for (const { who, pushed, chatted } of watchers) {
    const own = rows.filter(({ user_id: user, state }) => Number(user) === who.id && state === 'sent');
    const [tags, texts] = [countsOf(await pushed()), countsOf(await chatted())];
    // Reminders share a mail; the message id begins with the mail's id.
    const arrived = new Set(
      night.world.smtp.mails
        .filter(({ rcptTo }) => rcptTo.includes(who.email))
        .map(({ messageId = '' }) => messageId.slice(1).split('.')[0]),
    );
    for (const { id, mail_id: mail } of own.filter(({ channel }) => channel === 'email'))
      if (mail === null || !arrived.has(mail)) lost.push(`delivery ${id} was sent and ${who.email} has no mail of it`);
    const byChat = own.filter(({ channel }) => channel === 'telegram');
    if ([...texts.values()].reduce((a, b) => a + b, 0) < byChat.length)
      lost.push(`${who.email} has ${texts.size} chat messages of ${byChat.length} that were sent`);
    for (const { id, channel, alert_id: alert } of own) {
      if (channel === 'webhook' && !called.has(`dlv_${id}`))
        lost.push(`delivery ${id} was sent and no webhook heard of it`);
      if (channel === 'push' && alert !== null && !tags.has(`alert-${alert}`) && tags.size < 50)
        lost.push(`delivery ${id} was sent and no browser has it`);
    }
    for (const count of tags.values()) doubled.push += count - 1;
    for (const [text, count] of texts) if (text.includes('Bitcoin')) doubled.telegram += count - 1;
  }
  // A batch may come twice for each end of a worker, of its connections or of the database.
  const most = BATCH * (night.fleet.deaths() + night.interruptions);
  for (const [channel, count] of Object.entries(doubled)) {
    night.tell(`deliveries by ${channel} that came more than once: ${count}`);
    if (count > most) lost.push(`${count} deliveries by ${channel} came more than once, at most ${most} can`);
  }
  return lost;
}
