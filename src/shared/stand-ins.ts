/**
 * In demo mode, simulated analysts respond under the wire keys of the vendors; the interface shows no vendor or model
 * name.
 */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['venice', 'A'],
  ['groq', 'B'],
  ['huggingface', 'C'],
]);
const PREFIX = 'stand-in-';

export type StandIn = { name: string; letter: string; model: string };

/** The simulated analyst of a provider in demo mode; null if it has none. */
export function findStandIn(provider: string): StandIn | null {
  const letter = LETTERS.get(provider);
  return letter ? { name: `Simulated analyst ${letter}`, letter, model: PREFIX + letter.toLowerCase() } : null;
}

/** The display name of a simulated model; null for a real model. */
export const standInName = (model: string): string | null =>
  model.startsWith(PREFIX) ? `Simulated analyst ${model.slice(PREFIX.length).toUpperCase()}` : null;

export const STAND_IN_NOTE =
  'These analysts are not backed by a real vendor or model. Simulated analyst A sees a little of the simulated future.';
