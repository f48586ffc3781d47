import type { OpenApi } from './document.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const refused = (description: string) => ({
  description,
  content: { 'application/json': { schema: ref('Refusal') } },
});
const REFUSALS = {
  401: refused('No key, or none that is valid'),
  403: { $ref: '#/components/responses/Forbidden' },
  429: refused('A limit is reached'),
};

/** A small document in the server's format: five calls in three groups. */
export const openApi: OpenApi = {
  openapi: '3.1.0',
  info: { title: 'Meridian API', version: '1.0.0' },
  tags: [{ name: 'Market', description: 'Prices and metrics.' }, { name: 'Alerts' }],
  paths: {
    '/api/v1/crypto-prices': {
      get: {
        operationId: 'getCryptoPrices',
        tags: ['Market'],
        summary: 'Every coin with its price',
        description: 'The largest coins by market cap, in USD.',
        security: [{ apiKey: ['market'] }],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 500, default: 100 } },
          { name: 'format', in: 'query', schema: { type: 'string', enum: ['json', 'csv'] } },
          { $ref: '#/components/parameters/fields' },
        ],
        responses: {
          200: {
            description: 'The coins',
            content: { 'application/json': { schema: ref('Prices') }, 'text/csv': {} },
          },
          ...REFUSALS,
        },
      },
    },
    '/api/v1/crypto-prices/{id}': {
      get: {
        tags: ['Market'],
        summary: 'One coin',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'The coin', content: { 'application/json': { schema: ref('Coin') } } } },
      },
    },
    '/api/v1/stream': {
      get: {
        tags: ['Market'],
        summary: 'Prices as they change',
        responses: { 200: { description: 'Events', content: { 'text/event-stream': {} } } },
      },
    },
    '/api/v1/thresholds': {
      post: {
        tags: ['Alerts'],
        summary: 'Create an alert rule',
        'x-scope': 'alerts:write',
        'x-plan': 'Pro',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['metric', 'value'],
                properties: { metric: { type: 'string', enum: ['btc_price'] }, value: { type: 'number' } },
              },
            },
          },
        },
        responses: {
          200: { description: 'The rule', content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    },
    '/api/v1/account': {
      get: { tags: ['Account'], summary: 'Plan and scopes of the API key', responses: { 200: { description: 'It' } } },
    },
  },
  components: {
    parameters: {
      fields: {
        name: 'fields',
        in: 'query',
        description: 'Names of fields',
        schema: { type: 'string', maxLength: 2000 },
      },
    },
    responses: { Forbidden: refused('The plan or the scope is too low') },
    schemas: {
      Refusal: { type: 'object', properties: { error: { type: 'string' }, code: { type: 'string' } } },
      Coin: {
        type: 'object',
        required: ['symbol', 'price'],
        properties: {
          symbol: { type: 'string', description: 'Such as BTC' },
          price: { type: 'number', description: 'In USD' },
          high: { anyOf: [{ type: 'number' }, { type: 'null' }] },
          meta: {
            type: 'object',
            properties: { source: { type: 'string' }, observedAt: { type: 'string', format: 'date-time' } },
          },
        },
      },
      Prices: {
        type: 'object',
        required: ['timestamp', 'prices'],
        properties: {
          timestamp: { type: 'string', format: 'date-time' },
          prices: { type: 'array', items: ref('Coin') },
        },
      },
    },
  },
};
