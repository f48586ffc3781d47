import { AppError } from '#kernel/errors.ts';

export type Form = 'json' | 'csv';

class NotAcceptable extends AppError {
  override get status(): number {
    return 406;
  }
}

/** How well a type is liked, 0 to 1: a name of its own goes before `text/*`, and that before any. */
function liking(accept: string, type: string): number {
  const [kind] = type.split('/');
  const found = new Map<string, number>();
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...params] = part.split(';').map((text) => text.trim());
    const quality = params.find((param) => param.startsWith('q='));
    found.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0);
  }
  return found.get(type) ?? found.get(`${kind}/*`) ?? found.get('*/*') ?? 0;
}

/** `format` decides before the Accept header. @throws AppError 406 for what this call cannot give */
export function formOf(accept: string | undefined, format: unknown, hasCsv: boolean): Form {
  const refusal = () =>
    new NotAcceptable('bad_request', `This endpoint returns application/json${hasCsv ? ' or text/csv' : ''}`);
  if (format === 'csv' && !hasCsv) throw refusal();
  if (format === 'json' || format === 'csv') return format;
  if (accept === undefined || accept.trim() === '') return 'json';
  const json = liking(accept, 'application/json');
  const csv = hasCsv ? liking(accept, 'text/csv') : 0;
  if (json === 0 && csv === 0) throw refusal();
  return csv > json ? 'csv' : 'json';
}
