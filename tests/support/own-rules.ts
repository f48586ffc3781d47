import type { Threshold, ThresholdInput } from '#features/alerts/contract/thresholds.ts';
import { pricesTopic } from '#features/market/contract/market.ts';

import type { TestUser } from './people.ts';
import type { TestProduct } from './start.ts';

export const RULES_URL = '/api/alerts/thresholds';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls of one user to the custom rules API. */
export function rulesApi(s: TestProduct, { token }: Pick<TestUser, 'token'>) {
  const request = (method: Method, path: string, payload?: object, ifMatch?: string) =>
    s.product.app.inject({
      method,
      url: `${RULES_URL}${path}`,
      headers: { authorization: `Bearer ${token}`, ...(ifMatch ? { 'if-match': ifMatch } : {}) },
      ...(payload ? { payload } : {}),
    });
  return {
    ask: request,
    list: async () => (await request('GET', '')).json<Threshold[]>(),
    etag: async () => String((await request('GET', '')).headers['etag']),
    save: (thresholds: object[], ifMatch?: string) => request('POST', '', { thresholds }, ifMatch),
    add: (rule: object, ifMatch?: string) => request('POST', '/rules', rule, ifMatch),
    change: (id: number, rule: object, ifMatch?: string) => request('PUT', `/rules/${id}`, rule, ifMatch),
    remove: (id: number, ifMatch?: string) => request('DELETE', `/rules/${id}`, undefined, ifMatch),
    rearm: (id: number) => request('POST', `/rules/${id}/rearm`),
    preview: (rule: object) => request('POST', '/preview', rule),
  };
}

export const rule = (overrides: Partial<ThresholdInput> = {}): ThresholdInput => ({
  name: 'BTC above 90k',
  metric: 'btc_price',
  condition: 'above',
  value: 90_000,
  ...overrides,
});

/** The form of a rule as a page sends it back. */
export const toInput = ({ id, name, description, metric, condition, value, enabled, icon, options }: Threshold) => ({
  id,
  name,
  description,
  metric,
  condition,
  value,
  enabled,
  icon,
  options,
});

/** Adds a rule that must be accepted. */
export async function addRule(
  calls: Pick<ReturnType<typeof rulesApi>, 'add'>,
  overrides: Partial<ThresholdInput> = {},
): Promise<Threshold> {
  const response = await calls.add(rule(overrides));
  if (response.statusCode !== 200)
    throw new Error(`The rule was answered with ${response.statusCode}: ${response.body}`);
  return response.json<Threshold>();
}

/** A rule as it is stored. */
export const readStoredRule = (s: TestProduct, id: number) =>
  s.product.market.ctx.db.selectFrom('alert_rules').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

type Quote = { price: number; change?: number };

/** Publishes these prices as streamed a second later; resolves when they have arrived. */
export async function publishQuotes(s: TestProduct, quotes: Record<string, number | Quote>): Promise<void> {
  s.advance(1000);
  const at = s.clock.now().getTime();
  const ticks = Object.entries(quotes).map(([id, quote]): [string, number, number | null, null, number, number] => {
    const { price, change = null } = typeof quote === 'number' ? { price: quote } : quote;
    return [id, price, change, null, 0, at];
  });
  const { live } = s.product.market.ctx;
  const arrived = new Promise<void>((resolve) => {
    const unsubscribe = live.on(pricesTopic, (frame) => {
      if (frame.at !== at) return;
      unsubscribe();
      resolve();
    });
  });
  await live.publish(pricesTopic, { at, sources: ['Coinbase'], ticks });
  await arrived;
}

export type StoredAlertRow = {
  id: number;
  rule_id: number | null;
  type: string;
  message: string;
  value: number | null;
  source_at: string;
};

export const readAlerts = (s: TestProduct, userId: number): Promise<StoredAlertRow[]> =>
  s.product.market.ctx.db
    .selectFrom('alerts')
    .select(['id', 'rule_id', 'type', 'message', 'value', 'source_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
