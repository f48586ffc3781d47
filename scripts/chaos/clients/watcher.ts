import { setTimeout as sleep } from 'node:timers/promises';

import { callUrl, jsonOf } from '../call.ts';
import { type ChaosContext, type Client, callUntilAccepted, waitUntil } from '../context.ts';
import type { Account } from './accounts.ts';
import { levelsAround, rulesOf, saveRules } from './rules.ts';
import { openPage } from './stream.ts';

export const BOT = 7001;
const PATIENCE_MS = 4000;
/** Two fires of a rule are at least its cooldown of a minute apart; shifted clocks may shorten it. */
const LEAST_APART_MS = 20_000;

export type Watcher = Client & {
  account: Account;
  /** Push messages received: the tag of each. */
  pushed: () => Promise<string[]>;
  /** Chat messages received. */
  chatted: () => Promise<string[]>;
  counts: () => { resets: number; returns: number; streamed: number };
};

type Fire = { id: string; rule_id: string | null; source_at: Date; value: number; source: string };

/** The bot may have missed a message, so it is sent again. */
async function connectChat(context: ChaosContext, account: Account): Promise<string> {
  const address = `${context.services.urls['TELEGRAM_API_BASE_URL']}/person/${BOT}/${50_000 + account.id}`;
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
    await callUrl(address, { method: 'POST', json: { text: `/verify ${code}` } });
    if ((await waitUntil(20_000, isConnected)) !== null) return address;
  }
  throw new Error(`The chat of ${account.email} could not be connected`);
}

/** Turns on every channel. */
async function switchOn(context: ChaosContext, account: Account): Promise<void> {
  const path = '/api/notifications/preferences';
  const { preferences } = jsonOf<{ preferences: object }>(
    await callUntilAccepted(context, path, { token: account.token }),
  );
  const on = { emailNotifications: true, pushNotifications: true, telegramNotifications: true };
  await callUntilAccepted(context, path, { method: 'POST', token: account.token, json: { ...preferences, ...on } });
}

async function subscribeBrowser(context: ChaosContext, account: Account): Promise<string> {
  const base = `${context.services.origin}/push/browsers`;
  const made = jsonOf<{
    id: string;
    endpoint: string;
    keys: object;
  }>(await callUrl(base, { method: 'POST', json: {} }));
  const json = { endpoint: made.endpoint, keys: made.keys };
  await callUntilAccepted(context, '/api/push/subscribe', { method: 'POST', token: account.token, json });
  return `${base}/${made.id}`;
}

/** A user whose rules the price crosses repeatedly, with every channel on and a page open. */
export function watcher(context: ChaosContext, account: Account, number: number): Watcher {
  const page = openPage(context, account);
  let chat = '';
  let browser = '';
  const missed: string[] = [];

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
      chat = await connectChat(context, account);
      await switchOn(context, account);
      const price = context.services.market.priceAt('bitcoin', Date.now());
      await saveRules(context, account, levelsAround(price, number));
    },
    run: (signal) => page.run(signal),
    /**
     * A condition that has held for long in a rule still armed was never evaluated. Then the rules are turned off, so
     * that the night can end.
     */
    async afterRecovery() {
      const holds = async () =>
        (await rulesOf(context, account))
          .filter(({ state, condition, value, current }) => {
            const price = current?.value ?? value;
            return state === 'armed' && (condition === 'above' ? price > value * 1.0001 : price < value * 0.9999);
          })
          .map(({ name }) => name);
      const before = await holds();
      if (before.length > 0) {
        await sleep(PATIENCE_MS);
        const still = new Set(await holds());
        for (const name of before)
          if (still.has(name)) missed.push(`the rule "${name}" of ${account.email} holds and is armed`);
      }
      const rules = await rulesOf(context, account);
      const off = rules.map(({ id, name, condition, value }) => ({
        id,
        name,
        condition,
        value,
        metric: 'btc_price',
        enabled: false,
      }));
      await saveRules(context, account, off);
    },
    async pushed() {
      const { received } = jsonOf<{ received: { text: string }[] }>(await callUrl(browser));
      return received.map(({ text }) => (JSON.parse(text) as { tag: string }).tag);
    },
    async chatted() {
      const { messages } = jsonOf<{ messages: { from: { id: number }; text: string }[] }>(await callUrl(chat));
      return messages.filter(({ from }) => from.id === BOT).map(({ text }) => text);
    },
    async check() {
      while (page.isReading()) await sleep(200);
      const fires = await context.cluster.query<Fire>(
        `select id, rule_id, source_at, value, source from alerts
         where user_id = $1 or user_id is null order by id`,
        [account.id],
      );
      const doubled: string[] = [];
      const last = new Map<string, number>();
      for (const { id, rule_id: rule, source_at: at } of fires) {
        if (rule === null) continue;
        const before = last.get(rule);
        if (before !== undefined && Math.abs(at.getTime() - before) < LEAST_APART_MS)
          doubled.push(`rule ${rule} of ${account.email} fired twice within ${at.getTime() - before} ms (alert ${id})`);
        last.set(rule, at.getTime());
      }
      const wrong = fires.flatMap(({ id, rule_id: rule, value, source_at: at }) => {
        if (rule === null) return [];
        const real = context.services.market.priceAt('bitcoin', at.getTime());
        return Math.abs(value / real - 1) < 1e-3 ? [] : [`alert ${id} says ${value}, and the market was at ${real}`];
      });
      return [...missed, ...doubled, ...wrong, ...page.check(fires.map(({ id }) => Number(id)))];
    },
  };
}
