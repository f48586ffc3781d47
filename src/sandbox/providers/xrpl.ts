import { createHash } from 'node:crypto';

import { activityAt } from '#sandbox/market/activity.ts';
import type { Market } from '#sandbox/market/market.ts';
import { fraction, Noise } from '#sandbox/market/random.ts';
import { MARKET_START, PARAMETERS } from '#sandbox/market/time.ts';
import type { FeedSession, Provider } from '#sandbox/provider.ts';

import { parseMessage } from './json-rpc.ts';

const [FIRST_LEDGER, LEDGER_MS, SALT] = [44_000_000, 3900, 0x7872];
/** Ledger time counts from the year 2000. */
const RIPPLE_EPOCH = Date.UTC(2000, 0, 1);
const [SENDERS, UNEVENNESS] = [60_000, 3];
const ALPHABET = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
const KINDS = ['Payment', 'OfferCreate', 'OfferCancel', 'Payment', 'NFTokenMint', 'OfferCreate', 'TrustSet'];

const indexAt = (ms: number) => FIRST_LEDGER + Math.floor((ms - MARKET_START) / LEDGER_MS);
const closedAt = (index: number) => MARKET_START + (index - FIRST_LEDGER) * LEDGER_MS;
const rippleTime = (ms: number) => Math.floor((ms - RIPPLE_EPOCH) / 1000);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').toUpperCase();

