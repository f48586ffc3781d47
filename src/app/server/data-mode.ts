import pg from 'pg';
import type { Config } from '#kernel/config.ts';
import type { Connection } from '#kernel/db.ts';
import type { DataMode } from '#shared/provenance.ts';

/** True as soon as one live source responds at all; false after at most LIVE_PROBE_MS, also on a silent network. */
export async function probeLive({
  COINGECKO_BASE_URL,
  COINPAPRIKA_BASE_URL,
  OKX_BASE_URL,
  LIVE_PROBE_MS,
}: Config): Promise<boolean> {
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), LIVE_PROBE_MS);
  const ask = async (url: string) => {
    const response = await fetch(url, { signal: given.signal, headers: { 'user-agent': 'Meridian/1.0' } });
    await response.body?.cancel();
    if (response.status >= 500) throw new Error(`answered ${response.status}`);
    return true;
  };
  const silence = new Promise<boolean>((resolve) => given.signal.addEventListener('abort', () => resolve(false)));
  try {
    const answers = [
      `${COINGECKO_BASE_URL}/ping`,
      `${OKX_BASE_URL}/api/v5/public/time`,
      `${COINPAPRIKA_BASE_URL}/global`,
    ].map(ask);
    return await Promise.race([silence, Promise.any(answers).catch(() => false)]);
  } finally {
    clearTimeout(timer);
    given.abort();
  }
}

/** A database with live data stays live: its sources may fail, but its numbers are never replaced by demo ones. */
export async function hasLiveData(connection: Connection): Promise<boolean> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ live: boolean }>(
      `select coalesce((select data_mode = 'live' from installation), false) and exists (select 1 from coins) as live`,
    );
    return rows[0]?.live ?? false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export type Decision = { mode: DataMode; why: string };

/**
 * DECISIONS "Demo data is always called demo": demo only when configured, or outside production on an empty database
 * that can reach no source.
 */
export async function decideDataMode(
  config: Config,
  { probe, liveData }: { probe: () => Promise<boolean>; liveData: () => Promise<boolean> },
): Promise<Decision> {
  if (config.DATA_MODE !== 'auto') return { mode: config.DATA_MODE, why: `DATA_MODE=${config.DATA_MODE}` };
  if (config.production) return { mode: 'live', why: 'NODE_ENV=production' };
  if (await liveData()) return { mode: 'live', why: 'this database holds live data' };
  if (await probe()) return { mode: 'live', why: 'a live source answers' };
  return { mode: 'demo', why: 'no live source answers' };
}
