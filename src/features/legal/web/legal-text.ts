import type { ReactNode } from 'react';

/** The day from which the present wording of the legal texts counts. */
export const IN_FORCE_SINCE = '2026-11-21';

export type LegalSection = {
  /** Address of the section within its page; links from outside lead to it, so it stays. */
  id: string;
  title: string;
  body: ReactNode;
};

export type LegalText = {
  title: string;
  lead: string;
  /** What matters most, in a few sentences that hold by themselves. */
  short: readonly string[];
  sections: readonly LegalSection[];
};
