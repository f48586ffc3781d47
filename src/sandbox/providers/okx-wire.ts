import { type Call, Refusal } from '#sandbox/provider.ts';

const INST_TYPES = new Set(['SPOT', 'MARGIN', 'SWAP', 'FUTURES', 'OPTION']);

export const ok = (data: unknown) => ({ body: { code: '0', msg: '', data } });

export const refuse = (code: string, msg: string, status = 200) =>
  new Refusal({ status, body: { code, msg, data: [] } });

export function instType({ query }: Call): string {
  const type = query.get('instType');
  if (!type) throw refuse('50014', 'Parameter instType can not be empty', 400);
  if (!INST_TYPES.has(type)) throw refuse('51000', 'Parameter instType error', 400);
  return type;
}
