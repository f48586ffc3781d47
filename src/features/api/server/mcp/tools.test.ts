import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HORIZONS } from '#features/analysis/contract/predictions.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import { API_SCOPES } from '#shared/contract.ts';
import { makeKey } from '#tests/support/api-fixture.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { connectMcpClient } from '#tests/support/mcp.ts';
import { registerUser } from '#tests/support/people.ts';
import { storeReplay } from '#tests/support/replay.ts';
import { start } from '#tests/support/start.ts';

const RULE = { name: 'BTC above 90k', metric: 'btc_price', condition: 'above', value: 90_000 };
/** A figure with what it comes from: '(CoinGecko, 4 s ago)'. */
const CITED = /\([^()]+, \d+ (s|min|h|d) ago[^()]*\)/;

const REPLAY =
  'Replay on past prices, not part of the live record: the built-in analyst from 2022-10-12 to 2026-11-18 \\(OKX, computed 4 s ago\\)\nReplay 24h: ahead of base rates · Brier 0\\.636 vs 0\\.656 · 1,392 dates$';

/** Input of each tool, and its expected text; CITED where it repeats figures. */
type Given = Record<string, unknown>;
const ASKED: Record<string, { given?: Given | ((mode: string) => Given); says: RegExp }> = {
  get_market_data: { says: CITED },
  get_brief: { says: /^Market: Market cap \$[\d.]+T.* \(.+, \d+ s ago.*\)[^]*\nCoins: Bitcoin \$[^]*\nCalendar: / },
  get_crypto_prices: {
    given: { limit: 3 },
    says: /^BTC [\d,]+\.\d\d USD, [+−]?[\d.]+% in 24h \(CoinGecko, 4 s ago\)\nETH /,
  },
  get_coin: { given: { id: 'bitcoin' }, says: CITED },
  get_coin_ranges: {
    given: { id: 'bitcoin' },
    says: /^Price ranges for bitcoin in USD at the end of each horizon:\n24h: [\d,.]+ to [\d,.]+ \(80%\), [\d,.]+ to [\d,.]+ \(95%\), from [\d,.]+ \(Built-in analyst .+, 4 s ago.*\)\n7d: /,
  },
  get_candles: { given: { symbol: 'BTC', interval: 'D' }, says: /BTC/ },
  get_analysis: {
    says: /^Consensus \(.+, \d+ s ago.*\): 24h: [^]+\nBTC 24h by Built-in analyst [^:]+: [\d,.]+ to [\d,.]+ \(80%\), /,
  },
  get_predictions: { says: /^Issued \d+ s ago/ },
  get_track_record: {
    says: new RegExp(`^Live record: (No predictions graded yet|\\d+ graded predictions)[^]*\n${REPLAY}`),
  },
  get_track_record_replay: { says: new RegExp(`^${REPLAY}`) },
  list_prediction_calls: { given: { limit: 2 }, says: /^#\d+ \w+ .*issued \d+ s ago/ },
  get_ranges_record: { says: /^\d+ coins have daily price ranges \(own record, \d+ s ago\)/ },
  submit_forecasts: {
    given: (mode) => ({
      forecaster: 'tool-forecasts',
      forecasts: HORIZONS.map((horizon) => ({
        asset: mode === 'auto' ? 'BTC' : 'ETH',
        horizon,
        probabilities: { up: 0.3, flat: 0.4, down: 0.3 },
      })),
    }),
    says: /^Frozen for tool-forecasts \d+ s ago \(own ledger\): #\d+ \w+ 24h from [\d,.]+ USD, #\d+ \w+ 7d /,
  },
  get_league: { says: /^tool-forecasts at 24h: no calls graded yet/ },
  get_forecaster: {
    given: { name: 'tool-forecasts' },
    says: /^tool-forecasts: \d forecasts, \d open, joined \d+ s ago \(own ledger\)$/,
  },
  get_analytics_summary: { says: CITED },
  get_risk: { given: { days: '30' }, says: /./ },
  get_correlation: { says: /^Correlations of daily returns over 90 days/ },
  list_events: { given: { limit: 2 }, says: /checked \d+ s ago/ },
  get_inflation: { says: CITED },
  list_inflation_releases: { given: { days: '60' }, says: /./ },
  get_inflation_forecasts: { says: /^CPI/ },
  get_inflation_expectations: { says: CITED },
  get_inflation_sentiment: { says: /./ },
  list_alerts: { says: /./ },
  list_alert_rules: { says: /./ },
  preview_alert_rule: { given: RULE, says: /Nothing was saved|Backtest not possible/ },
  create_alert_rule: { given: RULE, says: /^Created: #\d+ BTC above 90k: btc_price above 90000/ },
  get_history: { given: { type: 'CRYPTO_PRICE', limit: 2 }, says: /./ },
  list_sources: { says: /CoinGecko: ok, provides .+, last success \d+ s ago/ },
  get_account: {
    says: /^Plan Premium\+; scopes of the key: market, analysis, calendar, alerts, alerts:write, forecasts:write/,
  },
};

const s = fileProduct({ env: { API_BURST_PER_SECOND: '0' } });
let key: string;
let url: string;
beforeAll(async () => {
  for (const name of ['market.listing', 'metrics.listing', 'metrics.slow', 'events.collect']) await s.job(name);
  for (const { id } of TRACKED) await s.job('market.backfill', { coinId: id });
  for (const name of ['inflation.check', 'inflation.refresh', 'analysis.run']) await s.job(name);
  await storeReplay(s);
  url = `http://127.0.0.1:${(await s.product.listen()).port}`;
  key = (await makeKey(await registerUser(s, 'ann', 'premium'), { scopes: [...API_SCOPES] })).api_key;
  s.advance(4000);
}, 120_000);

const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

describe.each(['auto', 'legacy'] as const)('the official client, %s', (mode) => {
  let client: Client;
  let tools: Tool[];
  beforeAll(async () => {
    client = await connectMcpClient(url, key, mode);
    ({ tools } = await client.listTools());
  });
  afterAll(() => client.close());

  test('uses the latest revision, or an older one after a handshake', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
    expect(client.getInstructions()).toMatch(/information, not advice[^]*source and observation time/);
  });

  test('every tool is listed here, each with its required description', () => {
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(ASKED).toSorted());
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect([name, title?.length, description?.length]).toEqual([name, expect.any(Number), expect.any(Number)]);
      expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(description).toContain('Figures have their source and observation time');
      expect([inputSchema.type, inputSchema['additionalProperties'], outputSchema?.['type']]).toEqual([
        'object',
        false,
        'object',
      ]);
      const isWriting = name === 'create_alert_rule' || name === 'submit_forecasts';
      expect(annotations).toMatchObject({
        readOnlyHint: !isWriting,
        idempotentHint: !isWriting,
        destructiveHint: false,
        openWorldHint: false,
      });
    }
  });

  test.each(Object.keys(ASKED))('%s returns the declared result, with readable text', async (name) => {
    const asked = ASKED[name];
    const given = typeof asked?.given === 'function' ? asked.given(mode) : asked?.given;
    const answer = await client.callTool({ name, arguments: given ?? {} });
    expect(textOf(answer)).toMatch(asked?.says ?? /never/);
    expect(answer.isError).toBeFalsy();
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const fits = ajv.compile({ ...tools.find((tool) => tool.name === name)?.outputSchema } as object);
    fits(answer.structuredContent);
    expect(fits.errors ?? []).toEqual([]);
  });

  test('the live record contains nothing from the replay', async () => {
    const [live, past] = await Promise.all(
      ['get_track_record', 'get_track_record_replay'].map((name) => client.callTool({ name })),
    );
    expect(JSON.stringify(live?.structuredContent)).not.toMatch(/replay|0\.6358/);
    expect(past?.structuredContent).toMatchObject({ replay: { record: { headline: { brier: 0.6358 } } } });
  });

  test('the glossary can be read', async () => {
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ 'coin.price': { unit: 'USD' } });
  });
});

describe('in demo mode', () => {
  test('instructions and every response state that the data is simulated', async () => {
    const demo = await start({ mode: 'demo', env: { EMAIL_CONFIRMATION: 'off' } });
    await demo.job('market.listing');
    const at = `http://127.0.0.1:${(await demo.product.listen()).port}`;
    const { api_key } = await makeKey(await registerUser(demo, 'bob', 'pro'));
    const client = await connectMcpClient(at, api_key);
    const answer = await client.callTool({ name: 'get_crypto_prices' });
    const instructions = client.getInstructions();
    await client.close();
    await demo.stop();
    expect(instructions).toMatch(/^DEMO DATA/);
    expect(textOf(answer)).toMatch(/^Demo data: all figures are simulated/);
    expect(answer.structuredContent).toMatchObject({ dataMode: 'demo' });
  });
});
