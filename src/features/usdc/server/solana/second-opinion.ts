import type { Transfer } from '../rail.ts';
import { getFirstSlot, getSlot, hasFailed, type Status, statusesOf } from './calls.ts';
import { askNode, type SolanaNode } from './node.ts';

export type Judged = { transfers: readonly Transfer[]; lost: readonly { tx: string }[] };

const isThere = (status: Status | undefined): boolean => Boolean(status) && !hasFailed(status?.err);

/** A transaction of which this node says otherwise. */
async function findDifference(node: SolanaNode, { transfers, lost }: Judged): Promise<string | undefined> {
  const [safe, first] = [await getSlot(node, 'confirmed'), await getFirstSlot(node)];
  const known = transfers.filter(({ block }) => block >= first && block <= safe);
  const claims = [...known.map(({ tx }) => ({ tx, there: true })), ...lost.map(({ tx }) => ({ tx, there: false }))];
  const shown = await statusesOf(
    node,
    claims.map(({ tx }) => tx),
  );
  return claims.find(({ there }, n) => isThere(shown[n]) !== there)?.tx;
}

/**
 * Money taken in or back is no single node's word where there are several: throws when another one that has these slots says otherwise. Nodes
 * that do not answer, or are behind, say nothing.
 */
export async function askOthers(urls: readonly string[], signal: AbortSignal, judged: Judged): Promise<void> {
  if (judged.transfers.length + judged.lost.length === 0) return;
  const silent = () => undefined;
  const asked = urls.map((url) => askNode(url, signal, (node) => findDifference(node, judged)).catch(silent));
  const tx = (await Promise.all(asked)).find((each) => each !== undefined);
  if (tx !== undefined) throw new Error(`Another node says otherwise about ${tx}`);
}
