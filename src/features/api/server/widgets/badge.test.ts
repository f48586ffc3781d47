import { describe, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { collectMarket, createStatement, issue } from '#tests/support/predictions.ts';
import { storeReplay } from '#tests/support/replay.ts';

const DAY_MS = 86_400_000;
const BOLD = { up: 0.7, flat: 0.2, down: 0.1 };
const PATH = '/widgets/track-record.svg';

const s = fileProduct({ env: { COIN_LIMIT: '40' } });

const badge = async (query = '') => (await s.get(`${PATH}${query}`)).body;
const titleOf = (svg: string) => /<title>(.*?)<\/title>/.exec(svg)?.[1];

describe('GET /widgets/track-record.svg', () => {
  test.each(['', '?record=replay', '?horizon=7d&track=local'])('200 without a record: %s states it', async (query) => {
    expect(titleOf(await badge(query))).toMatch(/no calls graded yet · Meridian.* · as of 20 Nov 2026, 12:00 UTC$/);
  });

  test('200: an image for any page, cached by shared caches like widgets, that runs and loads nothing', async () => {
    const { statusCode, headers, body } = await s.get(PATH);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=15, s-maxage=15, stale-while-revalidate=60, stale-if-error=300',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(String(headers['content-security-policy'])).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; frame-ancestors \*; base-uri 'none'; form-action 'none'$/,
    );
    expect(headers['set-cookie']).toBeUndefined();
    expect(body).toMatch(/^<svg [^>]*role="img" data-theme="auto"><title>/);
    expect(body).not.toMatch(/<script|<image|<use|style=|href|\son\w+=/);
    const again = await s.get(PATH, { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('200: the consensus once it has a graded call, another track by name, and the theme', async () => {
    await collectMarket(s);
    await issue(s, [createStatement('consensus', BOLD), createStatement('alpha', BOLD)]);
    s.advance(DAY_MS);
    await s.job('market.listing');
    s.advance(120_000);
    await s.job('predictions.resolve');
    const line = (name: string) =>
      new RegExp(
        `^24h forecasts: too early to tell · Brier \\d\\.\\d{3} vs \\d\\.\\d{3} for [a-z ]+ · 1 date · Meridian · ${name} · as of 21 Nov 2026, 12:03 UTC$`,
      );
    expect(titleOf(await badge())).toMatch(line('Consensus'));
    const alpha = await badge('?track=alpha&theme=dark');
    expect(titleOf(alpha)).toMatch(line('alpha'));
    expect(alpha).toContain('data-theme="dark"');
    expect(titleOf(await badge('?horizon=7d'))).toMatch(/^7d forecasts: no calls graded yet · /);
  }, 120_000);

  test('200: the replay only by name, in the color of its verdict', async () => {
    await storeReplay(s);
    const replay = await badge('?record=replay&theme=light');
    expect(titleOf(replay)).toBe(
      '24h forecasts (replay): ahead of base rates · Brier 0.636 vs 0.656 · 1,392 dates · Meridian · Built-in analyst · as of 19 Nov 2026, 00:00 UTC',
    );
    expect(replay).toContain('<tspan class="word ahead">ahead of base rates</tspan>');
    expect(titleOf(await badge('?theme=light'))).toMatch(/^24h forecasts: too early to tell /);
  });

  test.each([
    ['?horizon=1h', 'horizon: 24h, 7d, 28d or 180d'],
    ['?record=demo', 'record: live, replay or league'],
    ['?theme=pink', 'theme: auto, light or dark'],
    ['?track=%3Cscript%3E', 'track: an analyst ID, such as local, or the name of a league forecaster'],
    ['?track=a&track=b', 'track: once only'],
    ['?track=nobody', 'Unknown track nobody'],
    ['?record=replay&track=alpha', 'Unknown track alpha'],
    ['?colour=red', 'Unknown option colour'],
  ])('400 from %s', async (query, error) => {
    const res = await s.get(`${PATH}${query}`);
    expect([res.statusCode, res.json(), res.headers['cache-control']]).toEqual([
      400,
      { error, code: 'bad_request' },
      'no-store',
    ]);
  });
});
