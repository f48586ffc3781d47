import { createHash } from 'node:crypto';

import { call, jsonOf } from '../call.ts';
import { attempt, type ChaosContext, type Client, callUntilAccepted, repeat } from '../context.ts';
import type { Account } from './accounts.ts';

type Manifest = { sha256: string; rows: number };
type File = { id: string; sha256: string; rows: number };
type Bar = { at: string; coin: string; high: number; low: number };

const cells = (line: string) => line.split(',').map((cell) => cell.replace(/^"|"$/g, ''));

function barsOf(csv: string): Bar[] {
  const lines = csv
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/);
  const head = lines.findIndex((line) => /(^|,)"?close"?(,|$)/i.test(line));
  const names = cells(lines[head] ?? '').map((name) => name.toLowerCase());
  const of = (row: string[], name: string) => row[names.findIndex((each) => each.split(' ')[0] === name)] ?? '';
  return lines.slice(head + 1).map((line) => {
    const row = cells(line);
    return { at: row[0] ?? '', coin: of(row, 'coin'), high: Number(of(row, 'high')), low: Number(of(row, 'low')) };
  });
}

/** A user who exports prices: a downloaded file must be complete, match the market, and stay the same. */
export function exporter(context: ChaosContext, account: Account): Client {
  const files: File[] = [];
  const wrong: string[] = [];
  return {
    name: 'exporter',
    run: (signal) =>
      repeat(signal, 2500, async () => {
        const json = { dataType: 'crypto_prices', dateRange: '1d', format: 'csv' };
        const options = { method: 'POST' as const, token: account.token, ip: account.ip, json, limitMs: 30_000 };
        const response = await attempt(context, 'export', '/api/exports/create', options);
        if (!response || response.status !== 200) return;
        const bars = barsOf(response.body.toString());
        const sha256 = createHash('sha256').update(response.body).digest('hex');
        files.push({ id: String(response.headers['x-export-id']), sha256, rows: bars.length });
        const seen = new Set<string>();
        for (const { at, coin, high, low } of bars) {
          const key = `${at} ${coin}`;
          if (seen.has(key)) wrong.push(`an export has the row ${key} twice`);
          seen.add(key);
          if (!(low > 0 && high >= low)) wrong.push(`an export says ${low} to ${high} for ${key}`);
        }
      }),
    async check() {
      for (const { id, sha256, rows } of files) {
        const manifest = jsonOf<Manifest>(
          await callUntilAccepted(context, `/api/exports/${id}/manifest`, { token: account.token }),
        );
        if (manifest.sha256 !== sha256) wrong.push(`export ${id} is another file than its manifest says`);
        if (manifest.rows !== rows) wrong.push(`export ${id} has ${rows} rows, its manifest says ${manifest.rows}`);
        const again = await callUntilAccepted(context, `/api/exports/${id}/file`, { token: account.token });
        if (createHash('sha256').update(again.body).digest('hex') !== sha256)
          wrong.push(`export ${id} is another file when it is fetched again`);
      }
      return wrong;
    },
  };
}

/** A program with an API key: an answered call must be counted, and the daily limit never exceeded. */
export function program(context: ChaosContext, account: Account, limit: number): Client {
  let key = '';
  let answered = 0;
  let asked = 0;
  return {
    name: `program of ${account.email}`,
    async prepare() {
      const response = await callUntilAccepted(context, '/api/keys', {
        method: 'POST',
        token: account.token,
        json: { name: 'Night' },
      });
      key = jsonOf<{ api_key: string }>(response).api_key;
    },
    run: (signal) =>
      repeat(signal, 120, async () => {
        asked += 1;
        const headers = { 'x-api-key': key };
        const response = await call(context.origin, '/api/v1/crypto-prices', { ip: account.ip, headers }).catch(
          () => null,
        );
        if (response?.status === 200) {
          answered += 1;
          context.outcomes.recordAccepted('API call');
        } else if (!response || response.status >= 500) context.outcomes.recordUnknown('API call');
        else context.outcomes.recordRefused(`API call ${response.status}`);
      }),
    async check() {
      const [day] = await context.cluster.query<{ spent: number; leased: number }>(
        'select sum(spent)::int as spent, sum(leased)::int as leased from api_days where user_id = $1',
        [account.id],
      );
      const { spent = 0, leased = 0 } = day ?? {};
      const told = `${answered} answered of ${asked}, ${spent} spent, ${leased} lent, limit ${limit}`;
      const lost: string[] = [];
      if (answered > limit) lost.push(`more calls than the limit: ${told}`);
      if (spent + leased < answered) lost.push(`calls were answered and not counted: ${told}`);
      if (spent + leased > limit || spent > asked) lost.push(`more calls were counted than can be: ${told}`);
      context.log(`calls of ${account.email}: ${told}`);
      return lost;
    },
  };
}
