import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Address,
  address,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { getTokenDecoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import type * as LiteSvm from 'litesvm';

type Options = { commitment?: string; before?: string; until?: string; limit?: number; minContextSlot?: number };
type Balances = { accountIndex: number; mint: string; owner: string; uiTokenAmount: { amount: string } }[];
type StoredTransaction = {
  signature: string;
  slot: number;
  err: unknown;
  keys: Address[];
  pre: Balances;
  post: Balances;
};

const TOKEN_ACCOUNT_BYTES = 165;
/** Every suite starts at a Friday noon. */
const [START_SLOT, START_TIME] = [1040, Date.UTC(2026, 10, 20, 12) / 1000];
const COMMITMENT_LAG: Record<string, number> = { processed: 0, confirmed: 2, finalized: 32 };

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** LiteSVM behind the JSON-RPC of a node: transactions are executed by Solana's own programs. */
export class LiteSvmNode {
  readonly svm: LiteSvm.LiteSVM;
  readonly #module: typeof LiteSvm;
  slot = START_SLOT - 40;
  isDown = false;
  readonly #kept: StoredTransaction[] = [];
  readonly #dropped = new Set<string>();
  readonly #server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      if (this.isDown) {
        response.writeHead(503).end();
        return;
      }
      const { id, method, params = [] } = JSON.parse(text) as { id: number; method: string; params?: unknown[] };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...this.#answer(method, params) }));
    })();
  });

  constructor(module: typeof LiteSvm) {
    this.#module = module;
    this.svm = new module.LiteSVM().withTransactionHistory(10_000n);
    this.tick(0);
  }

  async listen(): Promise<string> {
    await new Promise<void>((result) => {
      this.#server.listen(0, '127.0.0.1', result);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((result) => {
      this.#server.close(result);
    });
  }

  tick(slots: number): void {
    this.slot += slots;
    this.svm.warpToSlot(BigInt(this.slot));
  }

  /** LiteSVM cannot revert it: the node only stops reporting it. */
  drop(signature: string): void {
    this.#dropped.add(signature);
  }

  #head({ commitment = 'finalized', minContextSlot = 0 }: Options): number {
    const head = this.slot - (COMMITMENT_LAG[commitment] ?? 0);
    if (head < minContextSlot) throw new RpcError(-32_016, 'Minimum context slot has not been reached');
    return head;
  }

  #transactionsUpTo(options: Options): StoredTransaction[] {
    const head = this.#head(options);
    return this.#kept.filter(({ signature, slot }) => slot <= head && !this.#dropped.has(signature)).toReversed();
  }

  #answer(method: string, params: readonly unknown[]): { result: unknown } | { error: unknown } {
    try {
      return { result: this.#call(method, params) };
    } catch (error) {
      const code = error instanceof RpcError ? error.code : -32_603;
      return { error: { code, message: (error as Error).message } };
    }
  }

  #call(method: string, [first, second]: readonly unknown[]): unknown {
    const options = (second ?? {}) as Options;
    switch (method) {
      case 'getGenesisHash':
        return '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
      case 'getFirstAvailableBlock':
        return 0;
      case 'getSlot':
        return this.#head(first ?? {});
      case 'getLatestBlockhash':
        return {
          context: { slot: this.slot },
          value: { blockhash: this.svm.latestBlockhash(), lastValidBlockHeight: this.slot + 150 },
        };
      case 'getTokenAccountBalance':
        return { context: { slot: this.slot }, value: { amount: this.#amount(String(first)), decimals: 6 } };
      case 'sendTransaction':
        return this.#send(String(first));
      case 'getSignaturesForAddress':
        return this.#list(String(first), options);
      case 'getSignatureStatuses':
        return { context: { slot: this.slot }, value: (first as string[]).map((each) => this.#status(each)) };
      case 'getTransaction':
        return this.#transaction(String(first), options);
      default:
        throw new RpcError(-32_601, `Method not found: ${method}`);
    }
  }

  #amount(account: string): string {
    const entry = this.svm.getAccount(address(account));
    return entry.exists ? String(getTokenDecoder().decode(entry.data).amount) : '0';
  }

  #balances(keys: readonly Address[]): Balances {
    return keys.flatMap((key, accountIndex) => {
      const found = this.svm.getAccount(key);
      if (!found.exists || found.programAddress !== TOKEN_PROGRAM_ADDRESS) return [];
      if (found.data.length !== TOKEN_ACCOUNT_BYTES) return [];
      const { mint, owner, amount } = getTokenDecoder().decode(found.data);
      return [{ accountIndex, mint, owner, uiTokenAmount: { amount: String(amount) } }];
    });
  }

  /** As with `skipPreflight`: a failing transaction is included in a block too. */
  #send(wire: string): string {
    const transaction = getTransactionDecoder().decode(Buffer.from(wire, 'base64'));
    const keys = [...getCompiledTransactionMessageDecoder().decode(transaction.messageBytes).staticAccounts];
    const signature = getBase58Decoder().decode(Object.values(transaction.signatures)[0] as Uint8Array);
    const preBalances = this.#balances(keys);
    const result = this.svm.sendTransaction(transaction);
    const isFailed = result instanceof this.#module.FailedTransactionMetadata;
    const err = isFailed ? { InstructionError: [0, 'Custom'] } : null;
    this.#kept.push({ signature, slot: this.slot, err, keys, pre: preBalances, post: this.#balances(keys) });
    this.svm.expireBlockhash();
    return signature;
  }

  #standing = ({ slot }: StoredTransaction): string => (slot <= this.#head({}) ? 'finalized' : 'confirmed');

  #list(account: string, options: Options) {
    let rows = this.#transactionsUpTo(options).filter(({ keys }) => keys.some((key) => key === account));
    const indexOfSignature = (signature: string | undefined) => rows.findIndex((row) => row.signature === signature);
    if (options.before !== undefined) rows = rows.slice(indexOfSignature(options.before) + 1);
    if (indexOfSignature(options.until) !== -1) rows = rows.slice(0, indexOfSignature(options.until));
    return rows.slice(0, options.limit ?? 1000).map((row) => ({
      signature: row.signature,
      slot: row.slot,
      err: row.err,
      confirmationStatus: this.#standing(row),
    }));
  }

  #status(signature: string) {
    const row = this.#transactionsUpTo({ commitment: 'processed' }).find((each) => each.signature === signature);
    return row ? { slot: row.slot, err: row.err, confirmationStatus: this.#standing(row) } : null;
  }

  #transaction(signature: string, options: Options) {
    const row = this.#transactionsUpTo(options).find((each) => each.signature === signature);
    if (!row) return null;
    return {
      slot: row.slot,
      blockTime: START_TIME + Math.floor((row.slot - START_SLOT) * 0.4),
      meta: {
        err: row.err,
        preTokenBalances: row.pre,
        postTokenBalances: row.post,
        loadedAddresses: { writable: [], readonly: [] },
      },
      transaction: { signatures: [row.signature], message: { accountKeys: row.keys } },
    };
  }
}
