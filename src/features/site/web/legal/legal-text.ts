import type { ReactNode } from 'react';

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
