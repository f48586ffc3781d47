import { jsonOf } from '../call.ts';
import { attempt, type ChaosContext, type Client, callUntilAccepted, repeat } from '../context.ts';
import type { Account } from './accounts.ts';

const RULES_PATH = '/api/alerts/thresholds';

export type Rule = {
  id: number;
  name: string;
  condition: 'above' | 'below';
  value: number;
  enabled: boolean;
  state: string;
  current: { value: number } | null;
};

/** Repeats Save All: a list must be saved completely or not at all, and a saved list must persist. */
export function createRuleEditor(context: ChaosContext, account: Account): Client {
  let number = 0;
  let expectedRounds = new Set<number>([0]);
  const rulesForRound = (round: number) =>
    [1, 2, 3, 4, 5].map((place) => ({
      name: `Round ${round}`,
      metric: 'btc_price',
      condition: 'above',
      value: 9_000_000 + round * 10 + place,
    }));
  const savePayload = (round: number) => ({
    method: 'POST' as const,
    token: account.token,
    ip: account.ip,
    json: { thresholds: rulesForRound(round) },
  });
  return {
    name: `editor ${account.email}`,
    prepare: async () => void (await callUntilAccepted(context, RULES_PATH, savePayload(0))),
    run: (signal) =>
      repeat(signal, 1500, async () => {
        number += 1;
        if (await attempt(context, 'Save All', RULES_PATH, savePayload(number))) expectedRounds = new Set([number]);
        else expectedRounds.add(number);
      }),
    async check() {
      const rules = jsonOf<Rule[]>(await callUntilAccepted(context, RULES_PATH, { token: account.token }));
      const rounds = new Set(rules.map(({ name }) => Number(name.slice('Round '.length))));
      if (rounds.size !== 1 || rules.length !== 5)
        return [`rules of ${account.email}: ${rules.length} rules of ${rounds.size} rounds`];
      const [stored = -1] = rounds;
      return expectedRounds.has(stored)
        ? []
        : [`rules of ${account.email}: round ${stored} stands, not ${[...expectedRounds].join(' or ')}`];
    },
  };
}

/** A basis point or more away: the streamed price crosses them repeatedly. */
const LEVELS_BP = [1.2, 4, 9];

export function levelsAround(price: number, number: number) {
  const spread = 1 + (number % 4) * 0.4;
  const options = {
    mode: 'every',
    cooldownMinutes: 1,
    margin: 0,
    holdMinutes: 0,
    expiresAt: null,
    and: null,
    schedule: null,
  };
  return LEVELS_BP.flatMap((bp) =>
    (['above', 'below'] as const).map((condition) => {
      const value = Number((price * (1 + (condition === 'above' ? 1 : -1) * bp * spread * 1e-4)).toFixed(2));
      return { name: `Bitcoin ${condition} ${value}`, metric: 'btc_price', condition, value, options };
    }),
  ).slice(0, 4);
}

export const readRules = async (context: ChaosContext, { token }: Account): Promise<Rule[]> =>
  jsonOf<Rule[]>(await callUntilAccepted(context, RULES_PATH, { token }));

export const saveRules = async (context: ChaosContext, { token }: Account, thresholds: object[]): Promise<void> =>
  void (await callUntilAccepted(context, RULES_PATH, { method: 'POST', token, json: { thresholds } }));