function account(i: number): string {
  const bytes = createHash('sha256').update(`account ${i}`).digest().subarray(0, 32);
  return `r${[...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

type Request = {
  id: unknown;
  command: string;
  ledger_index: unknown;
  transactions: unknown;
  expand: unknown;
  api_version: unknown;
  streams: unknown;
};

class Ledgers {
  readonly #market: Market;
  readonly #noise = new Noise();

  constructor(market: Market) {
    this.#market = market;
  }

  hash(index: number): string {
    return hashOf(`${this.#market.seed} ledger ${index}`);
  }

  count(index: number): number {
    const busy = PARAMETERS.activity.xrpLedger * activityAt(this.#market, 'ripple', closedAt(index));
    return Math.round(busy * (0.4 + 1.2 * fraction(this.#market.seed, SALT, index)));
  }

  result(index: number, { transactions, expand, api_version }: Partial<Request>) {
    const at = closedAt(index);
    const [ledger_hash, isSecond] = [this.hash(index), api_version === 2];
    const ledger = {
      account_hash: hashOf(`accounts ${index}`),
      close_flags: 0,
      close_time: rippleTime(at),
      close_time_human: new Date(at).toUTCString(),
      close_time_iso: `${new Date(at).toISOString().slice(0, 19)}Z`,
      close_time_resolution: 10,
      closed: true,
      ledger_hash,
      ledger_index: isSecond ? index : String(index),
      parent_close_time: rippleTime(closedAt(index - 1)),
      parent_hash: this.hash(index - 1),
      total_coins: '99985701928374650',
      transaction_hash: hashOf(`transactions ${index}`),
      ...(transactions === true ? { transactions: this.#transactions(index, expand === true, isSecond) } : {}),
    };
    return { ledger, ledger_hash, ledger_index: index, validated: true };
  }

  #transactions(index: number, expand: boolean, isSecond: boolean) {
    const noise = this.#noise.seed(this.#market.seed, SALT, index, 2);
    return Array.from({ length: this.count(index) }, (_, i) => {
      const hash = hashOf(`${this.#market.seed} ${index} ${i}`);
      if (!expand) return hash;
      const fields = {
        Account: account(Math.floor(SENDERS * noise.uniform() ** UNEVENNESS)),
        Fee: '12',
        Flags: 2_147_483_648,
        LastLedgerSequence: index + 4,
        Sequence: 1000 + (index % 100_000),
        SigningPubKey: hash.slice(0, 66),
        TransactionType: KINDS[Math.floor(noise.uniform() * KINDS.length)],
        TxnSignature: hash,
      };
      const meta = { AffectedNodes: [], TransactionIndex: i, TransactionResult: 'tesSUCCESS' };
      return isSecond ? { tx_json: fields, hash, meta, validated: true } : { ...fields, hash, metaData: meta };
    });
  }
}

const serverInfo = (ledgers: Ledgers, now: number) => ({
  info: {
    build_version: '3.1.2',
    complete_ledgers: `${FIRST_LEDGER}-${indexAt(now)}`,
    hostid: 'LEER',
    io_latency_ms: 1,
    last_close: { converge_time_s: 3, proposers: 35 },
    load_factor: 1,
    network_id: 0,
    peers: 96,
    pubkey_node: 'n9LRnfD3GeEMzXPQmbL9GGhJUSmaHLSg3PYkr9Bm6Xgh41ft96W7',
    server_state: 'full',
    time: new Date(now).toISOString().replace('T', ' ').replace('Z', '000 UTC'),
    uptime: Math.floor((now - MARKET_START) / 1000),
    validated_ledger: {
      age: Math.floor((now - closedAt(indexAt(now))) / 1000),
      base_fee_xrp: 0.00001,
      hash: ledgers.hash(indexAt(now)),
      reserve_base_xrp: 1,
      reserve_inc_xrp: 0.2,
      seq: indexAt(now),
    },
    validation_quorum: 28,
  },
});

const closed = (ledgers: Ledgers, index: number) => ({
  fee_base: 10,
  ledger_hash: ledgers.hash(index),
  ledger_index: index,
  ledger_time: rippleTime(closedAt(index)),
  reserve_base: 1_000_000,
  reserve_inc: 200_000,
  validated_ledgers: `${FIRST_LEDGER}-${index}`,
});

function session(ledgers: Ledgers, send: (text: string) => void): FeedSession {
  let told: number | undefined;
  const sendJson = (message: unknown) => send(JSON.stringify(message));

  function answer(request: Partial<Request>, now: number): object {
    const { command, ledger_index: wanted = 'validated' } = request;
    if (command === 'ping') return {};
    if (command === 'server_info') return serverInfo(ledgers, now);
    if (command === 'ledger') {
      const index = typeof wanted === 'number' ? wanted : indexAt(now);
      if (index > indexAt(now) || index < FIRST_LEDGER) throw new RangeError('lgrNotFound');
      return ledgers.result(index, request);
    }
    if (command === 'subscribe' && Array.isArray(request.streams) && request.streams.includes('ledger')) {
      told = indexAt(now);
      return closed(ledgers, told);
    }
    throw new RangeError('unknownCmd');
  }

  return {
    receive(text, now) {
      const request = parseMessage<Request>(text);
      if (!request) return sendJson({ error: 'jsonInvalid', status: 'error', type: 'response', value: text });
      const { id, command } = request;
      try {
        sendJson({ id, result: answer(request, now), status: 'success', type: 'response' });
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        const isMissing = error.message === 'lgrNotFound';
        const [error_code, error_message] = isMissing ? [21, 'ledgerNotFound'] : [32, 'Unknown method.'];
        const failed = { error: error.message, error_code, error_message, request: { command, id } };
        sendJson({ id, ...failed, status: 'error', type: 'response' });
      }
    },
    push(now) {
      if (told === undefined) return;
      const latest = indexAt(now);
      for (let index = Math.max(told + 1, latest - 20); index <= latest; index++) {
        sendJson({ type: 'ledgerClosed', ...closed(ledgers, index), txn_count: ledgers.count(index) });
      }
      told = latest;
    },
  };
}

export function xrpl(market: Market): Provider {
  const ledgers = new Ledgers(market);
  const message = { error: 'notFound', status: 'error' };
  return {
    id: 'xrpl',
    base: '/xrpl',
    env: { XRPL_WS_URL: { scheme: 'ws', path: '/xrpl' } },
    routes: [],
    feed: { path: '/xrpl', deep: true, open: (send) => session(ledgers, send) },
    notFound: { status: 404, body: message },
    rateLimited: { error: 'slowDown', error_code: 10, error_message: 'You are placing too much load on the server.' },
    serverError: message,
  };
}
