import { z } from 'zod';

/** A language model at an address chosen by the operator, such as a local Ollama. */
export type CustomProvider = { id: string; baseUrl: string; model: string | null; key: string | null };

const RESERVED_IDS = new Set(['venice', 'groq', 'huggingface', 'local', 'consensus', 'market']);
const ID = /^[a-z][a-z0-9-]{0,30}$/;

/** Returns the error as text, without repeating a key. */
function parse(text: string, place: number): CustomProvider | string {
  const [id = '', rest] = text.split(/=(.*)/s).map((part) => part.trim());
  const named = ID.test(id) ? `"${id}"` : `number ${place}`;
  if (!ID.test(id)) return `provider ${named} needs a short lowercase name before "="`;
  if (RESERVED_IDS.has(id)) return `provider ${named} uses a reserved name`;
  const parts = (rest ?? '').split('|').map((part) => part.trim());
  const [address = '', model = '', key = ''] = parts;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (parts.length > 3) return `provider ${named} has more than three parts (address|model|key)`;
  if (!url || !/^https?:$/.test(url.protocol)) return `provider ${named} needs an http(s) URL after "="`;
  if (url.username || url.password || url.search || url.hash)
    return `provider ${named} must have a plain URL; put the key after the model`;
  return { id, baseUrl: address.replace(/\/+$/, ''), model: model || null, key: key || null };
}

/** "id=https://base|model|key; id=…"; model and key may be left out. */
export const customProviders = z
  .string()
  .default('')
  .transform((text, context): CustomProvider[] => {
    const found = text
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part, i) => parse(part, i + 1));
    const refuse = (message: string) => context.addIssue({ code: 'custom', message, input: null });
    const good = found.filter((each) => {
      if (typeof each === 'string') refuse(each);
      return typeof each !== 'string';
    });
    const seen = new Set<string>();
    for (const { id } of good) {
      if (seen.has(id)) refuse(`provider "${id}" is listed twice`);
      seen.add(id);
    }
    return good;
  });
