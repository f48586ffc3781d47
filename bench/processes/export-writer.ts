import type { FileFormat } from '#server/platform/files/table.ts';
import { writeFile } from '#server/platform/files/write.ts';

import { freshRows, HEAD, tableOf, writeTo } from '../support/export-rows.ts';
import { offer } from '../support/offer.ts';

offer({
  /** The most memory the process has ever held, in bytes, when the file is written. */
  async write(format: FileFormat, rows: number, path: string) {
    const { bytes } = writeFile({ format, fileName: 'bench', packed: false }, HEAD, [tableOf(freshRows(rows))]);
    await writeTo(path, bytes);
    return process.resourceUsage().maxRSS * 1024;
  },
});
