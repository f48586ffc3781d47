/** Advisories that are known and accepted for a while. `until` is a day; after it the audit fails again. */
export type AcceptedAdvisory = { advisory: string; reason: string; until: string };

export const ACCEPTED_ADVISORIES: readonly AcceptedAdvisory[] = [];
