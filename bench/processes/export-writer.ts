import { once } from 'node:events';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

import { type FileFormat, WRITER_LIMITS } from '#kernel/files/table.ts';
import { writeFile } from '#kernel/files/write.ts';

import { generateRows, HEAD, toTable, writeTo } from '../support/export-rows.ts';
import { serveCalls } from '../support/offer.ts';

type Order = { format: FileFormat; rows: number; path: string };

if (isMainThread) {
  serveCalls({
    /** Peak memory of the process in bytes, after a thread has written the file. */
    async write(format: FileFormat, rows: number, path: string) {
      const order: Order = { format, rows, path };
      await once(new Worker(new URL(import.meta.url), { workerData: order, resourceLimits: WRITER_LIMITS }), 'exit');
      return process.resourceUsage().maxRSS * 1024;
    },
  });
} else {
  const { format, rows, path } = workerData as Order;
  const { bytes } = writeFile({ format, fileName: 'bench', packed: false }, HEAD, [toTable(generateRows(rows))]);
  await writeTo(path, bytes);
}
