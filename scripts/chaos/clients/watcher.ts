import { setTimeout as sleep } from 'node:timers/promises';

import { callUrl, jsonOf } from '../call.ts';
import { type ChaosContext, type Client, callUntilAccepted, waitUntil } from '../context.ts';
import type { Account } from './accounts.ts';
import { levelsAround, readRules, saveRules } from './rules.ts';
import { createStreamPage } from './stream.ts';

export const BOT_ID = 7001;
const EVALUATION_TIMEOUT_MS = 4000;
/** Two fires of a rule are at least its cooldown of a minute apart; shifted clocks may shorten it. */
const MIN_FIRE_INTERVAL_MS = 20_000;

export type Watcher = Client & {
  account: Account;
  /** Push messages received: the tag of each. */
  pushTags: () => Promise<string[]>;
  /** Chat messages received. */
  chatTexts: () => Promise<string[]>;
  counts: () => { resets: number; returns: number; streamed: number };
};

type Fire = { id: string; rule_id: string | null; source_at: Date; value: number; source: string };

/** The bot may have missed a message, so it is sent again. */
async function connectTelegram(context: ChaosContext, account: Account): Promise<string> {
  const chatUrl = `${context.services.urls['TELEGRAM_API_BASE_URL']}/person/${BOT_ID}/${50_000 + account.id}`;
  const isConnected = async () => {
    const response = await callUntilAccepted(context, '/api/telegram/status', { token: account.token });
    return jsonOf<{ status: { verified: boolean } }>(response).status.verified;
  };
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const response = await callUntilAccepted(context, '/api/telegram/generate-code', {
      method: 'POST',
      token: account.token,
    });
    const { code } = jsonOf<{ code: string }>(response);
    await callUrl(chatUrl, { method: 'POST', json: { text: `/verify ${code}` } });
    if ((await waitUntil(20_000, isConnected)) !== null) return chatUrl;
  }
  throw new Error(`The chat of ${account.email} could not be connected`);
}

/** Turns on every channel. */
async function enableAllChannels(context: ChaosContext, account: Account): Promise<void> {
  const path = '/api/notifications/preferences';
  const { preferences } = jsonOf<{ preferences: object }>(
    await callUntilAccepted(context, path, { token: account.token }),
  );
  const enabled = { emailNotifications: true, pushNotifications: true, telegramNotifications: true };
  await callUntilAccepted(context, path, {
    method: 'POST',
    token: account.token,
    json: { ...preferences, ...enabled },
  });
}

async function subscribeBrowser(context: ChaosContext, account: Account): Promise<string> {
  const base = `${context.services.origin}/push/browsers`;
  const subscription = jsonOf<{
    id: string;
    endpoint: string;
    keys: object;
  }>(await callUrl(base, { method: 'POST', json: {} }));
  const json = { endpoint: subscription.endpoint, keys: subscription.keys };
  await callUntilAccepted(context, '/api/push/subscribe', { method: 'POST', token: account.token, json });
  return `${base}/${subscription.id}`;
}

/** A user whose rules the price crosses repeatedly, with every channel on and a page open. */
export function createWatcher(context: ChaosContext, account: Account, number: number): Watcher {
  const page = createStreamPage(context, account);
  let chat = '';
  let browser = '';
  const missedRules: string[] = [];

  return {
    name: `watcher ${account.email}`,
    account,
    runsUntilEnd: true,
    counts: page.counts,
    async prepare() {
      const url = `${context.services.webhooks.url}/ok/${account.id}`;
      await callUntilAccepted(context, '/api/webhooks', {
        method: 'POST',
        token: account.token,
        json: { name: 'Desk', url, format: 'generic' },
      });
      browser = await subscribeBrowser(context, account);
      chat = await connectTelegram(context, account);
      await enableAllChannels(context, account);
      const price = context.services.market.priceAt('bitcoin', Date.now());
      await saveRules(context, account, levelsAround(price, number));
    },
    run: (signal) => page.run(signal),
    /**
     * A condition that has held for long in a rule still armed was never evaluated. Then the rules are turned off, so
     * that the run can end.
     */
    async afterRecovery() {
      const findOverdue = async () =>
        (await readRules(context, account))
          .filter(({ state, condition, value, current }) => {
            const price = current?.value ?? value;
            return state === 'armed' && (condition === 'above' ? price > value * 1.0001 : price < value * 0.9999);
          })
          .map(({ name }) => name);
      const overdue = await findOverdue();
      if (overdue.length > 0) {
        await sleep(EVALUATION_TIMEOUT_MS);
        const stillOverdue = new Set(await findOverdue());
        for (const name of overdue)
          if (stillOverdue.has(name)) missedRules.push(`the rule "${name}" of ${account.email} holds and is armed`);
      }
      const rules = await readRules(context, account);
      const disabled = rules.map(({ id, name, condition, value }) => ({
        id,
        name,
        condition,
        value,
        metric: 'btc_price',
        enabled: false,
      }));
      await saveRules(context, account, disabled);
    },
    async pushTags() {
      const { received } = jsonOf<{ received: { text: string }[] }>(await callUrl(browser));
      return received.map(({ text }) => (JSON.parse(text) as { tag: string }).tag);
    },
    async chatTexts() {
      const { messages } = jsonOf<{ messages: { from: { id: number }; text: string }[] }>(await callUrl(chat));
      return messages.filter(({ from }) => from.id === BOT_ID).map(({ text }) => text);
    },
    async check() {
      while (page.isReading()) await sleep(200);
      const fires = await context.cluster.query<Fire>(
        `select id, rule_id, source_at, value, source from alerts
         where user_id = $1 or user_id is null order by id`,
        [account.id],
      );
      const duplicates: string[] = [];
      const last = new Map<string, number>();
      for (const { id, rule_id: rule, source_at: at } of fires) {
        if (rule === null) continue;
        const previous = last.get(rule);
        if (previous !== undefined && Math.abs(at.getTime() - previous) < MIN_FIRE_INTERVAL_MS)
          duplicates.push(
            `rule ${rule} of ${account.email} fired twice within ${at.getTime() - previous} ms (alert ${id})`,
          );
        last.set(rule, at.getTime());
      }
      const wrongValues = fires.flatMap(({ id, rule_id: rule, value, source_at: at }) => {
        if (rule === null) return [];
        const actual = context.services.market.priceAt('bitcoin', at.getTime());
        return Math.abs(value / actual - 1) < 1e-3
          ? []
          : [`alert ${id} says ${value}, and the market was at ${actual}`];
      });
      return [...missedRules, ...duplicates, ...wrongValues, ...page.check(fires.map(({ id }) => Number(id)))];
    },
  };
}
