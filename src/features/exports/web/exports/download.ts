import { createExport, type ExportItem } from '#features/exports/contract/exports.ts';
import { downloadBlob, readWhole, requestFile, responseFileName } from '#ui/api/file.ts';
import { Told } from '#ui/use-submit.ts';

const MAX_CHECKED_BYTES = 64_000_000;

export const filePath = (id: string): string => `/api/exports/${id}/file`;

/** Verifies the checksum; true when the browser cannot compute it. */
async function isComplete(file: Blob, sha256: string | null): Promise<boolean> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (!sha256 || !subtle || file.size > MAX_CHECKED_BYTES) return true;
  const digest = new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('') === sha256.toLowerCase();
}

/** Downloads an export under the server's file name, resumes interrupted transfers and verifies the SHA-256. */
export async function downloadExport(
  { id, file_name, sha256 }: Pick<ExportItem, 'id' | 'file_name' | 'sha256'>,
  signal: AbortSignal,
  onBytes: (here: number, all: number | null) => void,
): Promise<void> {
  const begun = await requestFile(filePath(id), { signal });
  const name = responseFileName(begun) ?? file_name ?? 'export';
  const file = await readWhole(begun, filePath(id), { signal, onBytes });
  if (!(await isComplete(file, sha256)))
    throw new Told('The download does not match the export’s checksum. Please try again.');
  downloadBlob(file, name);
}

/** Requests an export. A small one is saved at once; for a large one in progress the id is returned. */
export async function makeExport(body: unknown, signal: AbortSignal): Promise<{ making: string | null }> {
  const answer = await requestFile(createExport.path, { body, signal });
  if (answer.status === 202) {
    const { id } = (await answer.json()) as { id: string };
    return { making: id };
  }
  const name = responseFileName(answer) ?? 'export';
  const file = await readWhole(answer, filePath(answer.headers.get('x-export-id') ?? ''), { signal });
  downloadBlob(file, name);
  return { making: null };
}
