import { createHash } from 'node:crypto';

import { call, jsonOf } from '../call.ts';
import { attempt, type ChaosContext, type Client, callUntilAccepted, repeat } from '../context.ts';
import type { Account } from './accounts.ts';

type Manifest = { sha256: string; rows: number };
type File = { id: string; sha256: string; rows: number };
type Bar = { at: string; coin: string; high: number; low: number };

const cells = (line: string) => line.split(',').map((cell) => cell.replace(/^"|"$/g, ''));

function parseBars(csv: string): Bar[] {
  const lines = csv
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/);
  const head = lines.findIndex((line) => /(^|,)"?close"?(,|$)/i.test(line));
  const names = cells(lines[head] ?? '').map((name) => name.toLowerCase());
  const cellAt = (row: string[], name: string) => row[names.findIndex((each) => each.split(' ')[0] === name)] ?? '';
  return lines.slice(head + 1).map((line) => {
    const row = cells(line);
    return {
      at: row[0] ?? '',
      coin: cellAt(row, 'coin'),
      high: Number(cellAt(row, 'high')),
      low: Number(cellAt(row, 'low')),
    };
  });
}

/** A user who exports prices: a downloaded file must be complete, match the market, and stay the same. */
export function createExporter(context: ChaosContext, account: Account): Client {
  const files: File[] = [];
  const errors: string[] = [];
  return {
    name: 'exporter',
    run: (signal) =>
      repeat(signal, 2500, async () => {
        const json = { dataType: 'crypto_prices', dateRange: '1d', format: 'csv' };
        const options = { method: 'POST' as const, token: account.token, ip: account.ip, json, limitMs: 30_000 };
        const response = await attempt(context, 'export', '/api/exports/create', options);
        if (!response || response.status !== 200) return;
        const bars = parseBars(response.body.toString());
        const sha256 = createHash('sha256').update(response.body).digest('hex');
        files.push({ id: String(response.headers['x-export-id']), sha256, rows: bars.length });
        const seen = new Set<string>();
        for (const { at, coin, high, low } of bars) {
          const key = `${at} ${coin}`;
          if (seen.has(key)) errors.push(`an export has the row ${key} twice`);
          seen.add(key);
          if (!(low > 0 && high >= low)) errors.push(`an export says ${low} to ${high} for ${key}`);
        }
      }),
    async check() {
      for (const { id, sha256, rows } of files) {
        const manifest = jsonOf<Manifest>(
          await callUntilAccepted(context, `/api/exports/${id}/manifest`, { token: account.token }),
        );
        if (manifest.sha256 !== sha256) errors.push(`export ${id} is another file than its manifest says`);
        if (manifest.rows !== rows) errors.push(`export ${id} has ${rows} rows, its manifest says ${manifest.rows}`);
        const redownload = await callUntilAccepted(context, `/api/exports/${id}/file`, { token: account.token });
        if (createHash('sha256').update(redownload.body).digest('hex') !== sha256)
          errors.push(`export ${id} is another file when it is fetched again`);
      }
      return errors;
    },
  };
}

/** A program with an API key: an answered call must be counted, and the daily limit never exceeded. */
export function createApiClient(context: ChaosContext, account: Account, limit: number): Client {
  let key = '';
  let succeeded = 0;
  let attempted = 0;
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
        attempted += 1;
        const headers = { 'x-api-key': key };
        const response = await call(context.origin, '/api/v1/crypto-prices', { ip: account.ip, headers }).catch(
          () => null,
        );
        if (response?.status === 200) {
          succeeded += 1;
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
      const summary = `${succeeded} answered of ${attempted}, ${spent} spent, ${leased} lent, limit ${limit}`;
      const failures: string[] = [];
      if (succeeded > limit) failures.push(`more calls than the limit: ${summary}`);
      if (spent + leased < succeeded) failures.push(`calls were answered and not counted: ${summary}`);
      if (spent + leased > limit || spent > attempted) failures.push(`more calls were counted than can be: ${summary}`);
      context.log(`calls of ${account.email}: ${summary}`);
      return failures;
    },
  };
}
