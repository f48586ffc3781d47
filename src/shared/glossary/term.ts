/** One metric, described. `reading` says how to interpret its value, where there is a rule. */
export type Term = { name: string; unit: string; meaning: string; formula: string; reading?: string | undefined };
export type Terms = Record<string, Term>;
