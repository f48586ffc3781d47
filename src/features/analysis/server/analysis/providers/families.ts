/** Models that do not write texts about numbers, or look things up by themselves. */
const OTHER_WORK =
  /whisper|tts|speech|orpheus|playai|guard|embed|rerank|compound|vision|[-_/]vl[-_\d]|ocr|coder|code|prover|math|translat|allam/i;

export const isGeneralText = (id: string): boolean => !OTHER_WORK.test(id);

type Dated = { id: string; created: number | null };

/** By family as preferred, then the newest, then by name. */
export function byFamily<T extends Dated>(models: readonly T[], families: readonly RegExp[]): T[] {
  const rank = ({ id }: T) => {
    const found = families.findIndex((family) => family.test(id));
    return found === -1 ? families.length : found;
  };
  return models.toSorted((a, b) => rank(a) - rank(b) || (b.created ?? 0) - (a.created ?? 0) || (a.id < b.id ? -1 : 1));
}
