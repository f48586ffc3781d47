import { HORIZONS, SYMBOLS } from '#features/predictions/contract.ts';

type Schema = { [keyword: string]: unknown };

/** As constrained decoding wants it: every field required, none besides, and no keyword that some provider does not know. */
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const forEach = (names: readonly string[], schema: Schema) => object(Object.fromEntries(names.map((n) => [n, schema])));

const number: Schema = { type: 'number' };
const text: Schema = { type: 'string' };
const list: Schema = { type: 'array', items: text };
const probabilities = { up: number, flat: number, down: number };

export const ANSWER_NAME = 'market_opinion';

/** What a model is held to where its provider can; texts come first, so that a model thinks before it counts. */
export const answerJsonSchema: Schema = object({
  overall_reasoning: text,
  market: forEach(
    HORIZONS,
    object({ reasoning: text, factors_analyzed: list, key_factors: list, risk_factors: list, ...probabilities }),
  ),
  assets: forEach(SYMBOLS, forEach(HORIZONS, object(probabilities))),
});
