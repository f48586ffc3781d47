import type { FastifyRequest } from 'fastify';
import { SCREENSHOT_BYTES } from '#features/contact/contract.ts';
import { AppError } from '#kernel/errors.ts';

export type Form = {
  fields: Map<string, string>;
  /** null: no file was chosen. */
  screenshot: { bytes: Buffer; isTooLarge: boolean } | null;
};

const unreadable = (message: string) => new AppError('bad_request', message);

/** Reads the whole form; a file that is too large is read to its end and discarded. */
export async function readForm(request: FastifyRequest): Promise<Form> {
  if (!request.isMultipart()) throw unreadable('The message must be sent as multipart/form-data');
  const fields = new Map<string, string>();
  let screenshot: Form['screenshot'] = null;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (typeof part.value === 'string' && !part.valueTruncated) fields.set(part.fieldname, part.value);
        else throw unreadable(`${part.fieldname} is too long`);
        continue;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of part.file as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size <= SCREENSHOT_BYTES) chunks.push(chunk);
      }
      const isTooLarge = size > SCREENSHOT_BYTES || part.file.truncated;
      // Browsers send an empty part when no file was chosen.
      if (size > 0 || part.filename) screenshot = { bytes: Buffer.concat(isTooLarge ? [] : chunks), isTooLarge };
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code, statusCode } = error as { code?: string; statusCode?: number };
    if (statusCode === 413)
      throw new AppError('payload_too_large', 'The message has too many form fields', { cause: error });
    if (code?.startsWith('FST_') || error instanceof Error) throw unreadable('The message could not be read');
    throw error;
  }
  return { fields, screenshot };
}
