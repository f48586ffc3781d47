import { Told } from '#web/ui/use-submit.ts';

/** What the server takes at most. */
const MOST_BYTES = 2.5 * 1024 * 1024;

/** A file of a person's, as far as its place in the form needs to know it; the server looks at the rest. */
export type ChosenFile = { name: string; content: unknown; hasRules: boolean; hasNotifications: boolean };

/** Throws the sentence for what is no JSON or is too large. */
export async function readChosen(file: File): Promise<ChosenFile> {
  if (file.size > MOST_BYTES) throw new Told('This file is larger than 2.5 MB, so it holds no settings');
  const text = await file.text().catch(() => {
    throw new Told('This file cannot be read');
  });
  const content = parsed(text);
  const { rules, notifications } = (content ?? {}) as { rules?: unknown; notifications?: unknown };
  return {
    name: file.name,
    content,
    hasRules: Array.isArray(rules) && rules.length > 0,
    hasNotifications: typeof notifications === 'object' && notifications !== null,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Told('This is not a JSON file');
  }
}
