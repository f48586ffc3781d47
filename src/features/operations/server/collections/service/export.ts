import { COLLECTIONS } from '#features/operations/contract/collections.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller, Download } from '#kernel/route.ts';

import type { CollectionsContext } from '../context.ts';
import { PAGES } from './records.ts';

/** Every record of a collection as a file; who took it is kept. */
export async function openExport(ctx: CollectionsContext, caller: Caller, asked: string): Promise<Download> {
  const collection = COLLECTIONS.find((name) => name === asked);
  if (!collection) throw new AppError('not_found', 'Collection not found');
  await audit(ctx.db, {
    at: ctx.now(),
    actorId: caller.userId,
    subjectId: null,
    action: 'collection.export',
    details: { collection },
  });
  return {
    type: 'application/json; charset=utf-8',
    fileName: `${collection}_export.json`,
    text: textOf({ ...ctx, db: await ctx.reads.pages() }, collection),
  };
}

/** Pages by key, each a query of its own: a slow reader holds neither a connection nor old rows. */
async function* textOf(ctx: CollectionsContext, collection: (typeof COLLECTIONS)[number]): AsyncGenerator<string> {
  let records = 0;
  let end = 'client disconnected';
  try {
    yield '[';
    for await (const page of PAGES[collection](ctx)) {
      if (page.length === 0) continue;
      const lines = page.map((record) => JSON.stringify(record)).join(',\n');
      yield records === 0 ? `\n${lines}` : `,\n${lines}`;
      records += page.length;
    }
    yield '\n]\n';
    end = 'whole';
  } catch (error) {
    end = 'failed';
    ctx.report('collections', 'system', `The export of ${collection} was interrupted`, error);
    throw error;
  } finally {
    ctx.log.info({ collection, records, end }, 'collection export ended');
  }
}
