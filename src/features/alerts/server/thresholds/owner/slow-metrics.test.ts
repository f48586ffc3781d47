import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { storeDailyObservations, storeObservation } from '#tests/support/observed.ts';
import { addRule, readAlerts, rulesApi } from '#tests/support/own-rules.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { collectMarket } from '#tests/support/predictions.ts';
import { ruleOwner } from '#tests/support/rule-owner.ts';

const HOUR_MS = 3_600_000;
const OWN = { source: 'alternative-me' };
const patient = { timeout: 10_000 };

const s = fileProduct();
let ann: TestUser;
let owner: ReturnType<typeof ruleOwner>;
let names = 0;

beforeAll(async () => {
  await s.job('market.listing');
  owner = ruleOwner(s);
});
beforeEach(async () => {
  ann = await registerUser(s, `ann-${names++}`, 'premium');
});
afterEach(() => owner.stopAll());

const said = async () => (await readAlerts(s, ann.id)).map(({ message }) => message);
async function add(more: Parameters<typeof addRule>[1]): Promise<void> {
  await addRule(rulesApi(s, ann), more);
  await owner.settled();
}
async function told(metric: string, value: number, source: string): Promise<void> {
  await storeObservation(s, metric, value, { source });
  await s.product.refresh();
  await owner.settled();
}

test('a level of a daily metric, and its change over a day', async () => {
  await storeDailyObservations(s, 'fear_greed', 3, () => 40, OWN);
  await told('fear_greed', 41, OWN.source);
  await owner.takeOwnership();
  await add({ name: 'Fear', metric: 'fear_greed', condition: 'below', value: 25 });
  await add({ name: 'Jump', metric: 'fear_greed', condition: 'changes_by', value: 30 });
  s.advance(24 * HOUR_MS);
  await told('fear_greed', 39, OWN.source);
  expect(await said()).toEqual([]);
  s.advance(24 * HOUR_MS);
  await told('fear_greed', 20, OWN.source);
  await expect.poll(async () => (await said()).length, patient).toBe(2);
  expect((await said()).toSorted()).toEqual([
    'Fear: Fear and greed index is below 25 (20)',
    'Jump: Fear and greed index changed by 30% or more in 24h (48.72%)',
  ]);
});

test('AI analyses: a rule for what already holds fires when saved, once, and with its source', async () => {
  await collectMarket(s);
  await s.job('analysis.run');
  const { overall_direction: says = 'NEUTRAL' } = s.product.analysis.current() ?? {};
  await owner.takeOwnership();
  for (const word of ['bullish', 'neutral', 'bearish'] as const)
    await add({
      name: word,
      metric: 'ai_prediction_overall',
      condition: `becomes_${word}`,
      value: word.toUpperCase() as 'BULLISH',
    });
  await expect.poll(async () => (await said()).length, patient).toBe(1);
  expect((await said())[0]).toMatch(new RegExp(`^${says.toLowerCase()}: AI prediction, overall`));
  s.advance(HOUR_MS);
  await s.job('market.listing');
  await s.job('analysis.run');
  await owner.settled();
  const same = s.product.analysis.current()?.overall_direction === says;
  expect(await said()).toHaveLength(same ? 1 : 2);
}, 60_000);
